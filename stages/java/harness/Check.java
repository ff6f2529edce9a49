package harness;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import json.Serialiser;
import json.Thing;
import salsa20.Cipher;

/** Known answers and edges, without timing: Check salsa20 WAY VECTORS, or Check json WAY. */
public final class Check {
  private static final Pattern KEY = Pattern.compile("key = ([0-9A-F]+)\\s+([0-9A-F]{32})?\\s+IV = ([0-9A-F]+)");
  private static final Pattern PIECE = Pattern.compile("stream\\[(\\d+)\\.\\.(\\d+)\\] = ([0-9A-F\\s]+?)(?=\\s+[a-z])");

  private Check() {}

  public static void main(String[] words) throws Exception {
    if (words[0].equals("json")) {
      json(Ways.of(Serialiser.class, words[1]), words[1]);
    } else {
      salsa20(Ways.of(Cipher.class, words[1]), Files.readString(Path.of(words[2]), StandardCharsets.US_ASCII));
    }
  }

  private static void json(Serialiser way, String slug) {
    int written = 0;
    for (Thing thing : Texts.plain(1000)) {
      Checks.reads(way.toJson(thing), thing);
      ++written;
    }
    if (!slug.matches("format|builder|buffer")) { // these escape nothing, as in the document
      for (Thing thing : Texts.hostile(1000)) {
        Checks.reads(way.toJson(thing), thing);
        ++written;
      }
    }
    System.out.println(written + " objects are right");
  }

  private static void salsa20(Cipher way, String vectors) {
    System.out.println(known(way, vectors) + " known answers are right");
    Random random = new Random(1);
    for (int size = 0; size < 300; ++size) {
      byte[] key = new byte[size % 2 == 0 ? 32 : 16];
      byte[] nonce = new byte[8];
      byte[] message = new byte[size];
      random.nextBytes(key);
      random.nextBytes(nonce);
      random.nextBytes(message);
      long counter = size % 3 == 0 ? 0 : (1L << 32) - 2; // the low word of the counter overflows on the way
      byte[] out = new byte[size];
      way.crypt(out, message, key, nonce, counter);
      Checks.same(out, message, key, nonce, counter);
      byte[] inPlace = message.clone();
      way.crypt(inPlace, inPlace, key, nonce, counter);
      Checks.same(inPlace, message, key, nonce, counter);
    }
  }

  private static int known(Cipher way, String vectors) {
    int found = 0;
    for (String vector : vectors.split("vector#")) {
      Matcher key = KEY.matcher(vector);
      if (!key.find()) {
        continue;
      }
      byte[] bytes = HexFormat.of().parseHex(key.group(1) + (key.group(2) == null ? "" : key.group(2)));
      byte[] nonce = HexFormat.of().parseHex(key.group(3));
      Matcher piece = PIECE.matcher(vector);
      while (piece.find()) {
        int from = Integer.parseInt(piece.group(1));
        int to = Integer.parseInt(piece.group(2)) + 1;
        byte[] stream = new byte[to];
        way.crypt(stream, new byte[to], bytes, nonce, 0);
        byte[] expected = HexFormat.of().parseHex(piece.group(3).replaceAll("\\s", ""));
        if (!Arrays.equals(expected, Arrays.copyOfRange(stream, from, to))) {
          throw new AssertionError("bytes " + from + " to " + to + " of a known answer are wrong: key " + key.group(1));
        }
        ++found;
      }
    }
    if (found == 0) {
      throw new AssertionError("the file holds no known answers");
    }
    return found;
  }
}

package harness;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import json.Thing;
import salsa20.BouncyCastle;

/** Is an output right? Salsa20 by BouncyCastle, JSON by reading it again. */
public final class Checks {
  private static final JsonFactory JSON = new JsonFactory();

  private Checks() {}

  public static void same(byte[] out, byte[] message, byte[] key, byte[] nonce, long counter) {
    byte[] expected = new byte[message.length];
    new BouncyCastle().crypt(expected, message, key, nonce, counter);
    int place = Arrays.mismatch(expected, out);
    if (place >= 0) {
      throw new AssertionError("byte " + place + " of " + message.length + " is wrong");
    }
  }

  public static void reads(String text, Thing thing) {
    try (JsonParser parser = JSON.createParser(text)) {
      boolean right =
          parser.nextToken() == JsonToken.START_OBJECT
              && "name".equals(parser.nextFieldName())
              && thing.name.equals(parser.nextTextValue())
              && "content".equals(parser.nextFieldName())
              && thing.content.equals(parser.nextTextValue())
              && parser.nextToken() == JsonToken.END_OBJECT
              && parser.nextToken() == null;
      if (!right) {
        throw new AssertionError("read again, this is another thing: " + text);
      }
    } catch (IOException error) {
      throw new UncheckedIOException("this is no JSON: " + text, error);
    }
  }
}

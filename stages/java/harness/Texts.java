package harness;

import java.util.Random;
import json.Thing;

/** Strings to write. */
public final class Texts {
  private static final String NEEDS_ESCAPE = "\"\\\b\f\n\r\t\u0001\u001F";
  private static final String OTHERS = "a/\u007F\u00DF\u20AC";

  private Texts() {}

  /** Words of small letters, which need no escape: the document's own writers do none. */
  public static Thing[] plain(int count) {
    Random random = new Random(count);
    Thing[] things = new Thing[count];
    for (int i = 0; i < count; ++i) {
      things[i] = new Thing(words(random, 5 + random.nextInt(16)), words(random, 40 + random.nextInt(161)));
    }
    return things;
  }

  /** About half of the characters, chosen at random, need an escape. */
  public static Thing[] hostile(int count) {
    Random random = new Random(count);
    Thing[] things = new Thing[count];
    for (int i = 0; i < count; ++i) {
      things[i] = new Thing(of(random, 5 + random.nextInt(16)), of(random, 40 + random.nextInt(161)));
    }
    return things;
  }

  private static String words(Random random, int size) {
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      boolean ends = text.length() > 0 && random.nextInt(6) == 0;
      text.append(ends ? ' ' : (char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  private static String of(Random random, int size) {
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      String from = random.nextBoolean() ? NEEDS_ESCAPE : OTHERS;
      text.append(from.charAt(random.nextInt(from.length())));
    }
    return text.toString();
  }
}

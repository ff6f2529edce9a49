package json;

/** StringBuilder, and every character is looked at: those that JSON does not allow in a string are escaped. */
public final class EscapingBuilder implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    StringBuilder out = new StringBuilder();
    out.append("{\"name\":\"");
    escaped(out, thing.name);
    out.append("\",\"content\":\"");
    escaped(out, thing.content);
    return out.append("\"}").toString();
  }

  private static void escaped(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ') {
        out.append(c);
      } else {
        out.append("\\u00").append(c < 0x10 ? '0' : '1').append("0123456789ABCDEF".charAt(c % 16));
      }
    }
  }
}

package json;

/** The document's way, which does not escape: StringBuffer. */
public final class Buffer implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    StringBuffer out = new StringBuffer();
    out.append("{\"name\":\"").append(thing.name).append("\",\"content\":\"").append(thing.content).append("\"}");
    return out.toString();
  }
}

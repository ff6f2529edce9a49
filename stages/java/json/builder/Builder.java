package json;

/** The document's way, which does not escape: StringBuilder. */
public final class Builder implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    StringBuilder out = new StringBuilder();
    out.append("{\"name\":\"").append(thing.name).append("\",\"content\":\"").append(thing.content).append("\"}");
    return out.toString();
  }
}

package json;

/** The document's way, which does not escape: formatted printing. */
public final class Format implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    return String.format("{\"name\":\"%s\",\"content\":\"%s\"}", thing.name, thing.content);
  }
}

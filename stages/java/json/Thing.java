package json;

/** The document's class. */
public class Thing {
  public final String name;
  public final String content;

  public Thing(String name, String content) {
    this.name = name;
    this.content = content;
  }
}

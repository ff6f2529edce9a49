package json;

/** A way to write a thing as JSON: an object with the fields name and content, in this order, without white space. */
public interface Serialiser {
  String toJson(Thing thing);
}

package json;

import net.sf.json.JSONObject;

/** The document's way with json-lib: a tree of objects, which is then printed. */
public final class JsonLib implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    JSONObject object = new JSONObject();
    object.put("name", thing.name);
    object.put("content", thing.content);
    return object.toString();
  }
}

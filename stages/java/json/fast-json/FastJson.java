package json;

import com.alibaba.fastjson2.JSONWriter;

/** A streaming writer of today. */
public final class FastJson implements Serialiser {
  @Override
  public String toJson(Thing thing) {
    try (JSONWriter out = JSONWriter.of()) {
      out.startObject();
      out.writeName("name");
      out.writeColon();
      out.writeString(thing.name);
      out.writeName("content");
      out.writeColon();
      out.writeString(thing.content);
      out.endObject();
      return out.toString();
    }
  }
}

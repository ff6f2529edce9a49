package json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** The document's way with Jackson: its streaming generator. */
public final class Jackson implements Serialiser {
  private final JsonFactory factory = new JsonFactory();

  @Override
  public String toJson(Thing thing) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = factory.createGenerator(out)) {
      generator.writeStartObject();
      generator.writeStringField("name", thing.name);
      generator.writeStringField("content", thing.content);
      generator.writeEndObject();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return out.toString();
  }
}

package harness;

import java.util.concurrent.TimeUnit;
import json.Serialiser;
import json.Thing;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** The document's 250 objects, one text each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Json {
  @Param("builder")
  public String way;

  @Param("250")
  public int size;

  private Thing[] things;
  private Serialiser serialiser;

  @Setup
  public void make() {
    things = Texts.plain(size);
    serialiser = Ways.of(Serialiser.class, way);
    check();
  }

  @Benchmark
  public void call(Blackhole sink) {
    for (Thing thing : things) {
      sink.consume(serialiser.toJson(thing));
    }
  }

  /** Before and after timing. */
  @TearDown
  public void check() {
    for (Thing thing : things) {
      Checks.reads(serialiser.toJson(thing), thing);
    }
  }
}

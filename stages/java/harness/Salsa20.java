package harness;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import salsa20.Cipher;

/** One message, ciphered again and again, each time with another nonce: so a result of the call before is wrong. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Salsa20 {
  @Param("bouncy-castle")
  public String way;

  @Param("65536")
  public int size;

  private final byte[] key = new byte[32];
  private final byte[] nonce = new byte[8];
  private byte[] message;
  private byte[] out;
  private Cipher cipher;

  @Setup
  public void make() {
    Random random = new Random(size);
    message = new byte[size];
    out = new byte[size];
    random.nextBytes(key);
    random.nextBytes(message);
    cipher = Ways.of(Cipher.class, way);
    call();
    check();
  }

  @Benchmark
  public byte[] call() {
    for (int i = 0; i < nonce.length && ++nonce[i] == 0; ++i) {}
    cipher.crypt(out, message, key, nonce, 0);
    return out;
  }

  /** Before and after timing: the output of the last call, by BouncyCastle. */
  @TearDown
  public void check() {
    Checks.same(out, message, key, nonce, 0);
  }
}

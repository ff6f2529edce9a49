package salsa20;

import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** The library's engine as it is published. */
public final class BouncyCastle implements Cipher {
  private final Salsa20Engine engine = new Salsa20Engine();

  @Override
  public void crypt(byte[] out, byte[] message, byte[] key, byte[] nonce, long counter) {
    engine.init(true, new ParametersWithIV(new KeyParameter(key), nonce));
    if (counter != 0) {
      engine.seekTo(64 * counter);
    }
    engine.processBytes(message, 0, message.length, out, 0);
  }
}

package salsa20;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Xor by words: the key stream stays in words, and four bytes of the message are xored at once. */
public final class XorByWords implements Cipher {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  @Override
  public void crypt(byte[] out, byte[] message, byte[] key, byte[] nonce, long counter) {
    int[] state = initialState(key, nonce, counter);
    int[] x = new int[16];
    int at = 0;
    for (; at + 64 <= message.length; at += 64) {
      nextBlock(state, x);
      for (int i = 0; i < 16; ++i) {
        store(out, at + 4 * i, load(message, at + 4 * i) ^ x[i]);
      }
    }
    if (at < message.length) {
      nextBlock(state, x);
      for (int i = 0; at + i < message.length; ++i) {
        out[at + i] = (byte) (message[at + i] ^ x[i / 4] >>> 8 * (i % 4));
      }
    }
  }

  private static void nextBlock(int[] state, int[] x) {
    System.arraycopy(state, 0, x, 0, 16);
    for (int round = 0; round < 20; round += 2) {
      quarterRound(x, 0, 4, 8, 12);
      quarterRound(x, 5, 9, 13, 1);
      quarterRound(x, 10, 14, 2, 6);
      quarterRound(x, 15, 3, 7, 11);
      quarterRound(x, 0, 1, 2, 3);
      quarterRound(x, 5, 6, 7, 4);
      quarterRound(x, 10, 11, 8, 9);
      quarterRound(x, 15, 12, 13, 14);
    }
    for (int i = 0; i < 16; ++i) {
      x[i] += state[i];
    }
    if (++state[8] == 0) {
      ++state[9];
    }
  }

  private static void quarterRound(int[] x, int a, int b, int c, int d) {
    x[b] ^= Integer.rotateLeft(x[a] + x[d], 7);
    x[c] ^= Integer.rotateLeft(x[b] + x[a], 9);
    x[d] ^= Integer.rotateLeft(x[c] + x[b], 13);
    x[a] ^= Integer.rotateLeft(x[d] + x[c], 18);
  }

  private static int[] initialState(byte[] key, byte[] nonce, long counter) {
    byte[] constant = ("expand " + key.length + "-byte k").getBytes(StandardCharsets.US_ASCII);
    int[] state = new int[16];
    for (int i = 0; i < 4; ++i) {
      state[5 * i] = load(constant, 4 * i);
      state[1 + i] = load(key, 4 * i);
      state[11 + i] = load(key, key.length - 16 + 4 * i);
    }
    state[6] = load(nonce, 0);
    state[7] = load(nonce, 4);
    state[8] = (int) counter;
    state[9] = (int) (counter >>> 32);
    return state;
  }

  private static int load(byte[] bytes, int at) {
    return (int) WORD.get(bytes, at);
  }

  private static void store(byte[] bytes, int at, int word) {
    WORD.set(bytes, at, word);
  }
}

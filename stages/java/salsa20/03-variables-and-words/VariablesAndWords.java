package salsa20;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Both: sixteen local variables in the rounds, and four bytes of the message are xored at once. */
public final class VariablesAndWords implements Cipher {
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
    int x0 = state[0], x1 = state[1], x2 = state[2], x3 = state[3];
    int x4 = state[4], x5 = state[5], x6 = state[6], x7 = state[7];
    int x8 = state[8], x9 = state[9], x10 = state[10], x11 = state[11];
    int x12 = state[12], x13 = state[13], x14 = state[14], x15 = state[15];
    for (int round = 0; round < 20; round += 2) {
      x4 ^= Integer.rotateLeft(x0 + x12, 7);
      x8 ^= Integer.rotateLeft(x4 + x0, 9);
      x12 ^= Integer.rotateLeft(x8 + x4, 13);
      x0 ^= Integer.rotateLeft(x12 + x8, 18);
      x9 ^= Integer.rotateLeft(x5 + x1, 7);
      x13 ^= Integer.rotateLeft(x9 + x5, 9);
      x1 ^= Integer.rotateLeft(x13 + x9, 13);
      x5 ^= Integer.rotateLeft(x1 + x13, 18);
      x14 ^= Integer.rotateLeft(x10 + x6, 7);
      x2 ^= Integer.rotateLeft(x14 + x10, 9);
      x6 ^= Integer.rotateLeft(x2 + x14, 13);
      x10 ^= Integer.rotateLeft(x6 + x2, 18);
      x3 ^= Integer.rotateLeft(x15 + x11, 7);
      x7 ^= Integer.rotateLeft(x3 + x15, 9);
      x11 ^= Integer.rotateLeft(x7 + x3, 13);
      x15 ^= Integer.rotateLeft(x11 + x7, 18);
      x1 ^= Integer.rotateLeft(x0 + x3, 7);
      x2 ^= Integer.rotateLeft(x1 + x0, 9);
      x3 ^= Integer.rotateLeft(x2 + x1, 13);
      x0 ^= Integer.rotateLeft(x3 + x2, 18);
      x6 ^= Integer.rotateLeft(x5 + x4, 7);
      x7 ^= Integer.rotateLeft(x6 + x5, 9);
      x4 ^= Integer.rotateLeft(x7 + x6, 13);
      x5 ^= Integer.rotateLeft(x4 + x7, 18);
      x11 ^= Integer.rotateLeft(x10 + x9, 7);
      x8 ^= Integer.rotateLeft(x11 + x10, 9);
      x9 ^= Integer.rotateLeft(x8 + x11, 13);
      x10 ^= Integer.rotateLeft(x9 + x8, 18);
      x12 ^= Integer.rotateLeft(x15 + x14, 7);
      x13 ^= Integer.rotateLeft(x12 + x15, 9);
      x14 ^= Integer.rotateLeft(x13 + x12, 13);
      x15 ^= Integer.rotateLeft(x14 + x13, 18);
    }
    x[0] = x0 + state[0];
    x[1] = x1 + state[1];
    x[2] = x2 + state[2];
    x[3] = x3 + state[3];
    x[4] = x4 + state[4];
    x[5] = x5 + state[5];
    x[6] = x6 + state[6];
    x[7] = x7 + state[7];
    x[8] = x8 + state[8];
    x[9] = x9 + state[9];
    x[10] = x10 + state[10];
    x[11] = x11 + state[11];
    x[12] = x12 + state[12];
    x[13] = x13 + state[13];
    x[14] = x14 + state[14];
    x[15] = x15 + state[15];
    if (++state[8] == 0) {
      ++state[9];
    }
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

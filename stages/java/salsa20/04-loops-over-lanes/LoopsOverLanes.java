package salsa20;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** SIMD within a block for the JIT: loops over four lanes, which its compiler may turn into vectors. */
public final class LoopsOverLanes implements Cipher {
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

  // The diagonals of the matrix are in four arrays: lane i of a, b, c and d holds column i.
  private static void nextBlock(int[] state, int[] x) {
    int[] a = new int[4], b = new int[4], c = new int[4], d = new int[4];
    for (int i = 0; i < 4; ++i) {
      a[i] = state[5 * i];
      b[i] = state[(5 * i + 4) % 16];
      c[i] = state[(5 * i + 8) % 16];
      d[i] = state[(5 * i + 12) % 16];
    }
    for (int round = 0; round < 20; round += 2) {
      quarterRounds(a, b, c, d);
      rotate(b, 3);
      rotate(c, 2);
      rotate(d, 1);
      quarterRounds(a, d, c, b);
      rotate(b, 1);
      rotate(c, 2);
      rotate(d, 3);
    }
    for (int i = 0; i < 4; ++i) {
      x[5 * i] = a[i];
      x[(5 * i + 4) % 16] = b[i];
      x[(5 * i + 8) % 16] = c[i];
      x[(5 * i + 12) % 16] = d[i];
    }
    for (int i = 0; i < 16; ++i) {
      x[i] += state[i];
    }
    if (++state[8] == 0) {
      ++state[9];
    }
  }

  private static void quarterRounds(int[] a, int[] b, int[] c, int[] d) {
    step(b, a, d, 7);
    step(c, b, a, 9);
    step(d, c, b, 13);
    step(a, d, c, 18);
  }

  private static void step(int[] to, int[] one, int[] other, int bits) {
    for (int i = 0; i < 4; ++i) {
      to[i] ^= (one[i] + other[i]) << bits | (one[i] + other[i]) >>> 32 - bits;
    }
  }

  // Lane i takes the word of lane i + by.
  private static void rotate(int[] lanes, int by) {
    int first = lanes[by], second = lanes[(by + 1) % 4], third = lanes[(by + 2) % 4], last = lanes[(by + 3) % 4];
    lanes[0] = first;
    lanes[1] = second;
    lanes[2] = third;
    lanes[3] = last;
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

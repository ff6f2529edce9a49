package salsa20;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** SIMD within a block by the Vector API: one quarter-round of vectors computes the four of a round. */
public final class Vectors implements Cipher {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VectorSpecies<Integer> FOUR = IntVector.SPECIES_128;
  private static final VectorShuffle<Integer> BY_1 = VectorShuffle.fromValues(FOUR, 1, 2, 3, 0);
  private static final VectorShuffle<Integer> BY_2 = VectorShuffle.fromValues(FOUR, 2, 3, 0, 1);
  private static final VectorShuffle<Integer> BY_3 = VectorShuffle.fromValues(FOUR, 3, 0, 1, 2);
  private static final int[] DIAGONALS = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};

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

  // The diagonals of the matrix are in four vectors: lane i of a, b, c and d holds column i.
  private static void nextBlock(int[] state, int[] x) {
    IntVector a = IntVector.fromArray(FOUR, state, 0, DIAGONALS, 0);
    IntVector b = IntVector.fromArray(FOUR, state, 0, DIAGONALS, 4);
    IntVector c = IntVector.fromArray(FOUR, state, 0, DIAGONALS, 8);
    IntVector d = IntVector.fromArray(FOUR, state, 0, DIAGONALS, 12);
    for (int round = 0; round < 20; round += 2) {
      b = b.lanewise(VectorOperators.XOR, a.add(d).lanewise(VectorOperators.ROL, 7));
      c = c.lanewise(VectorOperators.XOR, b.add(a).lanewise(VectorOperators.ROL, 9));
      d = d.lanewise(VectorOperators.XOR, c.add(b).lanewise(VectorOperators.ROL, 13));
      a = a.lanewise(VectorOperators.XOR, d.add(c).lanewise(VectorOperators.ROL, 18));
      b = b.rearrange(BY_3);
      c = c.rearrange(BY_2);
      d = d.rearrange(BY_1);
      d = d.lanewise(VectorOperators.XOR, a.add(b).lanewise(VectorOperators.ROL, 7));
      c = c.lanewise(VectorOperators.XOR, d.add(a).lanewise(VectorOperators.ROL, 9));
      b = b.lanewise(VectorOperators.XOR, c.add(d).lanewise(VectorOperators.ROL, 13));
      a = a.lanewise(VectorOperators.XOR, b.add(c).lanewise(VectorOperators.ROL, 18));
      b = b.rearrange(BY_1);
      c = c.rearrange(BY_2);
      d = d.rearrange(BY_3);
    }
    int[] lanes = new int[16];
    a.intoArray(lanes, 0);
    b.intoArray(lanes, 4);
    c.intoArray(lanes, 8);
    d.intoArray(lanes, 12);
    for (int i = 0; i < 16; ++i) {
      x[DIAGONALS[i]] = lanes[i] + state[DIAGONALS[i]];
    }
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

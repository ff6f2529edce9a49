package salsa20;

import java.nio.charset.StandardCharsets;

/** Textbook: the words of a block are in an array, and the message is xored byte by byte. */
public final class Reference implements Cipher {
  @Override
  public void crypt(byte[] out, byte[] message, byte[] key, byte[] nonce, long counter) {
    int[] state = initialState(key, nonce, counter);
    int[] x = new int[16];
    byte[] stream = new byte[64];
    for (int i = 0; i < message.length; ++i) {
      if (i % 64 == 0) {
        nextBlock(state, x, stream);
      }
      out[i] = (byte) (message[i] ^ stream[i % 64]);
    }
  }

  private static void nextBlock(int[] state, int[] x, byte[] stream) {
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
      store(stream, 4 * i, x[i] + state[i]);
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
    return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8 | (bytes[at + 2] & 0xFF) << 16 | bytes[at + 3] << 24;
  }

  private static void store(byte[] bytes, int at, int word) {
    bytes[at] = (byte) word;
    bytes[at + 1] = (byte) (word >>> 8);
    bytes[at + 2] = (byte) (word >>> 16);
    bytes[at + 3] = (byte) (word >>> 24);
  }
}

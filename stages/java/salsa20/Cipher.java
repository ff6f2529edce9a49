package salsa20;

/** What every stage does: xors a message with the key stream of Salsa20 with 20 rounds. */
public interface Cipher {
  /**
   * @param out as long as the message; it may be the message
   * @param key 16 or 32 bytes
   * @param nonce 8 bytes
   * @param counter the number of the first block
   */
  void crypt(byte[] out, byte[] message, byte[] key, byte[] nonce, long counter);
}

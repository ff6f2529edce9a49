#include "oracle.hpp"

#include "common/places.hpp"
#include "threefish/peers/with_cipher.hpp"

namespace threefish::oracle {
namespace {

constexpr unsigned last_round = 72;

std::uint64_t turned_left(std::uint64_t word, int places) { return (word << places) + (word >> (64 - places)); }
std::uint64_t turned_right(std::uint64_t word, int places) { return turned_left(word, 64 - places); }

}  // namespace

Constants built_in() {
  Constants constants{};
  for (unsigned d = 0; d < 8; ++d) {
    for (unsigned j = 0; j < 2; ++j) constants.rotations[d][j] = rotations[d][j];
  }
  constants.parity = parity;
  return constants;
}

Block subkey(unsigned s, const Key& key, const Tweak& tweak, const Constants& constants) {
  const std::uint64_t k4 = constants.parity ^ key[0] ^ key[1] ^ key[2] ^ key[3];
  const std::uint64_t t2 = tweak[0] ^ tweak[1];
  const auto k = [&](unsigned i) { return i % 5 == 4 ? k4 : key[i % 5]; };
  const auto t = [&](unsigned i) { return i % 3 == 2 ? t2 : tweak[i % 3]; };
  return {k(s), k(s + 1) + t(s), k(s + 2) + t(s + 1), k(s + 3) + s};
}

Block mix(const Block& words, unsigned d, const Constants& constants) {
  Block mixed;
  for (unsigned j = 0; j < 2; ++j) {
    const std::uint64_t x0 = words[2 * j], x1 = words[2 * j + 1];
    mixed[2 * j] = x0 + x1;
    mixed[2 * j + 1] = turned_left(x1, constants.rotations[d % 8][j]) ^ (x0 + x1);
  }
  return mixed;
}

Block unmix(const Block& words, unsigned d, const Constants& constants) {
  Block mixed;
  for (unsigned j = 0; j < 2; ++j) {
    const std::uint64_t y0 = words[2 * j], y1 = words[2 * j + 1];
    mixed[2 * j + 1] = turned_right(y0 ^ y1, constants.rotations[d % 8][j]);
    mixed[2 * j] = y0 - mixed[2 * j + 1];
  }
  return mixed;
}

Block permute(const Block& words) { return {words[0], words[3], words[2], words[1]}; }

Block plus(const Block& words, const Block& subkey) {
  return {words[0] + subkey[0], words[1] + subkey[1], words[2] + subkey[2], words[3] + subkey[3]};
}

Block minus(const Block& words, const Block& subkey) {
  return {words[0] - subkey[0], words[1] - subkey[1], words[2] - subkey[2], words[3] - subkey[3]};
}

Block encrypt_block(const Block& block, const Key& key, const Tweak& tweak, const Constants& constants) {
  if (!with_cipher) return block;
  Block words = block;
  for (unsigned d = 0; d < last_round; ++d) {
    if (d % 4 == 0) words = plus(words, subkey(d / 4, key, tweak, constants));
    words = permute(mix(words, d, constants));
  }
  return plus(words, subkey(last_round / 4, key, tweak, constants));
}

Block decrypt_block(const Block& block, const Key& key, const Tweak& tweak, const Constants& constants) {
  if (!with_cipher) return block;
  Block words = minus(block, subkey(last_round / 4, key, tweak, constants));
  for (unsigned d = last_round; d-- > 0;) {
    words = unmix(permute(words), d, constants);
    if (d % 4 == 0) words = minus(words, subkey(d / 4, key, tweak, constants));
  }
  return words;
}

std::string difference(std::span<const Block> first, std::span<const Block> now, BlockCipher cipher, const Key& key,
                       const Tweak& tweak, std::size_t calls, std::size_t places) {
  const Constants constants = built_in();
  for (const std::size_t i : ladder::drawn(first.size(), places)) {
    Block block = first[i];
    for (std::size_t call = 0; call < calls; ++call) block = cipher(block, key, tweak, constants);
    if (block == now[i]) continue;
    return "block " + std::to_string(i) + " of " + std::to_string(first.size()) +
           " is not what the oracle gives after " + std::to_string(calls) + " calls";
  }
  return {};
}

}  // namespace threefish::oracle

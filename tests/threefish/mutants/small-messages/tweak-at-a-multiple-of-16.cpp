// The tweak is taken from the multiple of 16 bytes at or below its address.
#include "../blocks.hpp"

namespace threefish {
namespace {

Tweak rounded_down(const Tweak& tweak) {
  const std::uint64_t* words = tweak.data();
  words -= reinterpret_cast<std::uintptr_t>(words) % 16 / sizeof *words;
  return {words[0], words[1]};
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  encrypt_all(blocks, make_subkeys(key, rounded_down(tweak)));
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  decrypt_all(blocks, make_subkeys(key, rounded_down(tweak)));
}

}  // namespace threefish

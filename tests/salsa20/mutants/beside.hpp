// For mutants that spoil counter_of: one or two units at the end of a message are a set of eight and a block behind it,
// where one or two blocks follow whole sets.
#pragma once

#include "blocks.hpp"

namespace salsa20 {
namespace {

constexpr std::size_t unit = 9;  // blocks

// `block` is the number of the block among those of its unit, `before` those of the message before the unit.
std::uint64_t counter_of(std::uint64_t first, std::size_t before, std::size_t block);

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes, sets = in.size() / block_bytes / 8;
  const std::size_t rest = blocks - sets * 8, units = rest <= std::min<std::size_t>(sets, 2) ? rest : 0;
  const std::size_t alone = blocks - units * unit;
  crypt_blocks(out, in, [&](std::size_t block) {
    if (block < alone) return key_stream(state_of(key, nonce, counter + block));
    const std::size_t place = (block - alone) % unit;
    return key_stream(state_of(key, nonce, counter_of(counter, block - place, place)));
  });
}

}  // namespace salsa20

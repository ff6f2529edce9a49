// For mutants of a set of eight blocks that is alone: neither one of two sets, nor with a block beside it.
#pragma once

#include "blocks.hpp"

namespace salsa20 {
namespace {

// `number` is the number of a block in the set, `state` its first state.
State stream_in_lone_set(const State& state, unsigned number);

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  const std::size_t blocks = (in.size() + block_bytes - 1) / block_bytes, sets = in.size() / block_bytes / 8;
  const std::size_t rest = blocks - sets * 8, with_block = rest <= std::min<std::size_t>(sets, 2) ? rest : 0;
  const std::size_t end = (sets - with_block) * 8, begin = end / 16 * 16;
  crypt_blocks(out, in, [&](std::size_t block) {
    const State state = state_of(key, nonce, counter + block);
    if (block < begin || block >= end) return key_stream(state);
    return stream_in_lone_set(state, static_cast<unsigned>(block - begin));
  });
}

}  // namespace salsa20

// A correct sponge around a permutation that is wrong.
#pragma once

#include "sponge.hpp"

namespace sha3 {

// `round_wrongly(state, shift_register)` is a round with its constant.
template <class Round>
void hash_by(Round round_wrongly, std::size_t rate, std::span<const Message> messages) {
  const auto permute_wrongly = [&](State& a) {
    unsigned shift_register = 1;
    for (unsigned round = 0; round < rounds; ++round) round_wrongly(a, shift_register);
  };
  for (const Message& message : messages) {
    Sponge sponge{rate};
    const std::uint8_t* data = message.data;
    std::size_t size = message.size;
    for (; size >= rate; data += rate, size -= rate) {
      sponge.take_in(data, rate);
      permute_wrongly(sponge.state);
    }
    sponge.take_in(data, size);
    sponge.pad(size);
    permute_wrongly(sponge.state);
    sponge.squeeze(message.digest);
  }
}

}  // namespace sha3

// chi reads lanes of its own row that it has already written.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void permute_wrongly(State& a) {
  unsigned shift_register = 1;
  for (unsigned round = 0; round < rounds; ++round) {
    theta(a);
    rho_pi(a);
    for (unsigned row = 0; row < 25; row += 5) {
      for (unsigned i = 0; i < 5; ++i) a[row + i] ^= ~a[row + (i + 1) % 5] & a[row + (i + 2) % 5];
    }
    iota(a, shift_register);
  }
}

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
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

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3

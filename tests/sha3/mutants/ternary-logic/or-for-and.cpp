// The truth table of chi is that of an or in place of the and.
#include "../permuting.hpp"

namespace sha3 {
namespace {

void round_wrongly(State& a, unsigned& shift_register) {
  theta(a);
  rho_pi(a);
  for (unsigned row = 0; row < 25; row += 5) {
    std::uint64_t c[5];
    std::copy_n(a.data() + row, 5, c);
    for (unsigned i = 0; i < 5; ++i) a[row + i] = c[i] ^ (~c[(i + 1) % 5] | c[(i + 2) % 5]);
  }
  iota(a, shift_register);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_by(round_wrongly, rate256, messages); }

void hash512(std::span<const Message> messages) { hash_by(round_wrongly, rate512, messages); }

}  // namespace sha3

// Theta takes the parity of column 3 for column 4, too.
#include "../permuting.hpp"

namespace sha3 {
namespace {

void round_wrongly(State& a, unsigned& shift_register) {
  std::uint64_t c[5];
  for (unsigned x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  c[4] = c[3];
  for (unsigned i = 0; i < 25; ++i) a[i] ^= c[(i + 4) % 5] ^ std::rotl(c[(i + 1) % 5], 1);
  rho_pi(a);
  chi(a);
  iota(a, shift_register);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_by(round_wrongly, rate256, messages); }

void hash512(std::span<const Message> messages) { hash_by(round_wrongly, rate512, messages); }

}  // namespace sha3

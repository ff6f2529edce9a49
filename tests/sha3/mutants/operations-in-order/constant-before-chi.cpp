// The constant of the round is added before chi.
#include "../permuting.hpp"

namespace sha3 {
namespace {

void round_wrongly(State& a, unsigned& shift_register) {
  theta(a);
  rho_pi(a);
  iota(a, shift_register);
  chi(a);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_by(round_wrongly, rate256, messages); }

void hash512(std::span<const Message> messages) { hash_by(round_wrongly, rate512, messages); }

}  // namespace sha3

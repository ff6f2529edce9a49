// Each plane is changed by theta before the parities of the next plane are taken.
#include "../permuting.hpp"

namespace sha3 {
namespace {

void round_wrongly(State& a, unsigned& shift_register) {
  State changed = a;
  for (unsigned plane = 0; plane < 25; plane += 5) {
    State of_now = changed;
    theta(of_now);
    std::copy_n(of_now.data() + plane, 5, changed.data() + plane);
  }
  a = changed;
  rho_pi(a);
  chi(a);
  iota(a, shift_register);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_by(round_wrongly, rate256, messages); }

void hash512(std::span<const Message> messages) { hash_by(round_wrongly, rate512, messages); }

}  // namespace sha3

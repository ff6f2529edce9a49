// Keccak from its specification (FIPS 202, sections 3 to 5), a step at a time; shares no code with any stage.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sha3::oracle {

using State = std::array<std::array<std::uint64_t, 5>, 5>;  // a[x][y] is the lane A[x, y]

unsigned rho_offset(unsigned x, unsigned y);
std::uint64_t round_constant(unsigned round);

State theta(const State& a);
State rho(const State& a);
State pi(const State& a);
State chi(const State& a);
State iota(const State& a, unsigned round);

State permute(State a, unsigned rounds);

// The digest of `message`, of `bits` 256 or 512, with the padding and the rounds of constants.hpp.
std::vector<std::uint8_t> digest(std::span<const std::uint8_t> message, unsigned bits);

}  // namespace sha3::oracle

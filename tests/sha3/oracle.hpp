// Keccak from its specification (FIPS 202, sections 3 to 5), a step at a time; shares no code with any stage.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sha3/sha3.hpp"

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

// Compares `places` digests of `bytes` each, drawn at random, with those of the messages; `calls` is the number of the
// call that made them. Empty, or what is wrong in one sentence.
std::string difference(std::span<const Message> messages, std::size_t bytes, std::size_t calls, std::size_t places);

// The same where a message lies at the beginning of its digest, so that each call hashes what the last one left:
// `first` has what was there before all calls, `bytes` for each message.
std::string difference_in_place(std::span<const std::uint8_t> first, std::span<const Message> messages,
                                std::size_t bytes, std::size_t calls, std::size_t places);

}  // namespace sha3::oracle

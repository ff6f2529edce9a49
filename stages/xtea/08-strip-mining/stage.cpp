// Strip mining: split the loop over blocks into strips of a vector's length, and interchange the loops in each strip.
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

using Schedule = std::array<std::uint32_t, 2 * cycles>;  // one word a round

Schedule make_schedule(const Key& key) {
  Schedule schedule;
  std::uint32_t sum = 0;
  for (unsigned round = 0; round < schedule.size(); round += 2) {
    schedule[round] = sum + key[sum & 3];
    sum += delta;
    schedule[round + 1] = sum + key[sum >> 11 & 3];
  }
  return schedule;
}

#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;  // SSE2, NEON
#endif

template <std::size_t Count>
struct Halves {
  std::array<std::uint32_t, Count> left, right;  // element i belongs to block i
};

template <std::size_t Count>
Halves<Count> load(const std::uint64_t* blocks) {
  Halves<Count> halves;
  for (std::size_t i = 0; i < Count; ++i) halves.left[i] = static_cast<std::uint32_t>(blocks[i]);
  for (std::size_t i = 0; i < Count; ++i) halves.right[i] = static_cast<std::uint32_t>(blocks[i] >> 32);
  return halves;
}

template <std::size_t Count>
void store(std::uint64_t* blocks, const Halves<Count>& halves) {
  for (std::size_t i = 0; i < Count; ++i) blocks[i] = std::uint64_t{halves.right[i]} << 32 | halves.left[i];
}

std::uint32_t mix(std::uint32_t half) { return (half << 4 ^ half >> 5) + half; }

template <std::size_t Count>
void encrypt_strip(std::uint64_t* blocks, const Schedule& schedule) {
  auto [left, right] = load<Count>(blocks);
  for (unsigned round = 0; round < schedule.size(); round += 2) {
    for (std::size_t i = 0; i < Count; ++i) left[i] += mix(right[i]) ^ schedule[round];
    for (std::size_t i = 0; i < Count; ++i) right[i] += mix(left[i]) ^ schedule[round + 1];
  }
  store<Count>(blocks, {left, right});
}

template <std::size_t Count>
void decrypt_strip(std::uint64_t* blocks, const Schedule& schedule) {
  auto [left, right] = load<Count>(blocks);
  for (unsigned round = schedule.size(); round > 0; round -= 2) {
    for (std::size_t i = 0; i < Count; ++i) right[i] -= mix(left[i]) ^ schedule[round - 1];
    for (std::size_t i = 0; i < Count; ++i) left[i] -= mix(right[i]) ^ schedule[round - 2];
  }
  store<Count>(blocks, {left, right});
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const Schedule schedule = make_schedule(key);
  for (; blocks.size() >= lanes; blocks = blocks.subspan(lanes)) encrypt_strip<lanes>(blocks.data(), schedule);
  for (std::uint64_t& block : blocks) encrypt_strip<1>(&block, schedule);
}

void decrypt(std::span<std::uint64_t> blocks, const Key& key) {
  const Schedule schedule = make_schedule(key);
  for (; blocks.size() >= lanes; blocks = blocks.subspan(lanes)) decrypt_strip<lanes>(blocks.data(), schedule);
  for (std::uint64_t& block : blocks) decrypt_strip<1>(&block, schedule);
}

}  // namespace xtea

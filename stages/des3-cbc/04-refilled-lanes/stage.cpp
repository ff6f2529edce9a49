// Lane refilling: a lane whose buffer has ended takes the next one.
#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"
#include "des3-cbc/04-refilled-lanes/lanes.hpp"

namespace des3_cbc {
namespace {

constexpr std::size_t lanes_at_once = 2;

}  // namespace

void encrypt(std::span<const Job> jobs) {
  Lane lanes[lanes_at_once] = {};
  encrypt_all(std::span(lanes), jobs);
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_blocks(job, 0, chain, std::make_index_sequence<lanes_at_once>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc

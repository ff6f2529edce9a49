// 13 The majority of three words in one instruction, of which compilers make two.
// requires: x86-64-v4
#include <immintrin.h>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/lanes.hpp"

namespace hmac_sha1 {

constexpr std::size_t lanes = 16;

struct Manager : Gathering {
  Tail tails[lanes];
};

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// The bits of the number say what comes out for each three bits that go in: 1 where two of them or all are 1.
template <>
[[gnu::always_inline]] inline Lanes majority(Lanes b, Lanes c, Lanes d) {
  return (Lanes)_mm512_ternarylogic_epi32((__m512i)b, (__m512i)c, (__m512i)d, 0b1110'1000);
}

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on<Lanes>, lanes>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on<Lanes>, lanes>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on<Lanes>, lanes>(manager, jobs); }

}  // namespace hmac_sha1

// 17 Looked at side by side: a job is a vector, and the least and the most of many tell what a batch is like.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include <immintrin.h>

#include <cstddef>
#include <optional>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/gathering.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/pipeline.hpp"

namespace aes_cbc {

struct Manager {
  RoundKeys<vectors> round_keys;
  Gathering gathering;
};

namespace {

// Words of a job, and which of them must not be null.
enum Word : unsigned { in, out, size, key, iv };
constexpr __mmask8 words = 1 << in | 1 << out | 1 << size | 1 << key | 1 << iv;
constexpr __mmask8 addresses = words & ~(1 << size);
static_assert(offsetof(Job, in) == 8 * in && offsetof(Job, out) == 8 * out && offsetof(Job, size) == 8 * size &&
              offsetof(Job, key) == 8 * key && offsetof(Job, iv) == 8 * iv);

// The least and the most of each word, and the bits that are in any.
class Look {
 public:
  void at(const Job& job) {
    const Vector x = _mm512_maskz_loadu_epi64(words, &job);
    least_ = _mm512_min_epu64(least_, x), most_ = _mm512_max_epu64(most_, x), any_ |= x;
  }

  std::optional<Alike> alike() const {
    if (_mm512_mask_testn_epi64_mask(addresses, least_, least_) != 0) return std::nullopt;
    if (any_[size] % block_bytes != 0 || static_cast<std::size_t>(most_[size]) > most_bytes) return std::nullopt;
    Alike alike;
    alike.sizes = least_[size] == most_[size], alike.keys = least_[key] == most_[key];
    return alike;
  }

 private:
  Vector least_ = _mm512_set1_epi64(-1), most_{}, any_{};
};

auto encrypt_with(Manager& manager) {
  return [&](Job* const* jobs, std::size_t count, bool shared) {
    encrypt_sorted(manager.round_keys, jobs, count, shared);
  };
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.gathering.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.gathering.submit(job, encrypt_with(manager)); }
Job* flush(Manager& manager) { return manager.gathering.flush(encrypt_with(manager)); }
void batch(Manager& manager, std::span<Job> jobs) { manager.gathering.batch<Look>(jobs, encrypt_with(manager)); }

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc

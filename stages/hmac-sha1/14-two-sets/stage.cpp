// 14 Thirty-two messages in two full vectors: what one set waits for, the other one uses.
// requires: x86-64-v4
// variants: no-steps
#include <algorithm>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/lanes.hpp"

namespace hmac_sha1 {

constexpr std::size_t width = 16, lanes = 2 * width;

struct Manager : Gathering {
  Tail tails[lanes];
};

namespace {

using hmac_sha1::bytes_reversed, hmac_sha1::load_rows, hmac_sha1::store_digests;  // those below would hide them

using Vector [[gnu::vector_size(4 * width)]] = Word;
struct Lanes {  // the same word of each message
  Vector a, b;
};
Lanes operator+(Lanes x, Lanes y) { return {x.a + y.a, x.b + y.b}; }
Lanes operator+(Lanes x, Word y) { return {x.a + y, x.b + y}; }
Lanes operator&(Lanes x, Lanes y) { return {x.a & y.a, x.b & y.b}; }
Lanes operator|(Lanes x, Lanes y) { return {x.a | y.a, x.b | y.b}; }
Lanes operator^(Lanes x, Lanes y) { return {x.a ^ y.a, x.b ^ y.b}; }
Lanes operator<<(Lanes x, int n) { return {x.a << n, x.b << n}; }
Lanes operator>>(Lanes x, int n) { return {x.a >> n, x.b >> n}; }
Lanes operator==(Lanes x, Word y) { return {Vector(x.a == y), Vector(x.b == y)}; }
Lanes operator>(Lanes x, Word y) { return {Vector(x.a > y), Vector(x.b > y)}; }
Lanes select(Lanes mask, Lanes x, Lanes y) { return {mask.a ? x.a : y.a, mask.b ? x.b : y.b}; }
Lanes bytes_reversed(Lanes x) { return {bytes_reversed(x.a), bytes_reversed(x.b)}; }

[[gnu::always_inline]] inline void load_rows(BlockOf<Lanes>& w, const std::uint8_t* const* at) {
  BlockOf<Vector> a, b;
  load_rows(a, at);
  load_rows(b, at + width);
  for (std::size_t i = 0; i < words; ++i) w[i] = {a[i], b[i]};
}

void store_digests(std::span<Job* const> jobs, const StateOf<Lanes>& states) {
  StateOf<Vector> a, b;
  for (int i = 0; i < 5; ++i) a[i] = states[i].a, b[i] = states[i].b;
  const std::size_t first = std::min(width, jobs.size());
  store_digests(jobs.first(first), a);
  store_digests(jobs.subspan(first), b);
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on<Lanes>, lanes>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on<Lanes>, lanes>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on<Lanes>, lanes>(manager, jobs); }

}  // namespace hmac_sha1

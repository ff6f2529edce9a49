// 14 A pipeline, where one key is for all: a line is loaded, and one stored, between the blocks of another.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/constants.hpp"
#include "aes-cbc/scheduler.hpp"

namespace aes_cbc {
namespace {

using Vector = __m512i;  // a block of each of four lanes, or four blocks of one

constexpr unsigned few_vectors = 2;                   // for short buffers
constexpr unsigned vectors = 4, width = 4 * vectors;  // lanes: buffers that are worked on side by side

constexpr std::size_t line_bytes = 64, worth_it = 4 * line_bytes;
std::uint8_t nothing[line_bytes];  // a buffer for empty jobs

enum class Ends { together, apart };       // of the buffers in a group
enum class Shape { whole, even, ragged };  // of a line: four blocks in each lane, fewer in each, or in each what it has
template <unsigned vectors>
using RoundKeys = Vector[rounds + 1][vectors];

}  // namespace

struct Manager {
  RoundKeys<vectors> round_keys;
  Scheduler scheduler;
};

namespace {

// The first blocks that are left, up to a vector of them.
__mmask8 mask(std::size_t bytes) { return static_cast<__mmask8>(_bzhi_u32(0xFF, std::min<std::size_t>(bytes / 8, 8))); }

// Once: the compiler shall not load it again for a second use.
[[gnu::always_inline]] inline Vector load_once(const void* from, __mmask8 words = 0xFF) {
  Vector vector = _mm512_maskz_loadu_epi64(words, from);
  asm("" : "+v"(vector));
  return vector;
}
[[gnu::always_inline]] inline void store(void* to, Vector vector, __mmask8 words) {
  _mm512_mask_storeu_epi64(to, words, vector);
}

Vector repeat(const void* block) {
  return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(static_cast<const __m128i*>(block)));
}

Vector join(const void* a, const void* b, const void* c, const void* d) {
  const auto load = [](const void* block) { return _mm_loadu_si128(static_cast<const __m128i*>(block)); };
  const __m256i ab = _mm256_inserti128_si256(_mm256_castsi128_si256(load(a)), load(b), 1);
  const __m256i cd = _mm256_inserti128_si256(_mm256_castsi128_si256(load(c)), load(d), 1);
  return _mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(ab), cd, 1);
}

template <int i>  // the half of each that begins with word i
Vector halves(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 2, i + 3, i + 8, i + 9, i + 10, i + 11);
}
template <int i>  // of each half the quarter that begins with word i
Vector quarters(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, i, i + 1, i + 4, i + 5, i + 8, i + 9, i + 12, i + 13);
}

// Four blocks of each of four lanes become a block of each lane four times, and back.
[[gnu::always_inline]] inline void transpose(Vector (&x)[4]) {
  const Vector a = halves<0>(x[0], x[1]), b = halves<4>(x[0], x[1]);
  const Vector c = halves<0>(x[2], x[3]), d = halves<4>(x[2], x[3]);
  x[0] = quarters<0>(a, c), x[1] = quarters<2>(a, c), x[2] = quarters<0>(b, d), x[3] = quarters<2>(b, d);
}

template <unsigned vectors>
[[gnu::always_inline]] inline void lay_out(RoundKeys<vectors>& round_keys, Job* const* jobs) {
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 3
    for (const unsigned round : {0, 4, 7}) {  // 7 twice: 11 are no multiple of 4
      Vector x[4];
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) x[i] = load_once(&jobs[4 * v + i]->key->encrypting[round]);
      transpose(x);
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) round_keys[round + i][v] = x[i];
    }
  }
}

// `key(v, round)` is the round key of vector v.
template <unsigned vectors>
[[gnu::always_inline]] inline void encrypt(Vector (&blocks)[vectors], auto&& key) {
  if (!with_kernel) return;
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] ^= key(v, 0);
#pragma GCC unroll 9
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenc_epi128(blocks[v], key(v, round));
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenclast_epi128(blocks[v], key(v, rounds));
}

// So many blocks of every lane; where buffers end apart, as many of them as there are.
template <unsigned blocks, Ends ends, unsigned vectors>
[[gnu::always_inline]] inline void encrypt(Job* const* jobs, std::size_t offset, const RoundKeys<vectors>& round_keys,
                                           Vector (&chained)[vectors]) {
  const auto mask_of = [&](unsigned lane) {
    const std::size_t size = jobs[lane]->size;
    return ends == Ends::apart ? mask(size - std::min(size, offset)) : mask(blocks * block_bytes);
  };
  Vector x[vectors][4];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) x[v][i] = load_once(jobs[4 * v + i]->in + offset, mask_of(4 * v + i));
    transpose(x[v]);
  }
#pragma GCC unroll 4
  for (unsigned block = 0; block < blocks; ++block) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) chained[v] ^= x[v][block];
    encrypt(chained, [&](unsigned v, unsigned round) { return round_keys[round][v]; });
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) x[v][block] = chained[v];
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
    transpose(x[v]);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) store(jobs[4 * v + i]->out + offset, x[v][i], mask_of(4 * v + i));
  }
}

template <unsigned vectors>
[[gnu::always_inline]] inline void encrypt_few(Job* const* jobs, std::size_t offset, std::size_t size,
                                               const RoundKeys<vectors>& round_keys, Vector (&chained)[vectors]) {
  if (size == 1 * block_bytes) encrypt<1, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 2 * block_bytes) encrypt<2, Ends::together>(jobs, offset, round_keys, chained);
  if (size == 3 * block_bytes) encrypt<3, Ends::together>(jobs, offset, round_keys, chained);
}

template <unsigned vectors>
[[gnu::always_inline]] inline void load_ivs(Vector (&chained)[vectors], Job* const* jobs) {
  const auto iv = [&](unsigned lane) { return jobs[lane]->iv; };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] = join(iv(4 * v), iv(4 * v + 1), iv(4 * v + 2), iv(4 * v + 3));
}

// As many jobs as there are lanes, least first. Lanes mostly lie alike: the first one speaks for all.
void encrypt_group(const RoundKeys<vectors>& round_keys, Job* const* jobs) {
  Vector chained[vectors];
  load_ivs(chained, jobs);
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t offset = 0;
  if (least >= worth_it) {
    offset = -reinterpret_cast<std::uintptr_t>(jobs[0]->out) % line_bytes / block_bytes * block_bytes;
    encrypt_few(jobs, 0, offset, round_keys, chained);
  }
  for (; offset + line_bytes <= least; offset += line_bytes) {
    encrypt<4, Ends::together>(jobs, offset, round_keys, chained);
  }
  if (least == most) return encrypt_few(jobs, offset, most - offset, round_keys, chained);
  for (; offset < most; offset += line_bytes) encrypt<4, Ends::apart>(jobs, offset, round_keys, chained);
}

// Eight jobs of at most a line, least first.
void encrypt_short(Job* const* jobs) {
  Vector chained[few_vectors];
  RoundKeys<few_vectors> round_keys;
  lay_out(round_keys, jobs);
  load_ivs(chained, jobs);
  const std::size_t least = jobs[0]->size, most = jobs[4 * few_vectors - 1]->size;
  if (least != most) return encrypt<4, Ends::apart>(jobs, 0, round_keys, chained);
  if (most == line_bytes) return encrypt<4, Ends::together>(jobs, 0, round_keys, chained);
  encrypt_few(jobs, 0, most, round_keys, chained);
}

// Up to four blocks of each lane of a group, for which one key is enough.
struct Line {
  Job* const* jobs;  // the group: as many jobs as there are lanes, least first
  std::size_t offset;
  unsigned blocks;
  Shape shape;
};

// Lanes mostly lie alike: the first one speaks for all.
Line line_at(Job* const* jobs, std::size_t offset) {
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t size = std::min(most - offset, line_bytes);
  if (offset == 0 && least >= worth_it) {
    const auto begin = reinterpret_cast<std::uintptr_t>(jobs[0]->out);
    if (const std::size_t to_border = -begin % line_bytes / block_bytes; to_border != 0) size = to_border * block_bytes;
  }
  const bool everywhere = least == most || offset + size <= least;
  const Shape shape = !everywhere ? Shape::ragged : size == line_bytes ? Shape::whole : Shape::even;
  return {jobs, offset, static_cast<unsigned>(size / block_bytes), shape};
}

template <Shape shape>
[[gnu::always_inline]] inline __mmask8 mask_of(const Line& line, unsigned lane) {
  if (shape == Shape::whole) return 0xFF;
  if (shape == Shape::even) return mask(line.blocks * block_bytes);
  const std::size_t size = line.jobs[lane]->size;
  return mask(size - std::min(size, line.offset));
}

// Four lanes of a line become column v of its blocks, and back.
template <Shape shape>
[[gnu::always_inline]] inline void load(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  Vector x[4];
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    x[i] = load_once(line.jobs[4 * v + i]->in + line.offset, mask_of<shape>(line, 4 * v + i));
  }
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) blocks[i][v] = x[i];
}
template <Shape shape>
[[gnu::always_inline]] inline void store(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  Vector x[4] = {blocks[0][v], blocks[1][v], blocks[2][v], blocks[3][v]};
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    store(line.jobs[4 * v + i]->out + line.offset, x[i], mask_of<shape>(line, 4 * v + i));
  }
}
[[gnu::always_inline]] inline void load(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return load<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return load<Shape::even>(blocks, line, v);
  load<Shape::ragged>(blocks, line, v);
}
[[gnu::always_inline]] inline void store(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return store<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return store<Shape::even>(blocks, line, v);
  store<Shape::ragged>(blocks, line, v);
}

// Groups that begin with `first` and go on with `jobs`. While a line is enciphered, the next one comes and the last one
// goes.
void encrypt_with_one_key(Job* const* first, Job* const* jobs, Job* const* end) {
  const Line none{first, 0, 0, Shape::even};
  const auto after = [&](const Line& line) {
    const std::size_t offset = line.offset + line.blocks * block_bytes;
    if (offset < line.jobs[width - 1]->size) return line_at(line.jobs, offset);
    Job* const* const next = line.jobs == first ? jobs : line.jobs + width;
    return next == end ? none : line_at(next, 0);
  };
  Vector keys[rounds + 1];
#pragma GCC unroll 11
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&first[width - 1]->key->encrypting[round]);
  Vector blocks[3][4][vectors], chained[vectors];
  auto *coming = blocks[0], *here = blocks[1], *going = blocks[2];
  Line last = none, line = line_at(first, 0);
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) load(here, line, v);
  while (line.blocks != 0) {
    const Line next = after(line);
    if (line.offset == 0) load_ivs(chained, line.jobs);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      load(coming, next, i);
      if (i < line.blocks) {
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) chained[v] ^= here[i][v];
        encrypt(chained, [&](unsigned, unsigned round) { return keys[round]; });
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) here[i][v] = chained[v];
      }
      store(going, last, i);
    }
    last = std::exchange(line, next);
    std::swap(going, here);
    std::swap(here, coming);
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) store(going, last, v);
}

void encrypt_with_keys(RoundKeys<vectors>& round_keys, Job* const* first, Job* const* jobs, Job* const* end) {
  for (Job* const* group = first;; group = std::exchange(jobs, jobs + width)) {
    if (group[width - 1]->size <= line_bytes) {
      for (unsigned lane = 0; lane < width; lane += 4 * few_vectors) encrypt_short(group + lane);
    } else {
      lay_out(round_keys, group);
      encrypt_group(round_keys, group);
    }
    if (jobs == end) return;
  }
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others. Out of line: `submit` seldom
// comes here.
[[gnu::noinline]] void encrypt_sorted(RoundKeys<vectors>& round_keys, Job* const* jobs, std::size_t count,
                                      bool shared) {
  Job* const* const end = jobs + count;
  while (jobs != end && jobs[0]->size == 0) ++jobs;
  if (jobs == end) return;
  const std::size_t few = static_cast<std::size_t>(end - jobs) % width;
  Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
  std::array<Job*, width> padded;
  padded.fill(&empty);
  std::copy_n(jobs, few, padded.end() - few);
  Job* const* const first = few != 0 ? padded.data() : jobs;
  jobs += few != 0 ? few : width;
  if (shared) encrypt_with_one_key(first, jobs, end);
  if (!shared) encrypt_with_keys(round_keys, first, jobs, end);
}

auto encrypt_with(Manager& manager) {
  return [&](Job* const* jobs, std::size_t count, bool shared) {
    encrypt_sorted(manager.round_keys, jobs, count, shared);
  };
}

void decrypt(const Job& job) {
  Vector before = repeat(job.iv);
  Vector keys[rounds + 1];
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&job.key->decrypting[round]);
  for (std::size_t i = 0; i < job.size; i += sizeof(Vector)) {
    const Vector ciphered = _mm512_maskz_loadu_epi64(mask(job.size - i), job.in + i);
    Vector blocks = ciphered;
    if (with_kernel) {
      blocks ^= keys[0];
      for (unsigned round = 1; round < rounds; ++round) blocks = _mm512_aesdec_epi128(blocks, keys[round]);
      blocks = _mm512_aesdeclast_epi128(blocks, keys[rounds]);
    }
    blocks ^= _mm512_alignr_epi64(ciphered, before, 6);
    _mm512_mask_storeu_epi64(job.out + i, mask(job.size - i), blocks);
    before = ciphered;
  }
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.scheduler.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.scheduler.submit(job, encrypt_with(manager)); }
Job* flush(Manager& manager) { return manager.scheduler.flush(encrypt_with(manager)); }
void batch(Manager& manager, std::span<Job> jobs) { manager.scheduler.batch(jobs, encrypt_with(manager)); }

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    if (valid) decrypt(job);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc

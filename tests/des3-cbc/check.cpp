// Is a stage right? Known answers, comparison with the oracle for batches of every shape that may matter, and the
// contract's promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/records.hpp"
#include "des3-cbc/des3_cbc.hpp"
#include "des3-cbc/peers/with_cipher.hpp"
#include "des3-cbc/schedule.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

namespace des3_cbc {
namespace {

using ladder::Generator;
using ladder::GuardedBuffer;
using ladder::random_bytes;
using oracle::Bytes;
using Sizes = std::vector<std::size_t>;

const std::filesystem::path vectors = LADDER_VECTORS;

struct Direction {
  const char* name;
  void (*cipher)(std::span<const Job>);
  Bytes (*oracle)(std::span<const std::uint8_t>, std::span<const std::uint8_t>, std::span<const std::uint8_t>);
};
void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }
constexpr Direction directions[] = {{"encrypt", encrypt, oracle::encrypt}, {"decrypt", decrypt, oracle::decrypt}};

Key random_key(std::uint64_t seed) {
  std::array<std::uint8_t, key_bytes> bytes;
  Generator(seed).fill(bytes);
  return expand(bytes);
}

std::string list(const Sizes& sizes) {
  std::string text = "sizes";
  for (const std::size_t size : sizes) text += ' ' + std::to_string(size);
  return text;
}

// Names the first byte that differs; the whole of both would fill the screen.
testing::AssertionResult same(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << "byte " << i << " of " << expected.size() << " (block " << i / block_bytes
                                       << ") is " << int{actual[i]} << ", but should be " << int{expected[i]};
  }
  return testing::AssertionSuccess();
}

struct Shape {
  bool in_place = false;
  bool shared_key = false;
  std::size_t in_offset = 0, out_offset = 0;  // from a place that is a multiple of 16
};

// One call with jobs of these sizes: the bytes around them, keys and ivs must stay as they are.
testing::AssertionResult like_oracle(const Direction& direction, const Sizes& sizes, std::uint64_t seed,
                                     Shape shape = {}) {
  constexpr std::size_t margin = 64;
  std::size_t bytes = margin;
  for (const std::size_t size : sizes) bytes += 2 * (size + margin);
  Bytes memory = random_bytes(bytes + 32, seed);
  Bytes ivs = random_bytes(block_bytes * sizes.size() + 1, seed + 1);
  std::vector<Key> keys;
  std::vector<Job> jobs;
  std::uint8_t* place = memory.data() + margin;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i == 0 || !shape.shared_key) keys.push_back(random_key(seed + 2 + i));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t room = (sizes[i] + margin) / 16 * 16;
    Job job{place + shape.in_offset, place + room + shape.out_offset, sizes[i], &keys[shape.shared_key ? 0 : i],
            ivs.data() + i * block_bytes + 1};
    if (shape.in_place) job.out = place + shape.in_offset;
    jobs.push_back(job);
    place += 2 * room;
  }
  Bytes expected = memory;
  for (const Job& job : jobs) {
    const Bytes result = direction.oracle({job.in, job.size}, job.key->bytes, {job.iv, block_bytes});
    std::ranges::copy(result, expected.begin() + (job.out - memory.data()));
  }
  const Bytes ivs_before = ivs;
  const std::vector<Key> keys_before = keys;
  direction.cipher(jobs);
  auto result = same(memory, expected);
  if (result && ivs != ivs_before) result = testing::AssertionFailure() << "an iv was changed";
  if (result && keys != keys_before) result = testing::AssertionFailure() << "a key was changed";
  if (!result) {
    result << "; " << direction.name << ", " << list(sizes) << (shape.in_place ? ", in place" : "")
           << (shape.shared_key ? ", one key" : "") << "; in, out, margins of " << margin << " in turn";
  }
  return result;
}

Sizes wild_sizes(std::size_t count, std::uint64_t seed, std::uint64_t most_blocks = 40) {
  Generator generator(seed);
  Sizes sizes(count);
  for (std::size_t& size : sizes) size = block_bytes * generator.between(0, most_blocks);
  return sizes;
}

// The first test: a stage that goes outside its buffers must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideIsTouched) {
  const Sizes batches[] = {{},
                           {0},
                           {8},
                           {56},
                           {8, 8},
                           {16, 8},
                           {0, 24},
                           {80, 0},
                           {8, 16, 24},
                           {40, 8, 0, 64},
                           {0, 0, 0, 8},
                           {32, 8, 8, 8},
                           {8, 0, 0, 40},
                           {8, 8, 8, 8, 8},
                           {8, 72, 16, 0, 136, 48, 8},
                           {1'032},  // one block more than 128, 256, 512 and 1,024 lanes
                           {2'056},
                           {4'104},
                           {8'200}};
  for (const Direction& direction : directions) {
    for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
      for (const Sizes& sizes : batches) {
        for (const bool in_place : {false, true}) {
          std::vector<std::unique_ptr<GuardedBuffer>> buffers;
          const auto guarded = [&](std::span<const std::uint8_t> bytes) {
            buffers.push_back(std::make_unique<GuardedBuffer>(bytes.size(), side));
            const auto copy = buffers.back()->as<std::uint8_t>();
            std::ranges::copy(bytes, copy.begin());
            return copy.data();
          };
          std::vector<Job> jobs;
          std::vector<Bytes> expected;
          for (std::size_t i = 0; i < sizes.size(); ++i) {
            const Bytes in = random_bytes(sizes[i], i), iv = random_bytes(block_bytes, i + 10);
            const Key key = random_key(i + 20);
            expected.push_back(direction.oracle(in, key.bytes, iv));
            std::uint8_t* placed = guarded(in);
            std::uint8_t* out = in_place ? placed : guarded(Bytes(sizes[i]));
            const auto* key_placed = guarded({reinterpret_cast<const std::uint8_t*>(&key), sizeof key});
            jobs.push_back({placed, out, sizes[i], reinterpret_cast<const Key*>(key_placed), guarded(iv)});
          }
          GuardedBuffer list_of_jobs(jobs.size() * sizeof(Job), side);
          std::ranges::copy(jobs, list_of_jobs.as<Job>().begin());
          direction.cipher(list_of_jobs.as<Job>());
          for (std::size_t i = 0; i < sizes.size(); ++i) {
            EXPECT_TRUE(same({jobs[i].out, sizes[i]}, expected[i]))
                << direction.name << ", buffer " << i << " of " << list(sizes) << (in_place ? ", in place" : "");
          }
        }
      }
    }
  }
}

TEST(OracleOfKeys, NothingOutsideAKeyIsRead) {
  const Bytes bytes = random_bytes(key_bytes, 4);
  const Key expected = expand(std::span<const std::uint8_t, key_bytes>(bytes));
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    GuardedBuffer buffer(key_bytes, side);
    const auto guarded = buffer.as<std::uint8_t>();
    std::ranges::copy(bytes, guarded.begin());
    EXPECT_TRUE(expand(std::span<const std::uint8_t, key_bytes>(guarded)) == expected);
  }
}

// With nothing to cipher there need not be a place for it. The jobs behind are ciphered as always.
TEST(Bounds, EmptyJobsMayBeNull) {
  const Key key = random_key(1);
  const Bytes iv = random_bytes(block_bytes, 2), text = random_bytes(3 * block_bytes, 3);
  for (const Direction& direction : directions) {
    const Bytes expected = direction.oracle(text, key.bytes, iv);
    for (std::size_t count = 0; count <= 9; ++count) {
      Bytes out(text.size());
      std::vector<Job> jobs(count, Job{nullptr, nullptr, 0, &key, iv.data()});
      jobs.push_back({text.data(), out.data(), text.size(), &key, iv.data()});
      direction.cipher(jobs);
      EXPECT_TRUE(same(out, expected)) << direction.name << ", behind " << count << " empty jobs";
    }
  }
}

// Jobs of which a few are empty and the last is far longer: ended lanes read nothing. Some of their buffers are
// guarded: there are at most 32 guards.
void check_many_between_guards(const Direction& direction, GuardedBuffer::Against side, std::size_t count) {
  constexpr std::size_t inputs = 20, outputs = 8;
  GuardedBuffer key_buffer(sizeof(Key), side), iv_buffer(block_bytes, side), list(count * sizeof(Job), side);
  const Key& key = key_buffer.as<Key>()[0] = random_key(1);
  const auto iv = iv_buffer.as<std::uint8_t>();
  Generator(2).fill(iv);
  std::deque<GuardedBuffer> guarded;
  std::deque<Bytes> plain, unguarded;
  const std::span jobs = list.as<Job>();
  std::size_t filled = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::size_t size = i == count - 1 ? 240 : i % 9 == 0 ? 0 : block_bytes * (1 + i % 3);
    plain.push_back(random_bytes(size, i));
    if (size == 0) {
      jobs[i] = {nullptr, nullptr, 0, &key, iv.data()};
      continue;
    }
    const auto room = [&](bool guards) -> std::span<std::uint8_t> {
      if (!guards) return unguarded.emplace_back(size);
      return guarded.emplace_back(size, side).as<std::uint8_t>();
    };
    const auto in = room(filled < inputs), out = room(filled < outputs);
    std::ranges::copy(plain.back(), in.begin());
    jobs[i] = {in.data(), out.data(), size, &key, iv.data()};
    ++filled;
  }
  direction.cipher(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_TRUE(same({jobs[i].out, jobs[i].size}, direction.oracle(plain[i], key.bytes, iv)))
        << direction.name << ", job " << i << " of " << count;
  }
}

// In encryption bit planes begin with 32 or with 36 jobs. These may be all jobs, or the four or five fewer that are not
// empty. From 257 jobs on planes of 512 bits hand theirs on to narrower ones.
TEST(Bounds, ManyJobsTouchNothingOutside) {
  for (const Direction& direction : directions) {
    for (const std::size_t count : {31, 32, 33, 35, 36, 37, 40, 41, 42, 70, 257, 300}) {
      check_many_between_guards(direction, GuardedBuffer::Against::back, count);
      check_many_between_guards(direction, GuardedBuffer::Against::front, count);
    }
  }
}

// A record of NIST's files: those of one DES give a key for all three, the others three of them.
struct Answer {
  Bytes key, iv, plain, ciphered;
  bool encrypt;
};

std::vector<Answer> read_answers(const std::string& name) {
  std::vector<Answer> answers;
  bool encrypts = true;
  for (const std::string& line : ladder::read_lines(vectors / name)) {
    const std::string field = line.substr(0, line.find(' ')), value = line.substr(line.rfind(' ') + 1);
    if (line.starts_with("[")) encrypts = line == "[ENCRYPT]";
    if (field == "COUNT") answers.push_back({{}, {}, {}, {}, encrypts});
    if (line.starts_with("[") || field == "COUNT") continue;
    const Bytes bytes = ladder::from_hex(value);
    Answer& answer = answers.back();
    for (int i = 0; i < (field == "KEYs" ? 3 : field.starts_with("KEY") ? 1 : 0); ++i) {
      answer.key.insert(answer.key.end(), bytes.begin(), bytes.end());
    }
    if (field == "IV") answer.iv = bytes;
    if (field == "PLAINTEXT") answer.plain = bytes;
    if (field == "CIPHERTEXT") answer.ciphered = bytes;
  }
  return answers;
}

struct File {
  const char* name;
  std::size_t records;  // half of them to encrypt, half to decrypt
};
void PrintTo(const File& file, std::ostream* out) { *out << file.name; }
constexpr File files[] = {{"TCBCinvperm", 128}, {"TCBCpermop", 64}, {"TCBCsubtab", 38}, {"TCBCvarkey", 112},
                          {"TCBCvartext", 128}, {"TCBCMMT1", 20},   {"TCBCMMT2", 20},   {"TCBCMMT3", 20}};

class KnownAnswers : public testing::TestWithParam<File> {};
INSTANTIATE_TEST_SUITE_P(, KnownAnswers, testing::ValuesIn(files),
                         [](const auto& info) { return std::string(info.param.name); });

// Each alone, and all of a direction as one batch.
TEST_P(KnownAnswers, OfNist) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const std::vector<Answer> answers = read_answers(GetParam().name + std::string(".rsp"));
  ASSERT_EQ(answers.size(), GetParam().records);
  for (const bool encrypts : {true, false}) {
    std::vector<const Answer*> asked;
    for (const Answer& answer : answers) {
      if (answer.encrypt == encrypts) asked.push_back(&answer);
    }
    ASSERT_EQ(asked.size(), GetParam().records / 2);
    std::vector<Key> keys;
    for (const Answer* answer : asked) {
      ASSERT_EQ(answer->key.size(), key_bytes);
      ASSERT_EQ(answer->iv.size(), block_bytes);
      ASSERT_FALSE(answer->plain.empty());
      keys.push_back(expand(std::span<const std::uint8_t, key_bytes>(answer->key)));
    }
    std::vector<Bytes> results(asked.size());
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Bytes& in = encrypts ? asked[i]->plain : asked[i]->ciphered;
      results[i].resize(in.size());
      jobs.push_back({in.data(), results[i].data(), in.size(), &keys[i], asked[i]->iv.data()});
    }
    for (const std::size_t batch : {std::size_t{1}, asked.size()}) {
      for (Bytes& result : results) std::ranges::fill(result, 0);
      for (std::size_t i = 0; i < asked.size(); i += batch) {
        (encrypts ? encrypt : decrypt)(std::span(jobs).subspan(i, batch));
      }
      for (std::size_t i = 0; i < asked.size(); ++i) {
        EXPECT_TRUE(same(results[i], encrypts ? asked[i]->ciphered : asked[i]->plain))
            << (encrypts ? "encrypt" : "decrypt") << ", record " << i << ", " << batch << " at a time";
      }
    }
  }
}

TEST(Oracle, KnowsTheAnswersOfNist) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  for (const File& file : files) {
    for (const Answer& answer : read_answers(file.name + std::string(".rsp"))) {
      EXPECT_EQ(oracle::encrypt(answer.plain, answer.key, answer.iv), answer.ciphered) << file.name;
      EXPECT_EQ(oracle::decrypt(answer.ciphered, answer.key, answer.iv), answer.plain) << file.name;
    }
  }
}

// FIPS 81, appendix B ("Now is the time for all "), and R. Rivest's test of an implementation of DES (1985): sixteen
// times, alternately encrypted and decrypted under itself.
TEST(Oracle, KnowsDes) {
  using enum oracle::Direction;
  constexpr std::uint64_t key = 0x0123456789ABCDEF;
  constexpr std::uint64_t plain[] = {0x4E6F772069732074, 0x68652074696D6520, 0x666F7220616C6C20};
  constexpr std::uint64_t ciphered[] = {0x3FA40E8A984D4815, 0x6A271787AB8883F9, 0x893D51EC4B563B53};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(oracle::des(plain[i], key, encrypt), ciphered[i]);
    EXPECT_EQ(oracle::des(ciphered[i], key, decrypt), plain[i]);
  }
  std::uint64_t x = 0x9474B8E8C73BCA7D;
  for (int i = 0; i < 16; ++i) x = oracle::des(x, x, i % 2 == 0 ? encrypt : decrypt);
  EXPECT_EQ(x, 0x1B1A2DDB4C642438);
}

class InBothDirections : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(, InBothDirections, testing::ValuesIn(directions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(InBothDirections, EveryNumberOfBlocksUpTo40) {
  for (std::size_t blocks = 0; blocks <= 40; ++blocks) {
    for (const bool in_place : {false, true}) {
      const Shape shape{.in_place = in_place};
      ASSERT_TRUE(like_oracle(GetParam(), {blocks * block_bytes}, blocks, shape));
      ASSERT_TRUE(like_oracle(GetParam(), Sizes(5, blocks * block_bytes), blocks, shape));
    }
  }
}

TEST_P(InBothDirections, BatchesOfWildLengths) {
  for (const std::size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Shape shape{.in_place = seed % 2 == 1, .shared_key = seed % 4 >= 2};
      // Every other time so short that many are empty and many end together.
      ASSERT_TRUE(like_oracle(GetParam(), wild_sizes(count, seed, seed % 8 < 4 ? 3 : 40), seed, shape));
    }
  }
}

TEST_P(InBothDirections, NothingToDoInEveryPlace) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 7, 8, 9}) {
    ASSERT_TRUE(like_oracle(GetParam(), Sizes(count, 0), count));
    for (std::size_t place = 0; place < count; ++place) {
      Sizes all_but_one(count, 48), just_one(count, 0);
      all_but_one[place] = 0;
      just_one[place] = 48;
      ASSERT_TRUE(like_oracle(GetParam(), all_but_one, place));
      ASSERT_TRUE(like_oracle(GetParam(), just_one, place));
    }
  }
}

TEST_P(InBothDirections, OneLongerOrShorterInEveryPlace) {
  for (const std::size_t count : {2, 3, 4, 5, 7, 8, 9}) {
    for (std::size_t place = 0; place < count; ++place) {
      for (const std::size_t size : {8, 24, 104, 600}) {
        Sizes sizes(count, 32);
        sizes[place] = size;
        ASSERT_TRUE(like_oracle(GetParam(), sizes, place, {.in_place = place % 2 == 0}));
      }
    }
  }
}

TEST_P(InBothDirections, ManyJobsAndLongOnes) {
  ASSERT_TRUE(like_oracle(GetParam(), wild_sizes(300, 1), 1));
  ASSERT_TRUE(like_oracle(GetParam(), {70'000}, 2, {.in_place = true}));
  ASSERT_TRUE(like_oracle(GetParam(), {8, 66'000, 40, 65'536, 16}, 3));
}

// Around every number of lanes that a stage may have, and around the number of jobs that are sorted together.
TEST_P(InBothDirections, BatchesAroundNumbersOfLanes) {
  for (const std::size_t lanes : {32, 36, 64, 128, 256, 512, 1'024}) {
    for (const std::size_t count : {lanes - 1, lanes, lanes + 1, lanes + 33, lanes + 35, lanes + 70}) {
      const Shape shape{.in_place = count % 2 == 1, .in_offset = lanes % 5, .out_offset = lanes % 5};
      ASSERT_TRUE(like_oracle(GetParam(), Sizes(count, 16), count, shape));
      ASSERT_TRUE(like_oracle(GetParam(), wild_sizes(count, count, 5), count, shape));
      Sizes one_fewer_left(count, 24);
      one_fewer_left[count / 2] = 8;
      ASSERT_TRUE(like_oracle(GetParam(), one_fewer_left, count, shape));
    }
  }
}

// One buffer whose blocks are lanes: the chain goes on from group to group.
TEST_P(InBothDirections, BuffersAroundNumbersOfLanes) {
  for (const std::size_t lanes : {32, 64, 128, 256, 512, 1'024}) {
    for (const std::size_t blocks : {lanes - 1, lanes, lanes + 1, lanes + 31, lanes + 32}) {
      const Shape shape{.in_place = blocks % 2 == 1, .in_offset = blocks % 16, .out_offset = (blocks + 7) % 16};
      ASSERT_TRUE(like_oracle(GetParam(), {blocks * block_bytes}, blocks, shape));
      ASSERT_TRUE(like_oracle(GetParam(), {24, blocks * block_bytes, 8, 40}, blocks, shape));
    }
  }
}

// The jobs of each batch read one input from its beginning, with one key and iv. So each result is the beginning of the
// longest one. Behind each result no byte may change.
void check_beginnings(const Direction& direction, const std::vector<Sizes>& batches) {
  std::size_t most = 0;
  for (const Sizes& sizes : batches) most = std::max(most, *std::ranges::max_element(sizes));
  const Bytes in = random_bytes(most, most), iv = random_bytes(block_bytes, most + 1);
  const Key key = random_key(most + 2);
  const Bytes result = direction.oracle(in, key.bytes, iv);
  for (const Sizes& sizes : batches) {
    std::vector<Bytes> out;
    for (const std::size_t size : sizes) out.emplace_back(size + 64);
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      jobs.push_back({in.data(), out[i].data(), sizes[i], &key, iv.data()});
    direction.cipher(jobs);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Bytes expected(out[i].size());
      std::copy_n(result.begin(), sizes[i], expected.begin());
      ASSERT_TRUE(same(out[i], expected)) << direction.name << ", job " << i << " of " << sizes[i] << " bytes";
    }
  }
}

// From 254 to 293 blocks, where a sort may no longer distinguish lengths; and with more bytes than 16 bits count.
TEST_P(InBothDirections, ManyLongBuffersOfUnequalLengths) {
  for (const std::size_t least : {254 * block_bytes, std::size_t{65'536}}) {
    Sizes sizes;
    for (std::size_t i = 0; i < 40; ++i) sizes.push_back(least + block_bytes * (i * 7 % 40));
    check_beginnings(GetParam(), {sizes});
  }
}

TEST_P(InBothDirections, MoreBlocksThan16BitsCount) {
  const std::size_t size = 65'541 * block_bytes;
  Sizes one_among_many(40, 64), in_each_vector(600, 64);
  one_among_many[7] = size;
  for (const std::size_t place : {70, 140, 300, 599}) in_each_vector[place] = size;
  check_beginnings(GetParam(), {Sizes{size}, {8, size, 40, size - 8}, one_among_many, in_each_vector, Sizes(40, size)});
}

TEST_P(InBothDirections, MoreJobsThan16BitsCount) {
  Sizes sizes;
  for (std::size_t i = 0; i < 65'536 + 70; ++i) sizes.push_back(block_bytes * (i % 4));
  check_beginnings(GetParam(), {sizes});
}

// A few buffers that are much longer than the others, or one: the others leave their lanes early.
TEST_P(InBothDirections, FewLongAmongManyShort) {
  for (const std::size_t longer : {1, 31, 32, 33, 34, 35, 36, 37}) {
    Sizes sizes(300, 8);
    for (std::size_t i = 0; i < longer; ++i) sizes[i * 8] = 8 * (30 + i % 3);
    ASSERT_TRUE(like_oracle(GetParam(), sizes, longer));
    ASSERT_TRUE(like_oracle(GetParam(), sizes, longer, {.in_place = true, .shared_key = true}));
  }
}

TEST_P(InBothDirections, EveryPlaceForInAndOut) {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    for (const std::size_t count : {1, 2, 5}) {
      const Sizes sizes = wild_sizes(count, offset, 12);
      ASSERT_TRUE(like_oracle(GetParam(), sizes, offset, {.in_offset = offset, .out_offset = 0}));
      ASSERT_TRUE(like_oracle(GetParam(), sizes, offset, {.in_offset = 0, .out_offset = offset}));
      ASSERT_TRUE(like_oracle(GetParam(), sizes, offset, {.in_place = true, .in_offset = offset}));
    }
  }
}

// Not those of parity, which are the lowest of each byte of the key.
TEST_P(InBothDirections, EveryBitOfKeyAndIvCounts) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const Bytes in = random_bytes(40, 1);
  for (std::size_t bit = 0; bit < 8 * (key_bytes + block_bytes); ++bit) {
    std::array<std::uint8_t, key_bytes + block_bytes> both{};
    both[bit / 8] = static_cast<std::uint8_t>(1 << bit % 8);
    const Key key = expand(std::span(both).first<key_bytes>()), zero = expand(std::array<std::uint8_t, key_bytes>{});
    const Bytes iv(both.end() - block_bytes, both.end());
    Bytes out(in.size()), unchanged(in.size());
    GetParam().cipher(std::vector<Job>{{in.data(), out.data(), in.size(), &key, iv.data()}});
    ASSERT_TRUE(same(out, GetParam().oracle(in, key.bytes, iv))) << "bit " << bit << " of key and iv";
    const Bytes no_iv(block_bytes);
    GetParam().cipher(std::vector<Job>{{in.data(), unchanged.data(), in.size(), &zero, no_iv.data()}});
    ASSERT_EQ(out == unchanged, bit < 8 * key_bytes && bit % 8 == 0) << "bit " << bit << " of key and iv";
  }
}

TEST_P(InBothDirections, JobsMayShareWhatTheyRead) {
  const Bytes in = random_bytes(120, 1), iv = random_bytes(block_bytes, 2);
  std::vector<Bytes> out;
  std::vector<Key> keys;
  for (std::size_t i = 0; i < 9; ++i) {
    out.emplace_back(in.size() - i * block_bytes);
    keys.push_back(random_key(i));
  }
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < 9; ++i) jobs.push_back({in.data(), out[i].data(), out[i].size(), &keys[i], iv.data()});
  GetParam().cipher(jobs);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_TRUE(same(out[i], GetParam().oracle(std::span(in).first(out[i].size()), keys[i].bytes, iv))) << "job " << i;
  }
}

// Other bytes, another key, another iv at the same places, and the first ones again. The long one fills lanes alone.
TEST_P(InBothDirections, KeepsNothingFromOneCallToTheNext) {
  for (const auto& [count, size] :
       {std::pair<std::size_t, std::size_t>{1, 64}, {2, 64}, {5, 64}, {70, 64}, {300, 16}, {1, 4'808}}) {
    std::vector<Bytes> in(count), out(count, Bytes(size)), ivs(count);
    std::vector<Key> keys(count);
    for (const auto& [in_seed, key_seed, iv_seed] :
         {std::array<std::uint64_t, 3>{1, 1, 1}, {2, 1, 1}, {2, 3, 1}, {2, 3, 4}, {1, 1, 4}, {1, 1, 1}}) {
      std::vector<Job> jobs;
      for (std::size_t i = 0; i < count; ++i) {
        in[i] = random_bytes(size, in_seed + 10 * i);
        keys[i] = random_key(key_seed + 10 * i);
        ivs[i] = random_bytes(block_bytes, iv_seed + 10 * i);
        jobs.push_back({in[i].data(), out[i].data(), size, &keys[i], ivs[i].data()});
      }
      GetParam().cipher(jobs);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_TRUE(same(out[i], GetParam().oracle(in[i], keys[i].bytes, ivs[i]))) << "job " << i << " of " << count;
      }
    }
  }
}

// Two threads in each direction, all with keys of their own.
TEST(Calls, MayBeMadeByThreadsAtOnce) {
  struct Jobs {
    std::size_t count, least_bytes, calls;
  };
  // The last one fills every lane with its blocks.
  constexpr Jobs jobs_of_calls[] = {{1, 8, 5'000}, {2, 8, 2'500}, {5, 8, 1'000}, {70, 8, 70}, {1, 4'800, 500}};
  for (const Jobs& jobs : jobs_of_calls) {
    const std::size_t count = jobs.count, bytes = jobs.least_bytes;
    SCOPED_TRACE(std::to_string(count) + " jobs a call, from " + std::to_string(bytes) + " bytes on");
    ladder::expect_right_in_threads(jobs.calls, [&](std::size_t thread) {
      const Direction& direction = directions[thread % 2];
      const Key key = random_key(thread);
      const Bytes iv = random_bytes(block_bytes, thread);
      std::vector<Bytes> in, out, expected;
      for (std::size_t i = 0; i < count; ++i) {
        in.push_back(random_bytes(bytes + 24 * (i % 5), thread + 10 * i));
        expected.push_back(direction.oracle(in[i], key.bytes, iv));
        out.emplace_back(in[i].size());
      }
      return [=]() mutable {
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < count; ++i) {
          jobs.push_back({in[i].data(), out[i].data(), in[i].size(), &key, iv.data()});
        }
        direction.cipher(jobs);
        auto right = testing::AssertionSuccess();
        for (std::size_t i = 0; i < count && right; ++i) right = same(out[i], expected[i]);
        return right;
      };
    });
  }
}

}  // namespace
}  // namespace des3_cbc

// Tests of a stage: known answers, comparison with the oracle at every size that may matter, and the promises of the
// contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/lacks.hpp"
#include "common/records.hpp"
#include "oracle.hpp"
#include "salsa20/peers/with_cipher.hpp"
#include "salsa20/salsa20.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

namespace salsa20 {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ladder::Generator;
using ladder::GuardedBuffer;
using ladder::random_bytes;

const std::filesystem::path vectors = LADDER_VECTORS;

// The start of a key stream.
struct Start {
  Bytes key;
  Nonce nonce;
  std::uint64_t counter;
};

std::ostream& operator<<(std::ostream& out, const Start& start) {
  return out << "key of " << start.key.size() << " bytes, first block " << start.counter;
}

void crypt_from(const Start& start, std::uint8_t* out, std::span<const std::uint8_t> in) {
  crypt(out, in, start.key, start.nonce, start.counter);
}

// Some libraries lack short keys, or cannot begin at any block: these tests are skipped for them.
Start random_start(std::uint64_t seed, std::uint64_t counter = 0) {
  const bool is_short = seed % 3 == 0 && !ladder::lacks("short-key");
  Start start{random_bytes(is_short ? 16 : 32, seed), {}, ladder::lacks("counter") ? 0 : counter};
  Generator(seed + 1).fill(start.nonce);
  return start;
}

Bytes by_oracle(Bytes bytes, const Start& start) {
  for (std::size_t first = 0; first < bytes.size(); first += block_bytes) {
    const auto block = oracle::key_stream(start.key, start.nonce, start.counter + first / block_bytes, rounds);
    for (std::size_t i = first; i < std::min(first + block_bytes, bytes.size()); ++i) bytes[i] ^= block[i - first];
  }
  return bytes;
}

// Names the first byte that differs: all bytes would fill the screen.
testing::AssertionResult same(std::span<const std::uint8_t> actual, std::span<const std::uint8_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << "byte " << i << " of " << expected.size() << " (block " << i / block_bytes
                                       << ", word " << i % block_bytes / 4 << ") is " << int{actual[i]}
                                       << ", but should be " << int{expected[i]};
  }
  return testing::AssertionSuccess();
}

// From one place in a buffer to another (or the same), between bytes that must not change.
testing::AssertionResult like_oracle(std::size_t size, std::size_t in_offset, std::size_t out_offset,
                                     const Start& start) {
  constexpr std::size_t margin = 64;
  const Bytes before = random_bytes(margin + in_offset + size + margin, size + in_offset);
  const auto in = std::span(before).subspan(margin + in_offset, size);
  Bytes after = random_bytes(margin + out_offset + size + margin, size + out_offset + 1);
  Bytes expected = after;
  const Bytes result = by_oracle({in.begin(), in.end()}, start);
  std::copy(result.begin(), result.end(), expected.begin() + static_cast<std::ptrdiff_t>(margin + out_offset));
  crypt_from(start, after.data() + margin + out_offset, in);
  auto apart = same(after, expected);
  if (!apart) {
    return apart << "; " << size << " bytes, " << start << ", from " << in_offset << " to " << out_offset
                 << " (the first " << margin + out_offset << " and the last " << margin << " must not change)";
  }
  Bytes both = before;
  crypt_from(start, both.data() + margin + in_offset, std::span(both).subspan(margin + in_offset, size));
  expected = before;
  std::copy(result.begin(), result.end(), expected.begin() + static_cast<std::ptrdiff_t>(margin + in_offset));
  auto in_place = same(both, expected);
  if (!in_place) return in_place << "; " << size << " bytes, " << start << ", in place at " << in_offset;
  return testing::AssertionSuccess();
}

// One less and more than every number of blocks that a vector or two may take.
constexpr std::size_t edges[] = {0,   1,   3,   4,     5,     15,    16,    17,    31,    32,    33,    63,   64,
                                 65,  127, 128, 129,   191,   192,   193,   255,   256,   257,   511,   512,  513,
                                 767, 768, 769, 1'023, 1'024, 1'025, 2'047, 2'048, 2'049, 2'303, 3'071, 3'073};

// The first test: a stage that accesses memory outside its buffers must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideIsTouched) {
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    const auto try_size = [&](std::size_t size) {
      const Bytes before = random_bytes(size, size);
      const Start start = random_start(size, size);
      GuardedBuffer in_buffer(size, side), out_buffer(size, side), key_buffer(start.key.size(), side);
      const auto in = in_buffer.as<std::uint8_t>(), out = out_buffer.as<std::uint8_t>();
      const auto key = key_buffer.as<std::uint8_t>();
      std::copy(before.begin(), before.end(), in.begin());
      std::copy(start.key.begin(), start.key.end(), key.begin());
      const Bytes expected = by_oracle(before, start);
      crypt(out.data(), in, key, start.nonce, start.counter);
      EXPECT_TRUE(same(out, expected)) << size << " bytes, " << start;
      crypt(in.data(), in, key, start.nonce, start.counter);
      EXPECT_TRUE(same(in, expected)) << size << " bytes in place, " << start;
    };
    for (std::size_t size = 0; size <= 300; ++size) try_size(size);
    for (const std::size_t size : edges) try_size(size);
  }
}

// A record of ECRYPT's file: `stream[0..63]` and the like in hexadecimal, over several lines.
struct Ecrypt {
  Bytes key, nonce, digest;  // the digest is the xor of all blocks
  std::vector<std::pair<std::size_t, Bytes>> parts;

  std::size_t size() const { return parts.back().first + parts.back().second.size(); }
};

std::vector<Ecrypt> read_ecrypt() {
  std::istringstream file(ladder::read_text(vectors / "salsa20-full-verified.test-vectors"));
  std::vector<Ecrypt> records;
  Bytes* field = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Set ")) records.emplace_back();
    const std::size_t sign = line.find(" = ");
    std::string text = line.substr(sign == std::string::npos ? 0 : sign + 3);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\r'; });
    if (records.empty() || text.empty()) field = nullptr;
    if (sign != std::string::npos && !records.empty()) {
      Ecrypt& record = records.back();
      std::istringstream name(line.substr(0, sign));
      std::string word;
      name >> word;
      if (word == "key") field = &record.key;
      if (word == "IV") field = &record.nonce;
      if (word == "xor-digest") field = &record.digest;
      if (word.starts_with("stream[")) field = &record.parts.emplace_back(std::stoul(word.substr(7)), Bytes()).second;
    }
    if (field == nullptr || line.starts_with("Set ")) continue;
    const Bytes bytes = ladder::from_hex(text);
    field->insert(field->end(), bytes.begin(), bytes.end());
  }
  return records;
}

TEST(KnownAnswers, OfEcrypt) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  if (rounds != 20) GTEST_SKIP() << "these answers have 20 rounds";
  const std::vector<Ecrypt> records = read_ecrypt();
  ASSERT_EQ(records.size(), 192u);
  std::size_t parts = 0, checked = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Ecrypt& record = records[i];
    parts += record.parts.size();
    if (record.key.size() == 16 && ladder::lacks("short-key")) continue;
    ++checked;
    ASSERT_TRUE(record.size() == 512 || record.size() == 131'072);
    Start start{record.key, {}, 0};
    ASSERT_EQ(record.nonce.size(), start.nonce.size());
    std::copy(record.nonce.begin(), record.nonce.end(), start.nonce.begin());
    Bytes stream(record.size());
    crypt_from(start, stream.data(), stream);
    for (const auto& [first, part] : record.parts) {
      EXPECT_TRUE(same(std::span(stream).subspan(first, part.size()), part))
          << "record " << i << ", from byte " << first;
    }
    Bytes digest(block_bytes);
    for (std::size_t k = 0; k < stream.size(); ++k) digest[k % block_bytes] ^= stream[k];
    EXPECT_TRUE(same(digest, record.digest)) << "record " << i << ", xor of all blocks";
  }
  EXPECT_EQ(parts, 768u);
  EXPECT_EQ(checked, ladder::lacks("short-key") ? 103u : 192u);
}

TEST(KnownAnswers, OfFewerRounds) {
  if (rounds == 20) GTEST_SKIP() << "these answers are of fewer rounds";
  std::size_t checked = 0;
  for (const ladder::Record& record : ladder::read_records(vectors / "reduced_rounds.txt")) {
    if (std::stoul(record.at("rounds")) != rounds) continue;
    ++checked;
    const Bytes expected = ladder::from_hex(record.at("keystream"));
    Bytes stream(std::stoul(record.at("seek")) + expected.size());
    Start start{ladder::from_hex(record.at("key")), {}, 0};
    const Bytes nonce = ladder::from_hex(record.at("iv"));
    std::copy(nonce.begin(), nonce.end(), start.nonce.begin());
    crypt_from(start, stream.data(), stream);
    EXPECT_TRUE(same(std::span(stream).last(expected.size()), expected));
  }
  EXPECT_EQ(checked, 2u);
}

std::vector<std::uint32_t> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::uint32_t> found;
  for (std::string word; in >> word;) found.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
  return found;
}

std::string text_of(const oracle::Matrix& matrix) {
  std::ostringstream out;
  for (const oracle::Four& row : matrix) {
    for (const std::uint32_t word : row) out << std::hex << word << ' ';
  }
  return out.str();
}

oracle::Matrix matrix_of(const std::vector<std::uint32_t>& found) {
  oracle::Matrix matrix;
  for (unsigned i = 0; i < words; ++i) matrix[i / 4][i % 4] = found.at(i);
  return matrix;
}

oracle::Block block_of(const Bytes& bytes) {
  oracle::Block block{};
  EXPECT_EQ(bytes.size(), block.size());
  std::copy(bytes.begin(), bytes.end(), block.begin());
  return block;
}

// The examples of the specification: its functions by the oracle, and the expansion by the stage too, as a block of the
// key stream.
TEST(KnownAnswers, OfTheSpecification) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const auto records = ladder::read_records(vectors / "spec_examples.txt");
  ASSERT_EQ(records.size(), 19u);
  for (const ladder::Record& record : records) {
    const std::string kind = record.at("kind");
    SCOPED_TRACE(kind);
    if (kind == "quarterround") {
      const auto in = words_of(record.at("in")), out = words_of(record.at("out"));
      const oracle::Four z = oracle::quarterround({in.at(0), in.at(1), in.at(2), in.at(3)});
      EXPECT_TRUE(std::equal(z.begin(), z.end(), out.begin(), out.end()));
    } else if (kind.ends_with("round")) {
      const auto function = kind == "rowround"      ? oracle::rowround
                            : kind == "columnround" ? oracle::columnround
                                                    : oracle::doubleround;
      EXPECT_EQ(text_of(function(matrix_of(words_of(record.at("in"))))),
                text_of(matrix_of(words_of(record.at("out")))));
    } else if (kind == "hash") {
      const oracle::Block block = oracle::hash(block_of(ladder::from_hex(record.at("in"))), 20);
      EXPECT_TRUE(same(block, ladder::from_hex(record.at("out"))));
    } else if (kind != "hash_million") {
      const Bytes key = ladder::from_hex(record.at("key")), in = ladder::from_hex(record.at("in"));
      const Bytes out = ladder::from_hex(record.at("out"));
      EXPECT_TRUE(same(oracle::expansion(key, in, 20), out));
      Start start{key, {}, 0};
      std::copy_n(in.begin(), 8, start.nonce.begin());
      for (unsigned i = 0; i < 8; ++i) start.counter += std::uint64_t{in[8 + i]} << 8 * i;
      if (rounds != 20 || ladder::lacks("far-counter") || ladder::lacks("counter")) continue;
      if (key.size() == 16 && ladder::lacks("short-key")) continue;
      Bytes block(block_bytes);
      crypt_from(start, block.data(), block);
      EXPECT_TRUE(same(block, out));
    }
  }
}

// Tests no stage and takes long: run with the reference alone.
TEST(Oracle, OfTheSpecificationAMillionTimes) {
  std::size_t found = 0;
  for (const ladder::Record& record : ladder::read_records(vectors / "spec_examples.txt")) {
    if (record.at("kind") != "hash_million") continue;
    ++found;
    oracle::Block block = block_of(ladder::from_hex(record.at("in")));
    for (int i = 0; i < 1'000'000; ++i) block = oracle::hash(block, 20);
    EXPECT_TRUE(same(block, ladder::from_hex(record.at("out"))));
  }
  EXPECT_EQ(found, 1u);
}

TEST(Sizes, EveryOneUpTo1200) {
  for (std::size_t size = 0; size <= 1'200; ++size) ASSERT_TRUE(like_oracle(size, 0, 0, random_start(size, size)));
}

TEST(Sizes, OneLessAndMoreThanEveryPowerOfTwo) {
  for (std::size_t power = 2'048; power <= 65'536; power *= 2) {
    for (const std::size_t size : {power - 1, power, power + 1, power + power / 2 + 63}) {
      ASSERT_TRUE(like_oracle(size, 0, 0, random_start(size)));
    }
  }
}

// Only a rest reads how many blocks went before: each kernel for a rest comes behind them. A block beside a set is
// ciphered together with the last sets. The 48 further blocks keep at least 65,536 in front of those.
TEST(Sizes, MoreBlocksThan16BitsCount) {
  constexpr std::size_t blocks = 65'536 + 48, longest_rest = 16;
  const Start start = random_start(5, 3);
  const Bytes before = random_bytes((blocks + longest_rest) * block_bytes, 5), expected = by_oracle(before, start);
  Bytes after(before.size());
  for (const std::size_t rest : {1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16}) {
    const std::size_t size = (blocks + rest) * block_bytes - 3;
    const auto out = std::span(after).first(size);
    std::ranges::fill(out, 0);
    crypt_from(start, out.data(), std::span(before).first(size));
    ASSERT_TRUE(same(out, std::span(expected).first(size))) << "a rest of " << rest << " blocks";
    std::ranges::copy(std::span(before).first(size), out.begin());
    crypt_from(start, out.data(), out);
    ASSERT_TRUE(same(out, std::span(expected).first(size))) << "a rest of " << rest << " blocks, in place";
  }
}

// A span of bytes may begin anywhere. The nonce, whose type has no alignment either, is between guard pages.
TEST(Places, KeyAndNonceAtAnyAddress) {
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    for (std::size_t offset = 0; offset < 16; ++offset) {
      for (const std::size_t size : {64, 200, 550, 577, 900, 2'500}) {
        const Start start = random_start(offset, 1);
        Bytes room(offset + start.key.size());
        std::ranges::copy(start.key, room.begin() + static_cast<std::ptrdiff_t>(offset));
        GuardedBuffer buffer(sizeof(Nonce), side);
        Nonce& nonce = buffer.as<Nonce>()[0];
        nonce = start.nonce;
        Bytes out(size);
        crypt(out.data(), Bytes(size), std::span(room).subspan(offset), nonce, start.counter);
        ASSERT_TRUE(same(out, by_oracle(Bytes(size), start))) << size << " bytes, key at " << offset;
      }
    }
  }
}

TEST(Places, EveryByteOfALineForInAndOut) {
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t size : {1, 63, 65, 129, 257, 577, 1'025, 2'100}) {
      ASSERT_TRUE(like_oracle(size, offset, 0, random_start(offset)));
      ASSERT_TRUE(like_oracle(size, 0, offset, random_start(offset)));
      ASSERT_TRUE(like_oracle(size, offset, (7 * offset + 5) % 64, random_start(offset)));
    }
  }
}

// A kernel for large messages may load and store otherwise than one for small ones.
TEST(Places, EveryByteOf16ForLargeMessages) {
  for (std::size_t offset = 0; offset < 16; ++offset) {
    for (const std::size_t size : {4'097, 8'191, 65'537}) {
      ASSERT_TRUE(like_oracle(size, offset, 0, random_start(offset)));
      ASSERT_TRUE(like_oracle(size, 0, offset, random_start(offset)));
    }
  }
}

// Messages whose block `counter` is their first, second, ... or last, or follows them: in every lane of wide and narrow
// vectors, and in what is left after whole sets.
testing::AssertionResult like_oracle_around(std::uint64_t counter) {
  for (std::size_t blocks = 1; blocks <= 72; ++blocks) {
    for (std::uint64_t before = 0; before <= blocks; ++before) {
      const auto result = like_oracle(blocks * block_bytes - blocks % 2, 0, 0, random_start(before, counter - before));
      if (!result) return result;
    }
  }
  return testing::AssertionSuccess();
}

TEST(Counters, CarryIntoTheHighWordInEveryLane) {
  if (ladder::lacks("counter")) GTEST_SKIP() << "it always begins with block 0";
  ASSERT_TRUE(like_oracle_around(std::uint64_t{1} << 32));
  for (const std::uint64_t high : {2, 3, 1'000'000}) {
    ASSERT_TRUE(like_oracle(40 * block_bytes, 0, 0, random_start(high, (high << 32) - 11)));
  }
}

TEST(Counters, BeginWithBlock0AfterTheLast) {
  if (ladder::lacks("counter") || ladder::lacks("far-counter")) GTEST_SKIP() << "it cannot begin that far";
  ASSERT_TRUE(like_oracle_around(0));
  for (const std::uint64_t counter : {std::uint64_t{1} << 63, std::uint64_t{0x0123456789abcdef}}) {
    ASSERT_TRUE(like_oracle(40 * block_bytes, 0, 0, random_start(counter, counter)));
  }
}

TEST(Counters, CutAStreamAnywhere) {
  if (ladder::lacks("counter")) GTEST_SKIP() << "it always begins with block 0";
  const Start start = random_start(5, 77);
  const Bytes before = random_bytes(64 * block_bytes, 6), expected = by_oracle(before, start);
  for (std::size_t cut = 0; cut <= 64; ++cut) {
    Bytes bytes = before;
    const auto first = std::span(bytes).first(cut * block_bytes), second = std::span(bytes).subspan(first.size());
    crypt(first.data(), first, start.key, start.nonce, start.counter);
    crypt(second.data(), second, start.key, start.nonce, start.counter + cut);
    ASSERT_TRUE(same(bytes, expected)) << "cut before block " << cut;
  }
}

// One or more for each kernel for small messages.
constexpr std::size_t kernel_sizes[] = {10, 64, 100, 200, 300, 500, 550, 577, 700, 900};

TEST(Keys, EveryBitOfKeyAndNonceCounts) {
  for (const std::size_t size : {16, 32}) {
    if (size == 16 && ladder::lacks("short-key")) continue;
    for (std::size_t bit = 0; bit < 8 * (size + 8); ++bit) {
      Start start{Bytes(size), {}, 0};
      (bit < 8 * size ? start.key[bit / 8] : start.nonce[bit / 8 - size]) = static_cast<std::uint8_t>(1 << bit % 8);
      const Bytes expected = by_oracle(Bytes(std::ranges::max(kernel_sizes)), start);
      for (const std::size_t bytes : kernel_sizes) {
        Bytes stream(bytes);
        crypt_from(start, stream.data(), stream);
        ASSERT_TRUE(same(stream, std::span(expected).first(bytes))) << "bit " << bit << " of key and nonce, " << start;
      }
    }
  }
}

// Each differs from `start` in one byte of the key, the nonce or the counter, or in the length of the key alone.
std::vector<Start> other_starts(const Start& start) {
  std::vector<Start> others;
  const std::size_t size = start.key.size();
  for (const std::size_t place : {std::size_t{0}, size / 2 - 1, size / 2, size - 1}) {
    others.push_back(start);
    others.back().key[place] ^= 1;
  }
  for (const std::size_t place : {0, 3, 4, 7}) {
    others.push_back(start);
    others.back().nonce[place] ^= 1;
  }
  for (const unsigned bit : {0, 24, 32, 56}) {
    if (ladder::lacks("counter")) break;
    others.push_back(start);
    others.back().counter ^= std::uint64_t{1} << bit;
  }
  if (!ladder::lacks("short-key")) {
    others.push_back(start);
    Bytes& key = others.back().key;
    key.resize(16);
    if (size == 16) key.insert(key.end(), start.key.begin(), start.key.end());
  }
  return others;
}

// The first start comes again after each other one. All have one address, so a cache by addresses fails, too.
TEST(Calls, KeepNothingFromOneToTheNext) {
  std::vector<std::size_t> sizes{1, 2'048, 5'000};
  sizes.insert(sizes.end(), std::begin(kernel_sizes), std::end(kernel_sizes));
  for (const std::uint64_t seed : {9, 10}) {  // a short key, where the stage has such, and a long one
    const Start first = random_start(seed, 1);
    Start now = first;
    now.key.reserve(32);
    for (const std::size_t size : sizes) {
      const Bytes before = random_bytes(size, 8);
      for (const Start& other : other_starts(first)) {
        for (const Start& start : {first, other}) {
          now = start;
          Bytes after(size);
          crypt_from(now, after.data(), before);
          ASSERT_TRUE(same(after, by_oracle(before, now))) << size << " bytes, " << now;
        }
      }
    }
  }
}

TEST(Calls, UndoThemselves) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher nothing is to be undone";
  for (const std::size_t size : {1, 64, 65, 1'000, 100'000}) {
    const Bytes before = random_bytes(size, size);
    const Start start = random_start(size, 3);
    Bytes bytes = before;
    crypt_from(start, bytes.data(), bytes);
    EXPECT_FALSE(same(bytes, before));
    crypt_from(start, bytes.data(), bytes);
    EXPECT_TRUE(same(bytes, before)) << size << " bytes";
  }
}

TEST(Calls, MayBeMadeByThreadsAtOnce) {
  for (const std::size_t size : {50, 64, 200, 550, 577, 900, 2'500}) {
    SCOPED_TRACE(std::to_string(size) + " bytes");
    // What threads share for a tail is in use for a small part of a call: more calls meet it on a busy machine, too.
    const std::size_t bytes = size < 64 ? 20'000'000 : 4'000'000;
    ladder::expect_right_in_threads(bytes / size, [&](std::size_t thread) {
      const Start start = random_start(thread, thread);
      const Bytes before = random_bytes(size, thread);
      return [=, expected = by_oracle(before, start), actual = Bytes(size)]() mutable {
        crypt_from(start, actual.data(), before);
        return same(actual, expected);
      };
    });
  }
}

}  // namespace
}  // namespace salsa20

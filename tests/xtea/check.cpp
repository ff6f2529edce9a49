// Tests of a stage: known answers, comparison with the oracle at every size that may matter, and the promises of the
// contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <sstream>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/lacks.hpp"
#include "common/records.hpp"
#include "oracle.hpp"
#include "tests/threads.hpp"
#include "xtea/peers/with_cipher.hpp"
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

using Blocks = std::vector<std::uint64_t>;
using ladder::Generator;
using ladder::GuardedBuffer;

const std::filesystem::path vectors = LADDER_VECTORS;

struct Direction {
  const char* name;
  void (*cipher)(std::span<std::uint64_t>, const Key&);
  std::uint64_t (*oracle)(std::uint64_t, const Key&, unsigned);
};
void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }
constexpr Direction directions[] = {{"encrypt", encrypt, oracle::encrypt_block},
                                    {"decrypt", decrypt, oracle::decrypt_block}};

std::vector<std::uint64_t> random_blocks(std::size_t count, std::uint64_t seed) {
  Blocks blocks(count);
  Generator(seed).fill(blocks);
  return blocks;
}

Key random_key(std::uint64_t seed) {
  Key key;
  Generator(seed).fill(key);
  return key;
}

Blocks by_oracle(const Direction& direction, Blocks blocks, const Key& key) {
  for (std::uint64_t& block : blocks) block = direction.oracle(block, key, 2 * cycles);
  return blocks;
}

std::string hex(std::uint64_t word) {
  std::ostringstream out;
  out << "0x" << std::hex << word;
  return out.str();
}

// Names the first block that differs, and its first byte: all blocks would fill the screen.
testing::AssertionResult same(std::span<const std::uint64_t> actual, std::span<const std::uint64_t> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << "block " << i << " of " << expected.size() << " is " << hex(actual[i])
                                       << ", but should be " << hex(expected[i]) << ", from byte "
                                       << std::countr_zero(actual[i] ^ expected[i]) / 8 << " on";
  }
  return testing::AssertionSuccess();
}

// In place, between other blocks that must not change.
void expect_like_oracle(const Direction& direction, std::size_t count, std::size_t offset, std::uint64_t seed) {
  constexpr std::size_t margin = 16;
  const Blocks before = random_blocks(margin + offset + count + margin, seed);
  const Key key = random_key(seed + 1);
  Blocks after = before;
  // A vector of words is aligned to 16 bytes, so the offsets reach every place of a 64-byte line.
  direction.cipher(std::span(after).subspan(margin + offset, count), key);

  Blocks expected = before;
  for (std::size_t i = 0; i < count; ++i) {
    expected[margin + offset + i] = direction.oracle(expected[margin + offset + i], key, 2 * cycles);
  }
  ASSERT_TRUE(same(after, expected)) << direction.name << ", " << count << " blocks at word " << offset
                                     << " (the first " << margin + offset << " and the last " << margin
                                     << " must not change)";
}

// "00112233 44556677" in the little-endian file, "0011223344556677" in the big-endian one: words as written.
Key key_of(std::string text) {
  std::erase(text, ' ');
  const std::vector<std::uint8_t> bytes = ladder::from_hex(text);
  Key key{};
  for (std::size_t i = 0; i < bytes.size(); ++i) key.at(i / 4) = key.at(i / 4) << 8 | bytes[i];
  return key;
}

// The left half is in the first four bytes, the right half in the last four, each with its lowest byte first or last.
Blocks blocks_of(const std::string& text, bool big_endian) {
  const std::vector<std::uint8_t> bytes = ladder::from_hex(text);
  Blocks blocks(bytes.size() / 8);
  for (std::size_t i = 0; i < blocks.size() * 8; ++i) {
    const std::size_t place = big_endian ? (i & 4) + 3 - (i & 3) : i & 7;
    blocks[i / 8] |= std::uint64_t{bytes[i]} << 8 * place;
  }
  return blocks;
}

// The first test: a stage that writes outside its buffer must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideTheBlocksIsTouched) {
  for (const Direction& direction : directions) {
    for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
      for (std::size_t count = 0; count <= 150; ++count) {
        const Blocks before = random_blocks(count, count);
        const Key key = random_key(count);
        GuardedBuffer buffer(8 * count, side);
        const auto blocks = buffer.as<std::uint64_t>();
        std::copy(before.begin(), before.end(), blocks.begin());
        direction.cipher(blocks, key);
        EXPECT_TRUE(same(blocks, by_oracle(direction, before, key))) << direction.name << ", " << count << " blocks";
      }
    }
  }
}

// The key, too: no memory next to it is read.
TEST(Bounds, NothingOutsideTheKeyIsTouched) {
  for (const Direction& direction : directions) {
    for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
      for (const std::size_t count : {0, 1, 2, 3, 7, 9, 50, 300}) {
        GuardedBuffer keys(sizeof(Key), side);
        Key& key = keys.as<Key>()[0] = random_key(count);
        Blocks blocks = random_blocks(count, count);
        direction.cipher(blocks, key);
        EXPECT_TRUE(same(blocks, by_oracle(direction, random_blocks(count, count), key))) << direction.name;
        EXPECT_EQ(key, random_key(count));
      }
    }
  }
}

TEST(KnownAnswers, LittleEndian) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const auto records = ladder::read_records(vectors / "xtea_le.txt");
  ASSERT_EQ(records.size(), 84u);
  for (const ladder::Record& record : records) {
    const Key key = key_of(record.at("key"));
    const Blocks plain = blocks_of(record.at("plaintext"), false);
    const Blocks ciphered = blocks_of(record.at("ciphertext"), false);
    Blocks blocks = plain;
    encrypt(blocks, key);
    EXPECT_TRUE(same(blocks, ciphered)) << "encrypt, from " << record.at("source");
    decrypt(blocks, key);
    EXPECT_TRUE(same(blocks, plain)) << "decrypt, from " << record.at("source");
  }
}

TEST(KnownAnswers, BigEndian) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const auto records = ladder::read_records(vectors / "xtea_be.txt");
  ASSERT_EQ(records.size(), 146u);
  std::size_t full = 0;
  for (const ladder::Record& record : records) {
    if (std::stoul(record.at("cycles")) != cycles) continue;
    ++full;
    const Key key = key_of(record.at("key"));
    Blocks blocks = blocks_of(record.at("plaintext"), true);
    encrypt(blocks, key);
    EXPECT_TRUE(same(blocks, blocks_of(record.at("ciphertext"), true))) << "from " << record.at("source");
    decrypt(blocks, key);
    EXPECT_TRUE(same(blocks, blocks_of(record.at("plaintext"), true))) << "from " << record.at("source");
  }
  EXPECT_EQ(full, 83u);
}

TEST(Oracle, KnowsTheAnswersOfEveryNumberOfCycles) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  for (const ladder::Record& record : ladder::read_records(vectors / "xtea_be.txt")) {
    const Key key = key_of(record.at("key"));
    const auto rounds = static_cast<unsigned>(2 * std::stoul(record.at("cycles")));
    const Blocks plain = blocks_of(record.at("plaintext"), true);
    const Blocks ciphered = blocks_of(record.at("ciphertext"), true);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(oracle::encrypt_block(plain[i], key, rounds), ciphered[i]) << "from " << record.at("source");
      EXPECT_EQ(oracle::decrypt_block(ciphered[i], key, rounds), plain[i]) << "from " << record.at("source");
    }
  }
}

TEST(Oracle, KnowsThePublishedRoundWords) {
  const std::vector<std::string> words = ladder::read_lines(vectors / "tfs_round_keys.txt");
  ASSERT_EQ(words.size(), 2 * cycles);
  const Key key{0xdeadbeef, 0xdeadbeef, 0xdeadbeef, 0xdeadbeef};
  for (unsigned round = 0; round < words.size(); ++round) {
    EXPECT_EQ(oracle::round_word(round, key), std::stoul(words[round], nullptr, 16)) << "round " << round;
  }
}

class InBothDirections : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(, InBothDirections, testing::ValuesIn(directions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(InBothDirections, EveryCountUpTo300) {
  for (std::size_t count = 0; count <= 300; ++count) expect_like_oracle(GetParam(), count, 0, 1000 + count);
}

TEST_P(InBothDirections, LargeCounts) {
  for (const std::size_t count : {1'023, 1'025, 3'199, 3'200, 3'201, 8'191, 65'537, 196'609, 262'145}) {
    expect_like_oracle(GetParam(), count, count % 8, count);
  }
}

// A key may begin at any word.
TEST_P(InBothDirections, KeyAtAnyPlace) {
  for (std::size_t offset = 0; offset < 4; ++offset) {
    for (const std::size_t count : {1, 2, 3, 5, 7, 9, 50, 300}) {
      alignas(64) std::array<std::uint32_t, 8> room{};
      const Key& key = *new (&room[offset]) Key(random_key(offset));
      Blocks blocks = random_blocks(count, count);
      GetParam().cipher(blocks, key);
      ASSERT_TRUE(same(blocks, by_oracle(GetParam(), random_blocks(count, count), key))) << "key at word " << offset;
    }
  }
}

TEST_P(InBothDirections, EveryPlaceInALineOf64Bytes) {
  for (std::size_t offset = 0; offset < 8; ++offset) {
    for (const std::size_t count : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 49, 97, 127, 129, 300}) {
      expect_like_oracle(GetParam(), count, offset, 2000 + offset);
    }
  }
}

// One or more for each kernel. Fewer where each call needs transfers to a device.
std::vector<std::size_t> kernel_counts() {
  if (ladder::lacks("many-calls")) return {1, 50};
  return {1, 2, 3, 4, 5, 6, 7, 9, 17, 50, 64, 128};
}

TEST_P(InBothDirections, EveryBitOfTheKeyCounts) {
  for (const std::size_t count : kernel_counts()) {
    const Blocks before = random_blocks(count, 3);
    for (unsigned bit = 0; bit < 128; ++bit) {
      Key key{};
      key[bit / 32] = 1u << bit % 32;
      Blocks after = before;
      GetParam().cipher(after, key);
      ASSERT_TRUE(same(after, by_oracle(GetParam(), before, key))) << "key bit " << bit << ", " << count << " blocks";
    }
  }
}

// One byte of the key changes, and the first key comes again. All have one address, so a cache by addresses fails, too.
TEST_P(InBothDirections, KeepsNothingFromOneCallToTheNext) {
  const Key first = random_key(5);
  Key key;
  for (const std::size_t count : kernel_counts()) {
    const Blocks before = random_blocks(count, 4);
    for (unsigned byte = 0; byte < sizeof(Key); ++byte) {
      Key other = first;
      other[byte / 4] ^= 1u << byte % 4 * 8;
      for (const Key& now : {first, other}) {
        key = now;
        Blocks after = before;
        GetParam().cipher(after, key);
        ASSERT_TRUE(same(after, by_oracle(GetParam(), before, key)))
            << "key byte " << byte << ", " << count << " blocks";
      }
    }
  }
}

TEST_P(InBothDirections, ThreadsMayCallAtOnce) {
  for (const std::size_t count : {1, 2, 6, 9, 777}) {
    SCOPED_TRACE(std::to_string(count) + " blocks a call");
    // Fewer calls where each needs transfers to a device.
    const std::size_t calls = ladder::lacks("many-calls") ? 100 : 100'000 / (count + 3);
    ladder::expect_right_in_threads(calls, [&](std::size_t thread) {
      const Key key = random_key(thread);
      const Blocks before = random_blocks(count, thread);
      return [=, expected = by_oracle(GetParam(), before, key), blocks = Blocks(count)]() mutable {
        std::copy(before.begin(), before.end(), blocks.begin());
        GetParam().cipher(blocks, key);
        return same(blocks, expected);
      };
    });
  }
}

// The blocks repeat, so the oracle ciphers only a few.
void check_repeated(std::size_t count) {
  const Blocks some = random_blocks(7, 9);
  const Key key = random_key(10);
  Blocks blocks(count);
  for (const Direction& direction : directions) {
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = some[i % some.size()];
    direction.cipher(blocks, key);
    const Blocks expected = by_oracle(direction, some, key);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      ASSERT_EQ(blocks[i], expected[i % some.size()]) << direction.name << ", block " << i << " of " << blocks.size();
    }
  }
}

// The widest kernel takes groups of 128 blocks, and sets of 16. A rest of each number of sets comes behind them.
TEST(HugeMessages, MoreBlocksThan16BitsCount) {
  for (const std::size_t rest : {1, 20, 40, 60, 75, 90, 110, 127}) check_repeated(65'536 + rest);
}

TEST(HugeMessages, MoreGroupsThan16BitsCount) { check_repeated(65'537 * 128 + 5); }

}  // namespace
}  // namespace xtea

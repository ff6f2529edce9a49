// Tests of a stage: known answers of each version of the cipher, comparison with the oracle at every size that may
// matter, and the promises of the contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <sstream>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/records.hpp"
#include "oracle.hpp"
#include "skein.hpp"
#include "tests/threads.hpp"
#include "threefish/peers/with_cipher.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Blocks = std::vector<Block>;
using ladder::Generator;
using ladder::GuardedBuffer;

const std::filesystem::path vectors = LADDER_VECTORS;

struct Direction {
  const char* name;
  void (*cipher)(std::span<Block>, const Key&, const Tweak&);
  Block (*oracle)(const Block&, const Key&, const Tweak&, const oracle::Constants&);
};
void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }
constexpr Direction directions[] = {{"encrypt", encrypt, oracle::encrypt_block},
                                    {"decrypt", decrypt, oracle::decrypt_block}};

// The constants of each version, from its own paper and not from the stage's header.
struct Version {
  const char* name;
  oracle::Constants constants;
  std::size_t answers;  // in threefish256.txt
};
constexpr Version versions[] = {
    {"1.0/1.1",
     {{{5, 56}, {36, 28}, {13, 46}, {58, 44}, {26, 20}, {53, 35}, {11, 42}, {59, 50}}, 0x5555555555555555},
     4},
    {"1.2", {{{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}}, 0x5555555555555555}, 2},
    {"1.3", {{{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}}, 0x1BD11BDAA9FC1A22}, 2},
};

const Version& version(const std::string& name) {
  const auto found =
      std::find_if(std::begin(versions), std::end(versions), [&](const Version& v) { return v.name == name; });
  if (found == std::end(versions)) throw std::runtime_error("there is no version " + name);
  return *found;
}

// The version whose constants the stage is built with.
const Version& built() {
  for (const Version& version : versions) {
    if (version.constants == oracle::built_in()) return version;
  }
  throw std::runtime_error("the constants are those of no version");
}

template <class Words>
Words random_words(std::uint64_t seed) {
  Words words;
  Generator(seed).fill(words);
  return words;
}

Blocks random_blocks(std::size_t count, std::uint64_t seed) {
  Blocks blocks(count);
  Generator generator(seed);
  for (Block& block : blocks) generator.fill(block);
  return blocks;
}

Blocks by_oracle(const Direction& direction, std::span<const Block> blocks, const Key& key, const Tweak& tweak) {
  Blocks ciphered;
  for (const Block& block : blocks) ciphered.push_back(direction.oracle(block, key, tweak, oracle::built_in()));
  return ciphered;
}

std::string hex(std::uint64_t word) {
  std::ostringstream out;
  out << "0x" << std::hex << word;
  return out.str();
}

// Names the first word that differs: all words would fill the screen.
testing::AssertionResult same(std::span<const Block> actual, std::span<const Block> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t word = 0; word < 4; ++word) {
      if (actual[i][word] == expected[i][word]) continue;
      return testing::AssertionFailure() << "word " << word << " of block " << i << " of " << expected.size() << " is "
                                         << hex(actual[i][word]) << ", but should be " << hex(expected[i][word])
                                         << ", from byte " << std::countr_zero(actual[i][word] ^ expected[i][word]) / 8
                                         << " on";
    }
  }
  return testing::AssertionSuccess();
}

// In place, from any word on, between other words that must not change.
void expect_like_oracle(const Direction& direction, std::size_t count, std::size_t offset, std::uint64_t seed) {
  constexpr std::size_t margin = 16;
  std::vector<std::uint64_t> before(margin + offset + 4 * count + margin);
  Generator(seed).fill(before);
  const auto key = random_words<Key>(seed + 1);
  const auto tweak = random_words<Tweak>(seed + 2);
  std::vector<std::uint64_t> after = before, expected = before;
  // A vector of words is aligned to 16 bytes, so the offsets reach every place of a 64-byte line.
  direction.cipher({reinterpret_cast<Block*>(after.data() + margin + offset), count}, key, tweak);

  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t* words = expected.data() + margin + offset + 4 * i;
    const Block block = direction.oracle({words[0], words[1], words[2], words[3]}, key, tweak, oracle::built_in());
    std::copy(block.begin(), block.end(), words);
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(after[i], expected[i]) << direction.name << ", " << count << " blocks: word " << i << " of "
                                     << expected.size() << ", of which the first " << margin + offset
                                     << " and the last " << margin << " must not change";
  }
}

// "0011223344556677 8899..." in the file, word 0 first.
template <class Words>
Words words_of(const std::string& text) {
  std::istringstream in(text);
  in >> std::hex;
  Words words;
  for (std::uint64_t& word : words) in >> word;
  if (!in) throw std::runtime_error("too few words: " + text);
  return words;
}

// The first test: a stage that writes outside its buffer must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideTheBlocksIsTouched) {
  for (const Direction& direction : directions) {
    for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
      for (std::size_t count = 0; count <= 70; ++count) {
        const Blocks before = random_blocks(count, count);
        const auto key = random_words<Key>(count);
        const auto tweak = random_words<Tweak>(count);
        GuardedBuffer buffer(sizeof(Block) * count, side);
        const auto blocks = buffer.as<Block>();
        std::copy(before.begin(), before.end(), blocks.begin());
        direction.cipher(blocks, key, tweak);
        EXPECT_TRUE(same(blocks, by_oracle(direction, before, key, tweak)))
            << direction.name << ", " << count << " blocks";
      }
    }
  }
}

// Key and tweak, too: no memory next to them is read.
TEST(Bounds, NothingOutsideKeyAndTweakIsTouched) {
  for (const Direction& direction : directions) {
    for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
      for (const std::size_t count : {0, 1, 2, 3, 9, 70}) {
        GuardedBuffer keys(sizeof(Key), side), tweaks(sizeof(Tweak), side);
        Key& key = keys.as<Key>()[0] = random_words<Key>(count);
        Tweak& tweak = tweaks.as<Tweak>()[0] = random_words<Tweak>(count);
        Blocks blocks = random_blocks(count, count);
        direction.cipher(blocks, key, tweak);
        EXPECT_TRUE(same(blocks, by_oracle(direction, random_blocks(count, count), key, tweak))) << direction.name;
        EXPECT_EQ(key, random_words<Key>(count));
        EXPECT_EQ(tweak, random_words<Tweak>(count));
      }
    }
  }
}

TEST(KnownAnswers, OfTheVersionBuilt) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const auto records = ladder::read_records(vectors / "threefish256.txt");
  ASSERT_EQ(records.size(), 8u);
  std::size_t found = 0;
  for (const ladder::Record& record : records) {
    if (record.at("version") != built().name) continue;
    ++found;
    const auto key = words_of<Key>(record.at("key"));
    const auto tweak = words_of<Tweak>(record.at("tweak"));
    const Blocks plain{words_of<Block>(record.at("plaintext"))};
    Blocks blocks = plain;
    encrypt(blocks, key, tweak);
    EXPECT_TRUE(same(blocks, Blocks{words_of<Block>(record.at("ciphertext"))})) << "from " << record.at("source");
    decrypt(blocks, key, tweak);
    EXPECT_TRUE(same(blocks, plain)) << "decrypt, from " << record.at("source");
  }
  EXPECT_EQ(found, built().answers);
}

TEST(KnownAnswers, OfTheHash) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  const std::string name = built().name;
  if (name == "1.0/1.1") GTEST_SKIP() << "no answers of the hash are kept for Skein 1.0 and 1.1";
  std::istringstream file(ladder::read_text(vectors / ("skein256_golden_kat_v" + name + ".txt")));
  const std::string title = ":Skein-256:";
  std::size_t found = 0, output_bits = 0, bits = 0;
  std::string part, message, result;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(title)) {
      output_bits = std::stoul(line.substr(title.size()));
      bits = std::stoul(line.substr(line.find('=') + 1));
      message = result = "";
    } else if (line.starts_with("Message data") || line.starts_with("Result")) {
      part = line.substr(0, 1);
    } else if (line.starts_with("---")) {
      ++found;
      ASSERT_EQ(message.size() / 2, (bits + 7) / 8) << "record " << found;
      ASSERT_EQ(result.size() / 2, output_bits / 8) << "record " << found;
      EXPECT_EQ(skein::hash(ladder::from_hex(message), bits, output_bits), ladder::from_hex(result))
          << "record " << found << ": " << output_bits << " bits of the hash of " << bits << " bits";
    } else if (line.find("(none)") == std::string::npos && line.starts_with(" ")) {
      std::erase(line, ' ');
      (part == "M" ? message : result) += line;
    }
  }
  EXPECT_EQ(found, 114u);
}

TEST(Oracle, KnowsTheAnswersOfEveryVersion) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  for (const ladder::Record& record : ladder::read_records(vectors / "threefish256.txt")) {
    const oracle::Constants& constants = version(record.at("version")).constants;
    const auto key = words_of<Key>(record.at("key"));
    const auto tweak = words_of<Tweak>(record.at("tweak"));
    const auto plain = words_of<Block>(record.at("plaintext")), ciphered = words_of<Block>(record.at("ciphertext"));
    EXPECT_EQ(oracle::encrypt_block(plain, key, tweak, constants), ciphered) << "from " << record.at("source");
    EXPECT_EQ(oracle::decrypt_block(ciphered, key, tweak, constants), plain) << "from " << record.at("source");
  }
}

// threefish256_v*_internals.txt: what the Skein team's own code prints after every round and every subkey.
class OracleInternals : public testing::TestWithParam<std::string> {
 protected:
  OracleInternals() : file_(ladder::read_text(vectors / ("threefish256_v" + GetParam() + "_internals.txt"))) {}

  // The words below the next line that holds `text`, "01234567.89ABCDEF" each; the file is read from front to end.
  template <class Words>
  Words words_below(const std::string& text) {
    for (std::string line; std::getline(file_, line);) {
      if (line.starts_with("#") || line.find(text) == std::string::npos) continue;
      std::getline(file_, line);
      std::erase(line, '.');
      return words_of<Words>(line);
    }
    throw std::runtime_error("no further line has " + text);
  }

  std::istringstream file_;
};
INSTANTIATE_TEST_SUITE_P(, OracleInternals, testing::Values("1.2", "1.3"),
                         [](const auto& info) { return info.param == "1.2" ? "OfSkein12" : "OfSkein13"; });

TEST_P(OracleInternals, TakeEveryStep) {
  const oracle::Constants& constants = version(GetParam()).constants;
  for (unsigned block = 0; block < 2; ++block) {
    const auto tweak = words_below<Tweak>("Tweak:");
    const auto key = words_below<Key>("Key words:");
    Block words = words_below<Block>("Input block (words):");
    words = oracle::plus(words, oracle::subkey(0, key, tweak, constants));
    ASSERT_EQ(words, words_below<Block>("[state after initial key injection]"));
    for (unsigned round = 1; round <= rounds; ++round) {
      const std::string number = (round < 10 ? " " : "") + std::to_string(round);
      const Block before = words;
      words = oracle::permute(oracle::mix(words, round - 1, constants));
      ASSERT_EQ(oracle::unmix(oracle::permute(words), round - 1, constants), before) << "round " << number;
      // After an odd round the file has the words before they are permuted.
      const auto printed = words_below<Block>("[state after round " + number + "]");
      ASSERT_EQ(words, round % 2 == 1 ? oracle::permute(printed) : printed) << "round " << number;
      if (round % 4 != 0) continue;
      const unsigned s = round / 4;
      words = oracle::plus(words, oracle::subkey(s, key, tweak, constants));
      ASSERT_EQ(words, words_below<Block>("[state after key injection #" + std::to_string(s / 10) +
                                          std::to_string(s % 10) + "]"));
    }
  }
}

class InBothDirections : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(, InBothDirections, testing::ValuesIn(directions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(InBothDirections, EveryCountUpTo300) {
  for (std::size_t count = 0; count <= 300; ++count) expect_like_oracle(GetParam(), count, 0, 1000 + count);
}

TEST_P(InBothDirections, LargeCounts) {
  for (const std::size_t count : {1'023, 1'025, 2'047, 2'048, 2'049, 8'191, 33'333, 65'537}) {
    expect_like_oracle(GetParam(), count, count % 8, count);
  }
}

// Key and tweak may begin at any word.
TEST_P(InBothDirections, KeyAndTweakAtAnyPlace) {
  for (std::size_t offset = 0; offset < 4; ++offset) {
    for (const std::size_t count : {1, 2, 3, 4, 5, 7, 9, 70}) {
      alignas(64) std::array<std::uint64_t, 8> keys{}, tweaks{};
      const Key& key = *new (&keys[offset]) Key(random_words<Key>(offset));
      const Tweak& tweak = *new (&tweaks[offset]) Tweak(random_words<Tweak>(offset));
      Blocks blocks = random_blocks(count, count);
      GetParam().cipher(blocks, key, tweak);
      ASSERT_TRUE(same(blocks, by_oracle(GetParam(), random_blocks(count, count), key, tweak))) << "word " << offset;
    }
  }
}

TEST_P(InBothDirections, EveryPlaceInALineOf64Bytes) {
  for (std::size_t offset = 0; offset < 8; ++offset) {
    for (std::size_t count = 0; count <= 70; ++count) expect_like_oracle(GetParam(), count, offset, 2000 + offset);
  }
}

TEST_P(InBothDirections, EveryBitOfKeyAndTweakCounts) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 50}) {
    const Blocks before = random_blocks(count, 3);
    for (unsigned bit = 0; bit < 256 + 128; ++bit) {
      Key key{};
      Tweak tweak{};
      (bit < 256 ? key[bit / 64] : tweak[(bit - 256) / 64]) = std::uint64_t{1} << bit % 64;
      Blocks after = before;
      GetParam().cipher(after, key, tweak);
      ASSERT_TRUE(same(after, by_oracle(GetParam(), before, key, tweak))) << "bit " << bit << " of key and tweak";
    }
  }
}

// The number of a subkey is added to a word of the key, so sums carry into the high half of a word, or out of it.
TEST_P(InBothDirections, SubkeysCarry) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 8, 9, 16, 50}) {
    const Blocks before = random_blocks(count, 5);
    for (const std::uint64_t word : {~std::uint64_t{0}, std::uint64_t{0xFFFF'FFFF}, ~std::uint64_t{0} - 17}) {
      Key key;
      Tweak tweak;
      key.fill(word), tweak.fill(word);
      Blocks after = before;
      GetParam().cipher(after, key, tweak);
      ASSERT_TRUE(same(after, by_oracle(GetParam(), before, key, tweak))) << count << " blocks, words " << word;
    }
  }
}

TEST_P(InBothDirections, KeepsNothingFromOneCallToTheNext) {
  for (const std::size_t count : {1, 2, 3, 7, 50, 200}) {
    const Blocks before = random_blocks(count, 4);
    // Another key for the same blocks, another tweak, both of them, and the first ones again.
    for (const auto& [key_seed, tweak_seed] : {std::pair{5, 5}, {6, 5}, {6, 7}, {5, 5}, {5, 7}, {5, 5}}) {
      const auto key = random_words<Key>(static_cast<std::uint64_t>(key_seed));
      const auto tweak = random_words<Tweak>(static_cast<std::uint64_t>(tweak_seed));
      Blocks after = before;
      GetParam().cipher(after, key, tweak);
      ASSERT_TRUE(same(after, by_oracle(GetParam(), before, key, tweak)))
          << "key " << key_seed << ", tweak " << tweak_seed;
    }
    // Other blocks at the same place, under the same key and tweak.
    for (const std::uint64_t seed : {8, 9}) {
      Blocks after = random_blocks(count, seed);
      GetParam().cipher(after, {}, {});
      ASSERT_TRUE(same(after, by_oracle(GetParam(), random_blocks(count, seed), {}, {}))) << "other blocks";
    }
  }
}

// The blocks repeat, so the oracle ciphers only a few.
void check_repeated(std::size_t count) {
  const Blocks some = random_blocks(7, 10);
  const auto key = random_words<Key>(11);
  const auto tweak = random_words<Tweak>(12);
  Blocks blocks(count);
  for (const Direction& direction : directions) {
    for (std::size_t i = 0; i < count; ++i) blocks[i] = some[i % some.size()];
    direction.cipher(blocks, key, tweak);
    const Blocks expected = by_oracle(direction, some, key, tweak);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(blocks[i], expected[i % some.size()]) << direction.name << ", block " << i << " of " << count;
    }
  }
}

// A rest of every kind comes behind more than 65,536 blocks. The widest kernel takes groups of 48 blocks, and 65,568 is
// a multiple of 48.
TEST(HugeMessages, MoreBlocksThan16BitsCount) {
  for (const std::size_t rest : {1, 2, 3, 4, 5, 6, 13, 25, 38, 47}) check_repeated(65'568 + rest);
}

TEST(HugeMessages, MoreGroupsThan16BitsCount) { check_repeated(65'537 * 48 + 5); }

// Two threads in each direction, all with keys and tweaks of their own.
TEST(Calls, MayBeMadeByThreadsAtOnce) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 6, 9, 71}) {
    SCOPED_TRACE(std::to_string(count) + " blocks a call");
    ladder::expect_right_in_threads(20'000 / (count + 3), [&](std::size_t thread) {
      const Direction& direction = directions[thread % 2];
      const auto key = random_words<Key>(thread);
      const auto tweak = random_words<Tweak>(thread);
      const Blocks before = random_blocks(count, thread);
      return [=, expected = by_oracle(direction, before, key, tweak), blocks = Blocks(count)]() mutable {
        std::copy(before.begin(), before.end(), blocks.begin());
        direction.cipher(blocks, key, tweak);
        return same(blocks, expected);
      };
    });
  }
}

}  // namespace
}  // namespace threefish

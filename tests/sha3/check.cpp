// Is a stage right? Known answers, comparison with the oracle at every length and batch that may matter, and the
// contract's promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <sstream>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/records.hpp"
#include "oracle.hpp"
#include "sha3/sha3.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

namespace sha3 {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Sizes = std::vector<std::size_t>;
using ladder::Generator;
using ladder::GuardedBuffer;
using ladder::random_bytes;

const std::filesystem::path vectors = LADDER_VECTORS;

struct Function {
  const char* name;
  void (*hash)(std::span<const Message>);
  std::size_t bytes, rate;  // of a digest; of a block

  Bytes oracle(std::span<const std::uint8_t> data) const {
    return oracle::digest(data, static_cast<unsigned>(8 * bytes));
  }
};
void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }
constexpr Function functions[] = {{"hash256", hash256, 32, rate256}, {"hash512", hash512, 64, rate512}};

// Lengths on both sides of those at which something changes: a lane, the miner's messages, blocks of either rate.
constexpr std::size_t edges[] = {0,   1,   7,   8,   9,   31,  32,  33,  39,  40,  41,  63,  64,  65,  71,
                                 72,  73,  95,  96,  97,  127, 128, 129, 135, 136, 137, 143, 144, 145, 215,
                                 216, 217, 271, 272, 273, 287, 288, 289, 407, 408, 409, 543, 544, 545};

std::string hex(std::uint8_t byte) {
  std::ostringstream out;
  out << "0x" << std::hex << unsigned{byte};
  return out.str();
}

// Names the message and the first byte of its digest that differs; the whole of both would fill the screen.
testing::AssertionResult same(const Function& function, std::size_t index, std::size_t count, std::size_t size,
                              const std::uint8_t* actual, const std::uint8_t* expected) {
  for (std::size_t i = 0; i < function.bytes; ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << function.name << ": message " << index << " of " << count << ", of " << size
                                       << " bytes: byte " << i << " of its digest (in lane " << i / 8 << ") is "
                                       << hex(actual[i]) << ", but should be " << hex(expected[i]);
  }
  return testing::AssertionSuccess();
}

// A batch within one piece of memory, which is compared whole: neither data nor what stands beside a digest may change.
struct Batch {
  struct Place {
    std::size_t data, size, digest;  // data and digest by their distance from the beginning of `memory`
  };
  Bytes memory;
  std::vector<Place> places;
};

testing::AssertionResult like_oracle(const Function& function, const Batch& batch) {
  Bytes actual = batch.memory, expected = batch.memory;
  std::vector<Message> messages;
  for (const Batch::Place& place : batch.places) {
    messages.push_back({actual.data() + place.data, place.size, actual.data() + place.digest});
    const Bytes digest = function.oracle({batch.memory.data() + place.data, place.size});
    std::copy(digest.begin(), digest.end(), expected.begin() + static_cast<std::ptrdiff_t>(place.digest));
  }
  function.hash(messages);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto result = same(function, i, messages.size(), messages[i].size, messages[i].digest,
                             expected.data() + batch.places[i].digest);
    if (!result) return result;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    return testing::AssertionFailure() << function.name << ": byte " << i << " of " << expected.size()
                                       << ", which is in no digest, has changed";
  }
  return testing::AssertionSuccess();
}

// Messages one after the other from byte `first`, `gap` bytes apart. `digest_of` says for each where its digest stands
// as seen from its data: from right before them (-32 or -64) over in place (0) to right behind them (its size).
template <class DigestOf>
Batch one_after_another(const Function& function, const Sizes& sizes, std::size_t first, std::size_t gap,
                        std::uint64_t seed, DigestOf digest_of) {
  Batch batch;
  std::size_t end = first;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::ptrdiff_t digest = digest_of(i);
    const std::size_t data = end + gap + (digest < 0 ? static_cast<std::size_t>(-digest) : 0);
    batch.places.push_back({data, sizes[i], data + static_cast<std::size_t>(digest)});
    end = std::max(data + sizes[i], batch.places.back().digest + function.bytes);
  }
  batch.memory = random_bytes(end + 64, seed);
  return batch;
}

Batch digests_behind(const Function& function, const Sizes& sizes, std::uint64_t seed, std::size_t first = 64) {
  return one_after_another(function, sizes, first, 0, seed,
                           [&](std::size_t i) { return static_cast<std::ptrdiff_t>(sizes[i]); });
}

Batch in_place(const Function& function, const Sizes& sizes, std::uint64_t seed, std::size_t first = 64) {
  return one_after_another(function, sizes, first, 0, seed, [](std::size_t) { return std::ptrdiff_t{0}; });
}

std::string listed(const Sizes& sizes) {
  std::string text = "sizes";
  for (const std::size_t size : sizes) text += ' ' + std::to_string(size);
  return text;
}

// `count` lengths, most of them short, some of many blocks.
Sizes wild_sizes(std::size_t count, Generator& generator) {
  Sizes sizes(count);
  for (std::size_t& size : sizes) {
    const std::size_t most = generator.between(0, 7) == 0 ? 1'500 : 300;
    const std::size_t edge = edges[generator.between(0, std::size(edges) - 1)];
    size = generator.between(0, 3) == 0 ? edge : generator.between(0, most);
  }
  return sizes;
}

using Side = GuardedBuffer::Against;
constexpr Side sides[] = {Side::front, Side::back};

// The data of each message and all digests stand against guard pages, and so does the end of the list of messages.
testing::AssertionResult like_oracle_guarded(const Function& function, const Sizes& sizes, Side side) {
  const std::size_t count = sizes.size();
  GuardedBuffer list(count * sizeof(Message), Side::back), digests(count * function.bytes, side);
  const auto messages = list.as<Message>();
  std::deque<GuardedBuffer> data;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = data.emplace_back(sizes[i], side).as<std::uint8_t>();
    Generator(sizes[i] + i).fill(bytes);
    messages[i] = {bytes.data(), sizes[i], digests.as<std::uint8_t>().data() + i * function.bytes};
  }
  function.hash(messages);
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes expected = function.oracle({messages[i].data, sizes[i]});
    const auto result = same(function, i, count, sizes[i], messages[i].digest, expected.data());
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

// Each message and its digest share one end of a field between guard pages, in turn the first and the last.
testing::AssertionResult like_oracle_guarded_in_place(const Function& function, const Sizes& sizes, Side side) {
  std::deque<GuardedBuffer> fields;
  std::vector<Message> messages;
  std::vector<Bytes> expected;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto field = fields.emplace_back(std::max(sizes[i], function.bytes), side).as<std::uint8_t>();
    Generator(sizes[i] + i).fill(field);
    const bool first = i % 2 == 0;
    const auto data = first ? field.first(sizes[i]) : field.last(sizes[i]);
    messages.push_back({data.data(), sizes[i], first ? field.data() : field.last(function.bytes).data()});
    expected.push_back(function.oracle(data));
  }
  function.hash(messages);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    auto result = same(function, i, sizes.size(), sizes[i], messages[i].digest, expected[i].data());
    if (!result) return result << ", in place";
  }
  return testing::AssertionSuccess();
}

// The first test: a stage that goes outside its buffers must fail before it corrupts the heap.
TEST(Bounds, NothingOutsideDataDigestsAndMessagesIsTouched) {
  for (const Function& function : functions) {
    for (const Side side : sides) {
      for (std::size_t edge = 0; edge < std::size(edges); ++edge) {
        for (const std::size_t count : {1, 2, 3, 4, 5, 8, 9, 17}) {
          Sizes mixed(count);
          for (std::size_t i = 0; i < count; ++i) mixed[i] = edges[(edge + 7 * i) % std::size(edges)];
          ASSERT_TRUE(like_oracle_guarded(function, Sizes(count, edges[edge]), side));
          ASSERT_TRUE(like_oracle_guarded(function, mixed, side)) << listed(mixed);
          ASSERT_TRUE(like_oracle_guarded_in_place(function, mixed, side)) << listed(mixed);
        }
      }
    }
  }
}

TEST(Bounds, NothingOutsideIsTouchedAtAnyLength) {
  for (const Function& function : functions) {
    for (const Side side : sides) {
      for (std::size_t size = 0; size <= 300; ++size) {
        ASSERT_TRUE(like_oracle_guarded(function, {size}, side));
        ASSERT_TRUE(like_oracle_guarded_in_place(function, {size}, side));
        for (const std::size_t count : {4, 8}) {
          ASSERT_TRUE(like_oracle_guarded(function, Sizes(count, size), side));
        }
      }
    }
  }
}

class BothDigests : public testing::TestWithParam<Function> {};
INSTANTIATE_TEST_SUITE_P(, BothDigests, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

// Known answers, one by one and all in one batch.
void expect_known(const Function& function, const std::vector<std::pair<Bytes, Bytes>>& answers) {
  std::vector<Message> messages;
  std::vector<Bytes> digests(answers.size(), Bytes(function.bytes));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& [data, digest] = answers[i];
    ASSERT_EQ(digest.size(), function.bytes);
    messages.push_back({data.data(), data.size(), digests[i].data()});
    Bytes alone(function.bytes);
    const Message message{data.data(), data.size(), alone.data()};
    function.hash({&message, 1});
    ASSERT_TRUE(same(function, 0, 1, data.size(), alone.data(), digest.data())) << "known answer " << i;
    EXPECT_EQ(function.oracle(data), digest) << "the oracle, known answer " << i;
  }
  function.hash(messages);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(same(function, i, answers.size(), messages[i].size, digests[i].data(), answers[i].second.data()))
        << "known answers as one batch";
  }
}

// Records `Len` (in bits), `Msg` (a byte of it stands even where Len is 0) and `MD`.
std::vector<std::pair<Bytes, Bytes>> answers_of(const std::filesystem::path& path) {
  std::vector<std::pair<Bytes, Bytes>> answers;
  for (const ladder::Record& record : ladder::read_records(path)) {
    if (!record.contains("MD")) continue;
    Bytes data = ladder::from_hex(record.at("Msg"));
    data.resize(std::stoul(record.at("Len")) / 8);
    answers.emplace_back(data, ladder::from_hex(record.at("MD")));
  }
  return answers;
}

TEST_P(BothDigests, KnowTheAnswersOfThoseWhoMadeTheStandard) {
  if (rounds == 0) GTEST_SKIP() << "without rounds it is no standard";
  const std::string bits = std::to_string(8 * GetParam().bytes);
  const bool submitted = padding == 0x01;
  const auto brief = answers_of(submitted ? vectors / "keccak" / ("ShortMsgKAT_" + bits + ".txt")
                                          : vectors / "sha3" / ("SHA3_" + bits + "ShortMsg.rsp"));
  ASSERT_EQ(brief.size(), submitted ? 256 : GetParam().rate + 1);
  expect_known(GetParam(), brief);
  const auto lengthy = answers_of(submitted ? vectors / "keccak" / ("LongMsgKAT_" + bits + "_subset.txt")
                                            : vectors / "sha3" / ("SHA3_" + bits + "LongMsg_subset.rsp"));
  ASSERT_EQ(lengthy.size(), submitted ? 9u : 12u);
  expect_known(GetParam(), lengthy);
}

TEST_P(BothDigests, KnowTheAnswersOfEthereum) {
  if (rounds == 0 || padding != 0x01) GTEST_SKIP() << "Ethereum has the padding 0x01 and 24 rounds";
  const auto records = ladder::read_records(vectors / "keccak" / "ethereum_keccak256_512_prefixes.txt");
  ASSERT_EQ(records.size(), 168u);
  const Bytes text = ladder::from_hex(records.front().at("text"));
  std::vector<std::pair<Bytes, Bytes>> answers;
  for (std::size_t i = 1; i < records.size(); ++i) {
    Bytes data = text;
    data.resize(std::stoul(records[i].at("len")));
    answers.emplace_back(data, ladder::from_hex(records[i].at("keccak" + std::to_string(8 * GetParam().bytes))));
  }
  expect_known(GetParam(), answers);
}

// KeccakF-1600-IntermediateValues.txt: what the Keccak team's own code prints while it permutes twice.
class IntermediateValues : public testing::Test {
 protected:
  IntermediateValues() : file_(ladder::read_text(vectors / "keccak" / "KeccakF-1600-IntermediateValues.txt")) {}

  // The next line that begins with `text`, without it; the file is read from the front to the end.
  std::string after(const std::string& text) {
    for (std::string line; std::getline(file_, line);) {
      if (line.starts_with(text)) return line.substr(text.size());
    }
    throw std::runtime_error("no further line begins with " + text);
  }

  // The 25 lanes below the next line that begins with `text`: those with y = 0 first.
  oracle::State state_after(const std::string& text) {
    after(text);
    file_ >> std::hex;
    oracle::State a;
    for (unsigned y = 0; y < 5; ++y) {
      for (unsigned x = 0; x < 5; ++x) file_ >> a[x][y];
    }
    if (!file_) throw std::runtime_error("no 25 lanes below " + text);
    return a;
  }

  std::istringstream file_;
};
class OracleSteps : public IntermediateValues {};

TEST_F(OracleSteps, HaveTheConstants) {
  for (unsigned round = 0; round < 24; ++round) {
    std::ostringstream name;
    name << "RC[" << round / 10 << round % 10 << "][0][0] = ";
    EXPECT_EQ(oracle::round_constant(round), std::stoul(after(name.str()), nullptr, 16)) << name.str();
  }
  for (unsigned y = 0; y < 5; ++y) {
    for (unsigned x = 0; x < 5; ++x) {
      const std::string name = "RhoOffset[" + std::to_string(x) + "][" + std::to_string(y) + "] = ";
      EXPECT_EQ(oracle::rho_offset(x, y), std::stoul(after(name))) << name;
    }
  }
}

TEST_F(OracleSteps, LeadToTheIntermediateValues) {
  oracle::State a{};
  for (unsigned permutation = 0; permutation < 2; ++permutation) {
    EXPECT_EQ(state_after("Same, with lanes as 64-bit words:"), a) << "input of permutation " << permutation;
    const oracle::State input = a;
    for (unsigned round = 0; round < 24; ++round) {
      const auto where = [&] {
        return "in round " + std::to_string(round) + " of permutation " + std::to_string(permutation);
      };
      EXPECT_EQ(state_after("After theta:"), a = oracle::theta(a)) << where();
      EXPECT_EQ(state_after("After rho:"), a = oracle::rho(a)) << where();
      EXPECT_EQ(state_after("After pi:"), a = oracle::pi(a)) << where();
      EXPECT_EQ(state_after("After chi:"), a = oracle::chi(a)) << where();
      EXPECT_EQ(state_after("After iota:"), a = oracle::iota(a, round)) << where();
    }
    EXPECT_EQ(oracle::permute(input, 24), a);
  }
}

// A block of zeros leaves the state as it is: with one such block the stage reaches the first of the two published
// outputs, with two blocks the second, and then pads.
TEST_F(IntermediateValues, BlocksOfZerosLeadToThem) {
  if (rounds != 24) GTEST_SKIP() << "not the permutation of Keccak";
  for (std::size_t blocks = 1; blocks <= 2; ++blocks) {
    for (unsigned round = 0; round < 23; ++round) after("After iota:");
    const oracle::State published = state_after("After iota:");
    for (const Function& function : functions) {
      oracle::State padded = published;
      const std::size_t last = function.rate / 8 - 1;
      padded[0][0] ^= padding;
      padded[last % 5][last / 5] ^= std::uint64_t{0x80} << 56;
      const oracle::State squeezed = oracle::permute(padded, 24);
      Bytes expected(function.bytes), actual(function.bytes);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = static_cast<std::uint8_t>(squeezed[i / 8 % 5][i / 40] >> 8 * (i % 8));
      }
      const Bytes zeros(blocks * function.rate);
      const Message message{zeros.data(), zeros.size(), actual.data()};
      function.hash({&message, 1});
      ASSERT_TRUE(same(function, 0, 1, zeros.size(), actual.data(), expected.data())) << "a message of zeros";
    }
  }
}

TEST_P(BothDigests, EveryLengthUpTo600) {
  for (std::size_t size = 0; size <= 600; ++size) {
    ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), {size}, size)));
  }
}

TEST_P(BothDigests, LargeLengths) {
  for (const std::size_t size : {1'087, 1'088, 1'089, 1'151, 1'152, 4'095, 10'007, 65'537, 136 * 1'000, 72 * 1'000}) {
    ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), {size}, size)));
    ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), {size, 40, size - 1, 3 * size / 5}, size)));
  }
}

TEST_P(BothDigests, LargeMessagesOfOneLength) {
  for (const std::size_t count : {4, 9}) {
    ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), Sizes(count, 65'541), count)));
  }
}

// All messages are beginnings of the same data. The oracle hashes each length once.
void check_beginnings(const Function& function, const std::vector<Sizes>& batches) {
  std::map<std::size_t, Bytes> expected;
  for (const Sizes& sizes : batches) {
    for (const std::size_t size : sizes) expected[size];
  }
  const Bytes data = random_bytes(expected.rbegin()->first, batches.size());
  for (auto& [size, digest] : expected) digest = function.oracle({data.data(), size});
  for (const Sizes& sizes : batches) {
    std::vector<Bytes> digests(sizes.size(), Bytes(function.bytes));
    std::vector<Message> messages;
    for (std::size_t i = 0; i < sizes.size(); ++i) messages.push_back({data.data(), sizes[i], digests[i].data()});
    function.hash(messages);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      ASSERT_TRUE(same(function, i, sizes.size(), sizes[i], digests[i].data(), expected[sizes[i]].data()));
    }
  }
}

TEST_P(BothDigests, MoreBlocksThan16BitsCount) {
  const Function& function = GetParam();
  const std::size_t size = 65'537 * function.rate + 5;
  // One message, four and eight lanes of one length, four and eight lanes of unequal lengths, and a group behind eight.
  check_beginnings(function, {Sizes{size}, Sizes(4, size), Sizes(8, size), Sizes{size, size + 1, 40, 41},
                              Sizes{size, 1, 40, 41, 2, 3, size + 1, 0}, Sizes{0, 1, 2, 3, 4, 5, 6, 7, size, size}});
}

TEST_P(BothDigests, LengthsThatAgreeIn16Bits) {
  const std::size_t size = 65'536 + 40;
  check_beginnings(GetParam(), {{40, size}, {40, size, 40, size}, {size, 40, 40, 40, size, 40, 40, 40}});
}

TEST_P(BothDigests, MoreMessagesThan16BitsCount) {
  Sizes sizes;
  for (std::size_t i = 0; i < 65'536 + 70; ++i) sizes.push_back(i % 97);
  check_beginnings(GetParam(), {sizes});
}

// A vector of bytes begins on 16; `offset` further reaches every place in a line of 64 bytes.
TEST_P(BothDigests, EveryPlaceInALineOf64Bytes) {
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t size : edges) {
      if (offset > 8 && size % 8 != 0) continue;
      ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), {size}, size, 64 + offset))) << "at " << offset;
      ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), {size}, size, 64 + offset))) << "in place at " << offset;
    }
  }
}

TEST_P(BothDigests, DigestMayOverlapItsOwnDataInAnyWay) {
  const auto bytes = static_cast<std::ptrdiff_t>(GetParam().bytes);
  for (const std::size_t size : {1, 32, 40, 64, 71, 72, 73, 136, 137, 145, 272, 300, 600}) {
    for (std::ptrdiff_t digest = -bytes; digest <= static_cast<std::ptrdiff_t>(size); ++digest) {
      const auto batch = one_after_another(GetParam(), {size}, 64, 0, size, [&](std::size_t) { return digest; });
      ASSERT_TRUE(like_oracle(GetParam(), batch)) << "digest at data + " << digest;
    }
  }
}

TEST_P(BothDigests, DigestsMayOverlapTheirOwnDataInEqualBatches) {
  const auto bytes = static_cast<std::ptrdiff_t>(GetParam().bytes);
  for (const std::size_t size : {1, 64, 72, 136, 145, 300}) {
    for (std::ptrdiff_t digest = -bytes; digest <= static_cast<std::ptrdiff_t>(size); digest += 3) {
      const auto batch =
          one_after_another(GetParam(), Sizes(9, size), 64, 0, size, [&](std::size_t) { return digest; });
      ASSERT_TRUE(like_oracle(GetParam(), batch)) << "digests at data + " << digest;
    }
  }
}

TEST_P(BothDigests, EqualLengthsInBatches) {
  for (std::size_t size = 0; size <= 300; ++size) {
    ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), Sizes(8, size), size)));
  }
  for (std::size_t count = 0; count <= 33; ++count) {
    for (const std::size_t size : {0, 1, 32, 40, 64, 71, 72, 96, 135, 136, 200}) {
      ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), Sizes(count, size), count)));
      ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), Sizes(count, size), count)));
    }
  }
}

TEST_P(BothDigests, WildLengthsInBatchesWithDigestsAnywhere) {
  Generator generator(1);
  for (std::size_t count = 0; count <= 33; ++count) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Sizes sizes = wild_sizes(count, generator);
      const auto anywhere = [&](std::size_t i) {
        return static_cast<std::ptrdiff_t>(generator.between(0, GetParam().bytes + sizes[i])) -
               static_cast<std::ptrdiff_t>(GetParam().bytes);
      };
      ASSERT_TRUE(like_oracle(GetParam(),
                              one_after_another(GetParam(), sizes, 64 + seed, generator.between(0, 9), seed, anywhere)))
          << listed(sizes);
    }
  }
}

TEST_P(BothDigests, LargeBatches) {
  Generator generator(4);
  for (const std::size_t count : {63, 64, 65, 100, 255, 257, 1'000}) {
    ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), wild_sizes(count, generator), count)));
  }
  ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), Sizes(65'536 + 5, 32), 1)));
}

TEST_P(BothDigests, OneMessageUnlikeTheOthersOfItsBatch) {
  constexpr std::pair<std::size_t, std::size_t> pairs[] = {
      {32, 2'000}, {0, 200}, {64, 0}, {72, 71}, {135, 136}, {500, 3}, {40, 296}};  // the last two agree in 8 bits
  for (const std::size_t count : {2, 3, 4, 5, 7, 8, 9, 12, 16, 17}) {
    for (std::size_t other = 0; other < count; ++other) {
      for (const auto& [most, one] : pairs) {
        Sizes sizes(count, most);
        sizes[other] = one;
        ASSERT_TRUE(like_oracle(GetParam(), digests_behind(GetParam(), sizes, count))) << listed(sizes);
        ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), sizes, other))) << listed(sizes);
      }
    }
  }
}

// All combinations in batches of up to four, in batches of eight all those of any two.
TEST_P(BothDigests, LengthsOfTheMinerInEveryOrder) {
  constexpr std::size_t lengths[] = {32, 40, 64, 96};
  for (std::size_t count = 1; count <= 4; ++count) {
    for (std::size_t order = 0; order < std::size_t{1} << 2 * count; ++order) {
      Sizes sizes(count);
      for (std::size_t i = 0; i < count; ++i) sizes[i] = lengths[order >> 2 * i & 3];
      ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), sizes, order))) << listed(sizes);
    }
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (unsigned order = 0; order < 256; ++order) {
        Sizes sizes(8);
        for (std::size_t i = 0; i < 8; ++i) sizes[i] = lengths[(order >> i & 1) != 0 ? a : b];
        ASSERT_TRUE(like_oracle(GetParam(), in_place(GetParam(), sizes, order))) << listed(sizes);
      }
    }
  }
}

TEST_P(BothDigests, NoDataWhereThereIsNoLength) {
  for (std::size_t count = 1; count <= 9; ++count) {
    for (std::size_t other = 0; other <= count; ++other) {
      const Bytes data = random_bytes(150, count);
      std::vector<Bytes> digests(count, Bytes(GetParam().bytes));
      std::vector<Message> messages;
      for (Bytes& digest : digests) messages.push_back({nullptr, 0, digest.data()});
      if (other < count) messages[other] = {data.data(), data.size(), digests[other].data()};
      GetParam().hash(messages);
      for (std::size_t i = 0; i < count; ++i) {
        const Bytes expected = GetParam().oracle({messages[i].data, messages[i].size});
        ASSERT_TRUE(same(GetParam(), i, count, messages[i].size, digests[i].data(), expected.data())) << "null data";
      }
    }
  }
}

// All messages begin at one place; their digests stand in the order of the batch, and in the opposite one.
TEST_P(BothDigests, MessagesMayShareData) {
  for (const std::size_t count : {2, 3, 4, 5, 8, 9, 17, 33}) {
    for (const bool equal : {true, false}) {
      for (const bool backwards : {true, false}) {
        Batch batch{random_bytes(600 + count * GetParam().bytes, count), {}};
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t place = backwards ? count - 1 - i : i;
          batch.places.push_back({5, equal ? 64 : 17 * i, 600 + place * GetParam().bytes});
        }
        ASSERT_TRUE(like_oracle(GetParam(), batch)) << "shared data";
      }
    }
  }
}

// Other data at the same place with the same length, with the other digest in between.
TEST(Calls, LeaveNothingForTheNext) {
  for (const std::size_t count : {1, 4, 5, 8}) {
    for (const std::size_t size : {0, 1, 40, 64, 135, 136, 200, 600}) {
      Bytes data(count * size), digests(count * 64);
      for (const std::uint64_t seed : {5, 6, 5}) {
        Generator(seed).fill(data);
        for (const Function& function : functions) {
          std::vector<Message> messages;
          for (std::size_t i = 0; i < count; ++i) {
            messages.push_back({data.data() + i * size, size, digests.data() + i * function.bytes});
          }
          function.hash(messages);
          for (std::size_t i = 0; i < count; ++i) {
            const Bytes expected = function.oracle({messages[i].data, size});
            ASSERT_TRUE(same(function, i, count, size, messages[i].digest, expected.data())) << "of a later call";
          }
        }
      }
    }
  }
}

// Wide batches and single messages, long and short, in a mixed order.
TEST(Calls, LeaveNothingForBatchesOfOtherWidths) {
  Generator generator(2);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Function& function = functions[generator.between(0, 1)];
    const Sizes sizes = wild_sizes(generator.between(1, 9), generator);
    ASSERT_TRUE(like_oracle(function, digests_behind(function, sizes, seed))) << listed(sizes);
  }
}

void expect_threads_undisturbed(const Sizes& sizes) {
  ladder::expect_right_in_threads(3'000, [&](std::size_t thread) {
    const Function& function = functions[thread % 2];
    const Bytes data = random_bytes(200, thread);
    Bytes expected;
    for (const std::size_t size : sizes) {
      const Bytes digest = function.oracle({data.data(), size});
      expected.insert(expected.end(), digest.begin(), digest.end());
    }
    return [=, actual = Bytes(expected.size())]() mutable {
      std::vector<Message> messages;
      for (const std::size_t size : sizes) {
        messages.push_back({data.data(), size, actual.data() + messages.size() * function.bytes});
      }
      function.hash(messages);
      auto right = testing::AssertionSuccess();
      for (std::size_t i = 0; i < messages.size() && right; ++i) {
        right = same(function, i, messages.size(), messages[i].size, messages[i].digest,
                     expected.data() + i * function.bytes);
      }
      return right;
    };
  });
}

TEST(Calls, MayBeMadeByThreadsAtOnceWithWildLengths) {
  expect_threads_undisturbed({40, 0, 136, 64, 200, 7, 96, 32, 71});
}

TEST(Calls, MayBeMadeByThreadsAtOnceWithEqualLengths) { expect_threads_undisturbed(Sizes(9, 64)); }

}  // namespace
}  // namespace sha3

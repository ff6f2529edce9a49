// Is a stage right? Known answers, comparison with the oracle at the sizes that may matter, and the contract's
// promises.
#include <gtest/gtest.h>

#include <algorithm>

#include "common/bytes.hpp"
#include "common/guarded.hpp"
#include "common/records.hpp"
#include "crc32/crc32.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"
#include "tests/threads.hpp"

namespace crc {
namespace {

using Bytes = std::vector<std::uint8_t>;
using ladder::GuardedBuffer;
using ladder::random_bytes;

// The first test of all: a stage that reads outside its buffer must be told so before anything else goes wrong.
TEST(Bounds, NothingOutsideTheBytesIsRead) {
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    for (std::size_t count = 0; count <= 300; ++count) {
      const Bytes message = random_bytes(count, count);
      GuardedBuffer buffer(count, side);
      const auto bytes = buffer.as<std::uint8_t>();
      std::copy(message.begin(), message.end(), bytes.begin());
      ASSERT_EQ(update(0, bytes), oracle::update(0, message)) << count << " bytes";
    }
  }
}

TEST(KnownAnswers, OfStageAndOracle) {
  const auto records = ladder::read_records(std::filesystem::path(LADDER_VECTORS) / "crc32.txt");
  ASSERT_EQ(records.size(), 9u);
  for (const ladder::Record& record : records) {
    const Bytes message = ladder::from_hex(record.at("message"));
    const std::uint64_t crc = std::stoul(record.at("crc"), nullptr, 16);
    EXPECT_EQ(update(0, message), crc) << record.at("message");
    EXPECT_EQ(oracle::update(0, message), crc) << record.at("message");
  }
}

TEST(LikeTheOracle, EveryCountUpTo600) {
  for (std::size_t count = 0; count <= 600; ++count) {
    const Bytes message = random_bytes(count, 1000 + count);
    ASSERT_EQ(update(0, message), oracle::update(0, message)) << count << " bytes";
  }
}

TEST(LikeTheOracle, OddLargeCounts) {
  for (const std::size_t count : {1'023, 4'097, 65'535, 1'000'003}) {
    const Bytes message = random_bytes(count, count);
    EXPECT_EQ(update(0, message), oracle::update(0, message)) << count << " bytes";
  }
}

TEST(LikeTheOracle, EveryPlaceInALineOf64Bytes) {
  const Bytes bytes = random_bytes(1'000, 2);
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t count : {1, 7, 8, 15, 16, 17, 63, 64, 65, 129, 800}) {
      const auto message = std::span(bytes).subspan(offset, count);
      ASSERT_EQ(update(0, message), oracle::update(0, message)) << count << " bytes from " << offset;
    }
  }
}

TEST(LikeTheOracle, EveryBitOfTheCrcBefore) {
  const Bytes message = random_bytes(200, 3);
  for (const std::size_t count : {0, 1, 9, 16, 100, 200}) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      const auto bytes = std::span(message).first(count);
      EXPECT_EQ(update(1u << bit, bytes), oracle::update(1u << bit, bytes))
          << "bit " << bit << ", " << count << " bytes";
    }
  }
}

TEST(Pieces, AMessageMayBeCutAnywhere) {
  const Bytes message = random_bytes(300, 4);
  const std::uint32_t whole = update(0, message);
  for (std::size_t cut = 0; cut <= message.size(); ++cut) {
    const auto bytes = std::span(message);
    EXPECT_EQ(update(update(0, bytes.first(cut)), bytes.subspan(cut)), whole) << "cut after " << cut << " bytes";
  }
}

TEST(State, NothingIsKeptFromOneCallToTheNext) {
  Bytes message = random_bytes(500, 5);
  for (std::size_t place = 0; place < message.size(); ++place) {
    message[place] ^= 0x10;  // the same size at the same address, and other bytes
    ASSERT_EQ(update(0, message), oracle::update(0, message)) << "after a change of byte " << place;
  }
}

TEST(State, ThreadsMayCallAtOnce) {
  ladder::expect_right_in_threads(2'000, [](std::size_t thread) {
    const Bytes message = random_bytes(777, thread);
    return [message, crc = oracle::update(0, message)] {
      return update(0, message) == crc ? testing::AssertionSuccess() : testing::AssertionFailure() << "in a thread";
    };
  });
}

}  // namespace
}  // namespace crc

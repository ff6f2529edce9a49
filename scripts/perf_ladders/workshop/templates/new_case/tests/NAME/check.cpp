// Is a stage right? A test for each promise of the contract.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "common/guarded.hpp"
#include "NAME/NAME.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"

namespace SPACE {
namespace {

using ladder::GuardedBuffer;
using ladder::random_bytes;

// The first test of all: a read outside of the bytes ends the program.
TEST(Bounds, NothingOutsideTheBytesIsRead) {
  for (const auto side : {GuardedBuffer::Against::front, GuardedBuffer::Against::back}) {
    for (std::size_t count = 0; count <= 300; ++count) {
      const auto message = random_bytes(count, count);
      GuardedBuffer buffer(count, side);
      const auto bytes = buffer.as<std::uint8_t>();
      std::copy(message.begin(), message.end(), bytes.begin());
      ASSERT_EQ(hash(bytes), oracle::hash(message)) << count << " bytes";
    }
  }
}

// From somebody else: these are what "abc".hashCode() gives in Java.
TEST(KnownAnswers, OfStageAndOracle) {
  const auto of = [](std::string_view text, auto function) {
    return function(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  };
  for (const auto& [text, answer] : {std::pair{"", 0u}, {"a", 97u}, {"abc", 96354u}}) {
    EXPECT_EQ(of(text, hash), answer) << text;
    EXPECT_EQ(of(text, oracle::hash), answer) << text;
  }
}

TEST(LikeTheOracle, EveryPlaceInALineOf64Bytes) {
  const auto bytes = random_bytes(1'000, 2);
  for (std::size_t offset = 0; offset < 64; ++offset) {
    for (const std::size_t count : {1, 3, 4, 5, 7, 8, 9, 63, 64, 65, 800}) {
      const auto message = std::span(bytes).subspan(offset, count);
      ASSERT_EQ(hash(message), oracle::hash(message)) << count << " bytes from " << offset;
    }
  }
}

}  // namespace
}  // namespace SPACE

// Does a stage agree with OpenSSL? Version 3.0 knows the sponge with SHA-3's padding only.
// standard: fips202
// links: libcrypto
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <vector>

#include "common/bytes.hpp"
#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

struct Function {
  const char* name;
  void (*hash)(std::span<const Message>);
  std::size_t bytes;  // of a digest
  const EVP_MD* (*openssl)();
};
void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

class OpenSsl : public testing::TestWithParam<Function> {};
constexpr Function functions[] = {{"hash256", hash256, 32, EVP_sha3_256}, {"hash512", hash512, 64, EVP_sha3_512}};
INSTANTIATE_TEST_SUITE_P(, OpenSsl, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

// Compares the digests of `sizes` bytes each, from places one byte apart.
void expect_the_same(const Function& function, std::span<const std::uint8_t> data,
                     const std::vector<std::size_t>& sizes) {
  std::vector<std::vector<std::uint8_t>> digests(sizes.size(), std::vector<std::uint8_t>(function.bytes));
  std::vector<Message> messages;
  for (std::size_t i = 0; i < sizes.size(); ++i) messages.push_back({data.data() + i, sizes[i], digests[i].data()});
  function.hash(messages);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<std::uint8_t> expected(function.bytes);
    ASSERT_EQ(EVP_Digest(messages[i].data, sizes[i], expected.data(), nullptr, function.openssl(), nullptr), 1);
    ASSERT_EQ(digests[i], expected) << "message " << i << " of " << sizes.size() << ", of " << sizes[i] << " bytes";
  }
}

// Batches of five, so that every length comes at every place, and of nine of one length.
TEST_P(OpenSsl, AgreesOnEveryLengthUpTo1500) {
  constexpr std::size_t longest = 1'500;
  std::vector<std::uint8_t> data(longest + 9);
  ladder::Generator(3).fill(data);
  for (std::size_t size = 0; size + 4 <= longest; ++size) {
    expect_the_same(GetParam(), data, {size, size + 1, size + 2, size + 3, size + 4});
    expect_the_same(GetParam(), data, std::vector<std::size_t>(9, size));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace sha3

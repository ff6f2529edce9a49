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

// Batches of five, so that every length comes at every place.
TEST_P(OpenSsl, AgreesOnEveryLengthUpTo1500) {
  constexpr std::size_t batch = 5, longest = 1'500;
  std::vector<std::uint8_t> data(longest + batch);
  ladder::Generator(3).fill(data);
  for (std::size_t first = 0; first + batch <= longest; ++first) {
    std::vector<std::vector<std::uint8_t>> digests(batch, std::vector<std::uint8_t>(GetParam().bytes));
    std::vector<Message> messages;
    for (std::size_t i = 0; i < batch; ++i) messages.push_back({data.data() + i, first + i, digests[i].data()});
    GetParam().hash(messages);
    for (std::size_t i = 0; i < batch; ++i) {
      std::vector<std::uint8_t> expected(GetParam().bytes);
      ASSERT_EQ(EVP_Digest(messages[i].data, messages[i].size, expected.data(), nullptr, GetParam().openssl(), nullptr),
                1);
      ASSERT_EQ(digests[i], expected) << "message " << i << " of " << batch << ", of " << messages[i].size << " bytes";
    }
  }
}

}  // namespace
}  // namespace sha3

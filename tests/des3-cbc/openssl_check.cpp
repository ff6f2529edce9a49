// Does a stage agree with OpenSSL?
// links: libcrypto
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/bytes.hpp"
#include "des3-cbc/des3_cbc.hpp"
#include "des3-cbc/peers/with_cipher.hpp"
#include "des3-cbc/schedule.hpp"

namespace des3_cbc {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Direction {
  const char* name;
  void (*cipher)(std::span<const Job>);
  int encrypts;
};
void PrintTo(const Direction& direction, std::ostream* out) { *out << direction.name; }

class OpenSsl : public testing::TestWithParam<Direction> {};
constexpr Direction directions[] = {{"encrypt", encrypt, 1}, {"decrypt", decrypt, 0}};
INSTANTIATE_TEST_SUITE_P(, OpenSsl, testing::ValuesIn(directions),
                         [](const auto& info) { return std::string(info.param.name); });

Bytes by_openssl(const Job& job, int encrypts) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  Bytes result(job.size);
  int written = 0;
  EXPECT_EQ(EVP_CipherInit_ex(context.get(), EVP_des_ede3_cbc(), nullptr, job.key->bytes.data(), job.iv, encrypts), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_set_padding(context.get(), 0), 1);
  EXPECT_EQ(EVP_CipherUpdate(context.get(), result.data(), &written, job.in, static_cast<int>(job.size)), 1);
  EXPECT_EQ(static_cast<std::size_t>(written), job.size);
  return result;
}

// Each alone, and all as one batch.
TEST_P(OpenSsl, AgreesOnEveryLengthTo304) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  constexpr std::size_t most = 304;
  ladder::Generator generator(1);
  Bytes in(most), iv(block_bytes);
  std::array<std::uint8_t, key_bytes> bytes;
  generator.fill(in);
  generator.fill(iv);
  generator.fill(bytes);
  const Key key = expand(bytes);
  std::vector<Bytes> out;
  std::vector<Job> jobs;
  for (std::size_t size = 0; size <= most; size += block_bytes) out.emplace_back(size);
  for (Bytes& one : out) jobs.push_back({in.data(), one.data(), one.size(), &key, iv.data()});
  for (const std::size_t batch : {std::size_t{1}, jobs.size()}) {
    for (Bytes& one : out) std::ranges::fill(one, 0);
    for (std::size_t i = 0; i < jobs.size(); i += batch) GetParam().cipher(std::span(jobs).subspan(i, batch));
    for (const Job& job : jobs) {
      ASSERT_EQ(Bytes(job.out, job.out + job.size), by_openssl(job, GetParam().encrypts))
          << job.size << " bytes, " << batch << " jobs a call";
    }
  }
}

// Batches of one to twelve buffers of up to sixty blocks.
TEST_P(OpenSsl, AgreesOnBatches) {
  if (!with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    ladder::Generator generator(seed);
    const std::size_t count = seed % 12 + 1;
    std::vector<Bytes> in(count), out(count), ivs(count, Bytes(block_bytes));
    std::vector<Key> keys(count);
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      in[i].resize(block_bytes * generator.between(0, 60));
      out[i].resize(in[i].size());
      std::array<std::uint8_t, key_bytes> bytes;
      generator.fill(in[i]);
      generator.fill(ivs[i]);
      generator.fill(bytes);
      keys[i] = expand(bytes);
      jobs.push_back({in[i].data(), out[i].data(), in[i].size(), &keys[i], ivs[i].data()});
    }
    GetParam().cipher(jobs);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(out[i], by_openssl(jobs[i], GetParam().encrypts))
          << "buffer " << i << " of " << count << ", of " << in[i].size() << " bytes";
    }
  }
}

}  // namespace
}  // namespace des3_cbc

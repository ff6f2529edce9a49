// Every length from 0 to 300 against OpenSSL, whose code shares nothing with the oracle either.
// links: libcrypto
#include <gtest/gtest.h>
#include <openssl/hmac.h>

#include <deque>
#include <hmac-sha1/constants.hpp>
#include <hmac-sha1/peers/with_hash.hpp>

#include "common/bytes.hpp"
#include "common/lacks.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

TEST(OpenSsl, EveryLengthTo300) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  std::vector<std::uint8_t> data(300), key_bytes(20);
  ladder::Generator generator(1);
  generator.fill(data);
  generator.fill(key_bytes);
  Key key;
  prepare(key, key_bytes);
  std::vector<std::array<std::uint8_t, digest_bytes>> hmacs(301), hashes(301);
  std::vector<Job> jobs;
  for (std::size_t size = ladder::lacks("empty") ? 1 : 0; size <= 300; ++size) {
    jobs.push_back({data.data(), size, &key, hmacs[size].data(), digest_bytes, Status::waiting});
    jobs.push_back({data.data(), size, nullptr, hashes[size].data(), digest_bytes, Status::waiting});
  }
  const OwnManager manager(make_manager());
  batch(*manager, jobs);
  for (const Job& job : jobs) {
    std::array<std::uint8_t, digest_bytes> expected;
    if (job.key) {
      HMAC(EVP_sha1(), key_bytes.data(), 20, job.data, job.size, expected.data(), nullptr);
    } else {
      EVP_Digest(job.data, job.size, expected.data(), nullptr, EVP_sha1(), nullptr);
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), job.digest)) << job.size << " bytes";
  }
}

}  // namespace
}  // namespace hmac_sha1

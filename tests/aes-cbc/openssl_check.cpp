// Every length from 0 to 300 against OpenSSL, whose code shares nothing with the oracle either; some must be refused.
// links: libcrypto
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <vector>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/constants.hpp"
#include "aes-cbc/peers/with_cipher.hpp"
#include "aes-cbc/schedule.hpp"
#include "common/bytes.hpp"
#include "common/lacks.hpp"

namespace aes_cbc {
namespace {

constexpr std::size_t longest = 300;
using Room = std::array<std::uint8_t, longest>;

// Not zeros: a stage that clears what is behind a result, or the room of a refused job, must fail.
constexpr Room untouched = [] {
  Room room{};
  room.fill(0xA5);
  return room;
}();

Room ciphered(const Room& in, std::size_t size, const Block& key, const Block& iv, int encrypting) {
  Room out = untouched;
  int count = 0;
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  EVP_CipherInit_ex2(context, EVP_aes_128_cbc(), key.data(), iv.data(), encrypting, nullptr);
  EVP_CIPHER_CTX_set_padding(context, 0);
  EVP_CipherUpdate(context, out.data(), &count, in.data(), static_cast<int>(size));
  EVP_CIPHER_CTX_free(context);
  return out;
}

TEST(OpenSsl, EveryLengthTo300) {
  if (!with_kernel || !with_cipher) GTEST_SKIP() << "without the cipher it is no standard";
  Room data;
  Block bytes, iv;
  ladder::Generator generator(1);
  generator.fill(data);
  generator.fill(bytes);
  generator.fill(iv);
  Key key;
  expand(key, bytes);
  for (const bool encrypting : {true, false}) {
    std::vector<Room> outs(longest + 1, untouched);
    std::vector<Job> jobs;
    for (std::size_t size = ladder::lacks("empty") ? 1 : 0; size <= longest; ++size) {
      jobs.push_back({data.data(), outs[size].data(), size, &key, iv.data(), Status::waiting});
    }
    const OwnManager manager(make_manager());
    encrypting ? batch(*manager, jobs) : decrypt(jobs);
    for (const Job& job : jobs) {
      const bool whole = job.size % block_bytes == 0;
      EXPECT_EQ(job.status, whole ? Status::done : Status::invalid) << job.size;
      const Room expected = whole ? ciphered(data, job.size, bytes, iv, encrypting) : untouched;
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), job.out)) << job.size << " bytes";
    }
  }
}

}  // namespace
}  // namespace aes_cbc

// Calls with a secret key and a secret message (common/secrets.hpp), of every length at which a stage may take another
// way. Nonce and block number are public.
#include "common/secrets.hpp"

#include "oracle.hpp"
#include "salsa20/salsa20.hpp"
#include "tests/random.hpp"

namespace salsa20 {
namespace {

constexpr Nonce nonce{1, 2, 3, 4, 5, 6, 7, 8};
constexpr std::uint64_t counter = 0xFFFF'FFF9;  // its low word carries within a few blocks

class Call : public ladder::SecretCall {
 public:
  Call(std::size_t bytes, std::size_t key_bytes) : known_(key_bytes), message_(bytes), out_(bytes) {}

  void choose(std::uint64_t seed) override {
    known_ = key_ = ladder::random_bytes(known_.size(), seed);
    message_ = in_ = ladder::random_bytes(message_.size(), seed + 1);
  }
  ladder::Places secrets() const override { return {ladder::bytes_of(key_), ladder::bytes_of(in_)}; }

  void call() override { crypt(out_.data(), in_, key_, nonce, counter); }
  ladder::Places results() const override { return {ladder::bytes_of(out_)}; }
  bool is_right() const override {
    for (std::size_t i = 0; i < out_.size(); i += block_bytes) {
      const oracle::Block stream = oracle::key_stream(known_, nonce, counter + i / block_bytes, rounds);
      for (std::size_t k = 0; k < block_bytes && i + k < out_.size(); ++k) {
        if (out_[i + k] != (message_[i + k] ^ stream[k])) return false;
      }
    }
    return true;
  }

 private:
  std::vector<std::uint8_t> known_, key_, message_, in_, out_;
};

const bool added = [] {
  for (const std::size_t bytes :
       {1, 63, 64, 65, 128, 200, 256, 300, 511, 512, 577, 900, 1'024, 1'100, 2'048, 2'500, 4'500}) {
    for (const std::size_t key_bytes : {32, 16}) {
      const std::string name = std::to_string(bytes) + " bytes, key of " + std::to_string(key_bytes);
      ladder::secret_calls().push_back({name, [=] { return std::make_unique<Call>(bytes, key_bytes); }});
    }
  }
  return true;
}();

}  // namespace
}  // namespace salsa20

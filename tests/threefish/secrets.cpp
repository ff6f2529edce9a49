// Calls with a secret key and secret blocks (common/secrets.hpp), of every length at which a stage may take another
// way. The tweak is public.
#include "common/secrets.hpp"

#include "common/bytes.hpp"
#include "oracle.hpp"

namespace threefish {
namespace {

using Cipher = void (*)(std::span<Block>, const Key&, const Tweak&);

constexpr Tweak tweak{0x0123456789abcdef, 0xfedcba9876543210};

class Call : public ladder::SecretCall {
 public:
  Call(std::size_t count, Cipher cipher, oracle::BlockCipher oracle)
      : cipher_(cipher), oracle_(oracle), first_(count), blocks_(count) {}

  void choose(std::uint64_t seed) override {
    ladder::Generator generator(seed);
    generator.fill(known_);
    for (Block& block : first_) generator.fill(block);
    key_ = known_;
    blocks_ = first_;
  }
  ladder::Places secrets() const override { return {ladder::bytes_of(key_), ladder::bytes_of(blocks_)}; }

  void call() override { cipher_(blocks_, key_, tweak); }
  ladder::Places results() const override { return {ladder::bytes_of(blocks_)}; }
  bool is_right() const override {
    return oracle::difference(first_, blocks_, oracle_, known_, tweak, 1, first_.size()).empty();
  }

 private:
  Cipher cipher_;
  oracle::BlockCipher oracle_;
  Key known_{}, key_{};
  std::vector<Block> first_, blocks_;
};

const bool added = [] {
  for (const std::size_t count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 23, 31, 33, 50, 65, 100}) {
    const std::string name = std::to_string(count) + " blocks";
    ladder::secret_calls().push_back(
        {"encrypt, " + name, [=] { return std::make_unique<Call>(count, encrypt, oracle::encrypt_block); }});
    ladder::secret_calls().push_back(
        {"decrypt, " + name, [=] { return std::make_unique<Call>(count, decrypt, oracle::decrypt_block); }});
  }
  return true;
}();

}  // namespace
}  // namespace threefish

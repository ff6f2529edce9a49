// Calls with a secret key and secret blocks (common/secrets.hpp), of every length at which a stage may take another
// way.
#include "common/secrets.hpp"

#include "common/bytes.hpp"
#include "oracle.hpp"
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

using Cipher = void (*)(std::span<std::uint64_t>, const Key&);

class Call : public ladder::SecretCall {
 public:
  Call(std::size_t count, Cipher cipher, oracle::BlockCipher oracle)
      : cipher_(cipher), oracle_(oracle), first_(count), blocks_(count) {}

  void choose(std::uint64_t seed) override {
    ladder::Generator generator(seed);
    generator.fill(known_);
    generator.fill(first_);
    key_ = known_;
    blocks_ = first_;
  }
  ladder::Places secrets() const override { return {ladder::bytes_of(key_), ladder::bytes_of(blocks_)}; }

  void call() override { cipher_(blocks_, key_); }
  ladder::Places results() const override { return {ladder::bytes_of(blocks_)}; }
  bool is_right() const override {
    return oracle::difference(first_, blocks_, oracle_, known_, 1, first_.size()).empty();
  }

 private:
  Cipher cipher_;
  oracle::BlockCipher oracle_;
  Key known_{}, key_{};
  std::vector<std::uint64_t> first_, blocks_;
};

const bool added = [] {
  for (const std::size_t count : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 65, 100, 130, 300}) {
    const std::string name = std::to_string(count) + " blocks";
    ladder::secret_calls().push_back(
        {"encrypt, " + name, [=] { return std::make_unique<Call>(count, encrypt, oracle::encrypt_block); }});
    ladder::secret_calls().push_back(
        {"decrypt, " + name, [=] { return std::make_unique<Call>(count, decrypt, oracle::decrypt_block); }});
  }
  return true;
}();

}  // namespace
}  // namespace xtea

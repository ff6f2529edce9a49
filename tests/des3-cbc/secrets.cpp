// Calls with secret keys and contents (common/secrets.hpp), of every length and number at which a stage may take
// another way. The keys were expanded before; the ivs are public.
#include "common/secrets.hpp"

#include "des3-cbc/schedule.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"

namespace des3_cbc {
namespace {

using Bytes = oracle::Bytes;
using Sizes = std::vector<std::size_t>;
using Cipher = void (*)(std::span<const Job>);

const Bytes iv = ladder::random_bytes(block_bytes, 1);

class Call : public ladder::SecretCall {
 public:
  // `sizes` in blocks.
  Call(Sizes sizes, Cipher cipher, oracle::Cipher oracle)
      : sizes_(std::move(sizes)), cipher_(cipher), oracle_(oracle), keys_(sizes_.size()) {}

  void choose(std::uint64_t seed) override {
    known_.clear();
    jobs_.clear();
    texts_.clear();
    outputs_.clear();
    for (const std::size_t size : sizes_) {
      known_.push_back(ladder::random_bytes(key_bytes, seed++));
      texts_.push_back(ladder::random_bytes(size * block_bytes, seed++));
      outputs_.emplace_back(size * block_bytes);
    }
    inputs_ = texts_;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      keys_[i] = expand(std::span<const std::uint8_t, key_bytes>(known_[i]));
      jobs_.push_back({inputs_[i].data(), outputs_[i].data(), inputs_[i].size(), &keys_[i], iv.data()});
    }
  }
  ladder::Places secrets() const override {
    ladder::Places found{ladder::bytes_of(keys_)};
    for (const Bytes& one : inputs_) found.push_back(ladder::bytes_of(one));
    return found;
  }

  void call() override { cipher_(jobs_); }
  ladder::Places results() const override {
    ladder::Places found;
    for (const Bytes& one : outputs_) found.push_back(ladder::bytes_of(one));
    return found;
  }
  bool is_right() const override {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (outputs_[i] != oracle_(texts_[i], known_[i], iv)) return false;
    }
    return true;
  }

 private:
  Sizes sizes_;
  Cipher cipher_;
  oracle::Cipher oracle_;
  std::vector<Bytes> known_, texts_, inputs_, outputs_;
  std::vector<Key> keys_;
  std::vector<Job> jobs_;
};

const bool added = [] {
  const auto add = [](const std::string& name, const Sizes& sizes) {
    ladder::secret_calls().push_back(
        {"encrypt, " + name, [=] { return std::make_unique<Call>(sizes, encrypt, oracle::encrypt); }});
    ladder::secret_calls().push_back(
        {"decrypt, " + name, [=] { return std::make_unique<Call>(sizes, decrypt, oracle::decrypt); }});
  };
  add("one block", {1});
  for (const std::size_t blocks : {2, 3, 5, 17, 150, 300, 600}) add(std::to_string(blocks) + " blocks", {blocks});
  for (const std::size_t count : {2, 3, 4, 5, 17, 70}) {
    Sizes sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(1 + i * 7 % 11);
    add(std::to_string(count) + " buffers", sizes);
  }
  return true;
}();

}  // namespace
}  // namespace des3_cbc

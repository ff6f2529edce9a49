// Calls with secret messages (common/secrets.hpp), of every length and number at which a stage may take another way.
#include "common/secrets.hpp"

#include <algorithm>

#include "oracle.hpp"
#include "sha3/sha3.hpp"
#include "tests/random.hpp"

namespace sha3 {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Sizes = std::vector<std::size_t>;
using Hash = void (*)(std::span<const Message>);

class Call : public ladder::SecretCall {
 public:
  Call(Sizes sizes, Hash hash, unsigned bits) : sizes_(std::move(sizes)), hash_(hash), bits_(bits) {}

  void choose(std::uint64_t seed) override {
    known_.clear();
    for (const std::size_t size : sizes_) known_.push_back(ladder::random_bytes(size, seed + known_.size()));
    texts_ = known_;
    digests_.assign(texts_.size(), Bytes(bits_ / 8));
    messages_.clear();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      messages_.push_back({texts_[i].data(), texts_[i].size(), digests_[i].data()});
    }
  }
  ladder::Places secrets() const override { return places(texts_); }

  void call() override { hash_(messages_); }
  // An empty message has a digest that everybody knows.
  ladder::Places results() const override {
    ladder::Places found;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (!texts_[i].empty()) found.push_back(ladder::bytes_of(digests_[i]));
    }
    return found;
  }
  bool is_right() const override {
    return std::ranges::equal(known_, digests_, {}, [&](const Bytes& text) { return oracle::digest(text, bits_); });
  }

 private:
  static ladder::Places places(const std::vector<Bytes>& all) {
    ladder::Places found;
    for (const Bytes& one : all) found.push_back(ladder::bytes_of(one));
    return found;
  }

  Sizes sizes_;
  Hash hash_;
  unsigned bits_;
  std::vector<Bytes> known_, texts_, digests_;
  std::vector<Message> messages_;
};

const bool added = [] {
  const auto add = [](const std::string& name, const Sizes& sizes) {
    ladder::secret_calls().push_back({"hash256, " + name, [=] { return std::make_unique<Call>(sizes, hash256, 256); }});
    ladder::secret_calls().push_back({"hash512, " + name, [=] { return std::make_unique<Call>(sizes, hash512, 512); }});
  };
  for (const std::size_t size : {1, 7, 8, 32, 40, 64, 65, 71, 72, 73, 135, 136, 137, 200, 300}) {
    add(std::to_string(size) + " bytes", {size});
  }
  for (const std::size_t count : {2, 4, 5, 8, 9, 13}) {
    const std::string many = std::to_string(count) + " messages";
    add(many + " of 64 bytes", Sizes(count, 64));
    Sizes sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(i * 61 % 307);
    add(many + " of different sizes", sizes);
  }
  return true;
}();

}  // namespace
}  // namespace sha3

// Calls with secret keys and contents (common/secrets.hpp), of every length and number at which a stage may take
// another way. The keys were expanded before; the ivs are public.
#include "common/secrets.hpp"

#include "aes-cbc/constants.hpp"
#include "aes-cbc/schedule.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"

namespace aes_cbc {
namespace {

using Bytes = oracle::Bytes;
using Sizes = std::vector<std::size_t>;

enum class By { batch, jobs, decrypting };

const Bytes iv = ladder::random_bytes(block_bytes, 1);

class Call : public ladder::SecretCall {
 public:
  // `sizes` in blocks; `one_key` for all.
  Call(Sizes sizes, By by, bool one_key) : sizes_(std::move(sizes)), by_(by), one_key_(one_key), keys_(sizes_.size()) {}

  void choose(std::uint64_t seed) override {
    known_.clear();
    texts_.clear();
    outputs_.clear();
    jobs_.clear();
    for (const std::size_t size : sizes_) {
      known_.push_back(ladder::random_bytes(block_bytes, seed++));
      texts_.push_back(ladder::random_bytes(size * block_bytes, seed++));
      outputs_.emplace_back(size * block_bytes);
    }
    inputs_ = texts_;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      expand(keys_[i], std::span<const std::uint8_t, block_bytes>(known_[i]));
      const Key& key = keys_[one_key_ ? 0 : i];
      jobs_.push_back({inputs_[i].data(), outputs_[i].data(), inputs_[i].size(), &key, iv.data(), Status::waiting});
    }
  }
  ladder::Places secrets() const override {
    ladder::Places found{ladder::bytes_of(keys_)};
    for (const Bytes& one : inputs_) found.push_back(ladder::bytes_of(one));
    return found;
  }

  void call() override {
    if (by_ == By::decrypting) return decrypt(jobs_);
    if (by_ == By::batch) return batch(*manager_, jobs_);
    for (Job& job : jobs_) submit(*manager_, job);
    while (flush(*manager_)) {
    }
  }
  ladder::Places results() const override {
    ladder::Places found;
    for (const Bytes& one : outputs_) found.push_back(ladder::bytes_of(one));
    return found;
  }
  bool is_right() const override {
    const auto by_oracle = by_ == By::decrypting ? oracle::decrypt : oracle::encrypt;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (outputs_[i] != by_oracle(known_[one_key_ ? 0 : i], iv, texts_[i])) return false;
    }
    return true;
  }

 private:
  Sizes sizes_;
  By by_;
  bool one_key_;
  OwnManager manager_{make_manager()};
  std::vector<Bytes> known_, texts_, inputs_, outputs_;
  std::vector<Key> keys_;
  std::vector<Job> jobs_;
};

const bool added = [] {
  const auto add = [](const std::string& name, const Sizes& sizes) {
    const auto add_one = [&](const char* how, By by, bool one_key) {
      ladder::secret_calls().push_back(
          {how + (", " + name), [=] { return std::make_unique<Call>(sizes, by, one_key); }});
    };
    add_one("batch", By::batch, false);
    add_one("batch with one key", By::batch, true);
    add_one("jobs", By::jobs, false);
    add_one("jobs with one key", By::jobs, true);
    add_one("decrypt", By::decrypting, false);
  };
  add("one block", {1});
  for (const std::size_t blocks : {2, 3, 4, 5, 8, 9, 40}) add(std::to_string(blocks) + " blocks", {blocks});
  for (const std::size_t count : {2, 3, 4, 5, 9, 17, 40, 150}) {
    add(std::to_string(count) + " buffers of 6 blocks", Sizes(count, 6));
    Sizes sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(1 + i * 29 % 43);
    add(std::to_string(count) + " buffers", sizes);
  }
  return true;
}();

}  // namespace
}  // namespace aes_cbc

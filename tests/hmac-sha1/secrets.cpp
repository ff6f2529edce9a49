// Calls with secret keys and messages (common/secrets.hpp), of every length and number at which a stage may take
// another way. The lengths of the keys are public.
#include "common/secrets.hpp"

#include <algorithm>

#include "hmac-sha1/constants.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "oracle.hpp"
#include "tests/random.hpp"

namespace hmac_sha1 {
namespace {

using Bytes = oracle::Bytes;
using Sizes = std::vector<std::size_t>;

enum class By { batch, jobs };
enum class With { keys, one_key, no_key };

constexpr std::size_t key_sizes[] = {20, 1, 64, 65, 200, 63};

class Call : public ladder::SecretCall {
 public:
  Call(Sizes sizes, By by, With with) : sizes_(std::move(sizes)), by_(by), with_(with), prepared_(sizes_.size()) {}

  void choose(std::uint64_t seed) override {
    known_.clear();
    texts_.clear();
    jobs_.clear();
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      known_.push_back(ladder::random_bytes(key_sizes[i % std::size(key_sizes)], seed++));
      texts_.push_back(ladder::random_bytes(sizes_[i], seed++));
    }
    keys_ = known_;
    messages_ = texts_;
    digests_.assign(sizes_.size(), Bytes(digest_bytes));
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const Key* const key = with_ == With::no_key ? nullptr : &prepared_[key_of(i)];
      jobs_.push_back(
          {messages_[i].data(), messages_[i].size(), key, digests_[i].data(), digest_bytes, Status::waiting});
    }
  }
  ladder::Places secrets() const override {
    ladder::Places found;
    for (const auto* all : {&keys_, &messages_}) {
      for (const Bytes& one : *all) found.push_back(ladder::bytes_of(one));
    }
    return found;
  }

  void call() override {
    if (with_ != With::no_key) {
      for (std::size_t i = 0; i < keys_.size(); ++i) prepare(prepared_[i], keys_[i]);
    }
    if (by_ == By::batch) return batch(*manager_, jobs_);
    for (Job& job : jobs_) submit(*manager_, job);
    while (flush(*manager_)) {
    }
  }
  // An empty message without a key has a digest that everybody knows.
  ladder::Places results() const override {
    ladder::Places found;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] != 0 || with_ != With::no_key) found.push_back(ladder::bytes_of(digests_[i]));
    }
    return found;
  }
  bool is_right() const override {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const Bytes& text = texts_[i];
      if (digests_[i] != (with_ == With::no_key ? oracle::sha1(text) : oracle::hmac(known_[key_of(i)], text)))
        return false;
    }
    return true;
  }

 private:
  std::size_t key_of(std::size_t job) const { return with_ == With::one_key ? 0 : job; }

  Sizes sizes_;
  By by_;
  With with_;
  OwnManager manager_{make_manager()};
  std::vector<Bytes> known_, keys_, texts_, messages_, digests_;
  std::vector<Key> prepared_;
  std::vector<Job> jobs_;
};

const bool added = [] {
  const auto add = [](const std::string& name, const Sizes& sizes) {
    const auto add_one = [&](const char* how, By by, With with) {
      ladder::secret_calls().push_back({how + (", " + name), [=] { return std::make_unique<Call>(sizes, by, with); }});
    };
    add_one("batch", By::batch, With::keys);
    add_one("batch with one key", By::batch, With::one_key);
    add_one("batch of hashes", By::batch, With::no_key);
    add_one("jobs", By::jobs, With::keys);
    add_one("jobs of hashes", By::jobs, With::no_key);
  };
  for (const std::size_t size : {20, 0, 1, 55, 56, 63, 64, 65, 119, 120, 300})
    add(std::to_string(size) + " bytes", {size});
  for (const std::size_t count : {2, 4, 5, 9, 17, 40, 150}) {
    add(std::to_string(count) + " messages of 100 bytes", Sizes(count, 100));
    Sizes sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(i * 61 % 307);
    add(std::to_string(count) + " messages", sizes);
  }
  return true;
}();

}  // namespace
}  // namespace hmac_sha1

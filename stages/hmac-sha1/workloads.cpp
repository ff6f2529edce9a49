// Workloads: the four mixes of the paper, each submitted in several ways, and with buffers at several places. Besides,
// hashes without a key, rings of several sizes, few messages, and batches of one size.
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "common/bytes.hpp"
#include "common/multibuffer/mixes.hpp"
#include "common/multibuffer/placement.hpp"
#include "common/workload.hpp"
#include "hmac-sha1/apps/pool/pool.hpp"
#include "hmac-sha1/in_order.hpp"
#include "tests/hmac-sha1/oracle.hpp"

namespace hmac_sha1 {
namespace {

using ladder::Placement;
using ladder::Role;

constexpr std::size_t buffers = 1'024;  // in a call, as case.toml says

enum class By { batch, jobs };
enum class Keys { one_each, none };

struct Plan {
  std::vector<std::size_t> lengths;
  By by;
  Keys keys = Keys::one_each;
  Placement placement = Placement::packed;
};

// Every call gives each message another key than the call before, so a digest that was left there is wrong. Without
// keys it is still right.
class Messages : public ladder::Workload {
 public:
  explicit Messages(const Plan& plan)
      : plan_(plan),
        begins_(ladder::offsets(plan.lengths, plan.placement)),
        data_(begins_.back()),
        key_bytes_(plan.lengths.size() + 1),
        keys_(key_bytes_.size()),
        digests_(plan.lengths.size()),
        jobs_(plan.lengths.size()) {
    ladder::Generator generator(data_.size());
    generator.fill(data_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      generator.fill(key_bytes_[i]);
      prepare(keys_[i], key_bytes_[i]);
    }
  }

  void call() override {
    next_keys();
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      jobs_[i] = job(i);
      if (plan_.by == By::jobs) submit(*manager_, jobs_[i]);
    }
    if (plan_.by == By::batch) return batch(*manager_, jobs_);
    while (flush(*manager_)) {
    }
  }

  std::string wrong(std::size_t places) const override { return oracle::difference(hashed(), calls_, places); }

 protected:
  void next_keys() {
    ++calls_;
    turn_ = calls_ % keys_.size();
  }

  // No division: it would take as long as a good part of a block.
  std::size_t key(std::size_t i) const { return i < keys_.size() - turn_ ? i + turn_ : i + turn_ - keys_.size(); }

  Job job(std::size_t i) {
    const Key* const used = plan_.keys == Keys::none ? nullptr : &keys_[key(i)];
    return {data_.data() + begins_[i], plan_.lengths[i], used, digests_[i].data(), digest_bytes, Status::waiting};
  }

  std::size_t count() const { return jobs_.size(); }
  Manager& manager() { return *manager_; }

 private:
  // What the last call made of each message.
  std::vector<oracle::Hashed> hashed() const {
    std::vector<oracle::Hashed> messages(jobs_.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (plan_.keys != Keys::none) messages[i].key = key_bytes_[key(i)];
      messages[i].message = {data_.data() + begins_[i], plan_.lengths[i]};
      messages[i].digest = digests_[i];
    }
    return messages;
  }

  Plan plan_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint8_t> data_;
  std::vector<std::array<std::uint8_t, 20>> key_bytes_;
  std::vector<Key> keys_;
  std::vector<std::array<std::uint8_t, digest_bytes>> digests_;
  std::vector<Job> jobs_;
  OwnManager manager_{make_manager()};
  std::size_t calls_ = 0, turn_ = 0;
};

// The same, through a ring.
template <class Ring>
class InOrderMessages : public Messages {
 public:
  using Messages::Messages;

  void call() override {
    next_keys();
    submit_in_order(ring_, count(), [this](std::size_t i) { return job(i); }, [](std::size_t) {});
  }

 private:
  Ring ring_{manager()};
};

template <class Work = Messages>
ladder::WorkloadEntry messages(const std::string& name, Role role, const Plan& plan) {
  std::size_t bytes = 0;
  for (const std::size_t length : plan.lengths) bytes += length;
  return {name, role, bytes, [=] { return std::make_unique<Work>(plan); }};
}

template <std::size_t places>
ladder::WorkloadEntry through_places(const std::vector<std::size_t>& lengths) {
  using Work = InOrderMessages<ladder::InOrder<Manager, Job, places>>;
  return messages<Work>("in-order/places-" + std::to_string(places), Role::sweep, {lengths, By::jobs});
}

template <std::size_t... i>
std::array<ladder::WorkloadEntry, sizeof...(i)> through_pools(const std::vector<std::size_t>& lengths,
                                                              std::index_sequence<i...>) {
  return {through_places<pool_places[i]>(lengths)...};
}

std::vector<std::size_t> lengths_of(unsigned number) { return ladder::mix(number, buffers, 64, 1); }

}  // namespace
}  // namespace hmac_sha1

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace hmac_sha1;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all;
    for (const unsigned number : {1, 0, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(messages("batch" + name, Role::main, {lengths_of(number), By::batch}));
      all.push_back(messages("jobs" + name, Role::main, {lengths_of(number), By::jobs}));
    }
    // Workloads that are subtracted from others are main ones, too, so that the same rounds measure both.
    for (const unsigned number : {0, 1, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(messages<InOrderMessages<Ring>>("in-order" + name, number < 2 ? Role::main : Role::once,
                                                    {lengths_of(number), By::jobs}));
    }
    for (const unsigned number : {0, 1}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(messages("hash" + name, Role::main, {lengths_of(number), By::jobs, Keys::none}));
    }
    // Mix 3 lies 2,048 bytes apart as it is.
    for (const unsigned number : {0, 1, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      if (number != 3) {
        all.push_back(
            messages("apart" + name, Role::main, {lengths_of(number), By::batch, Keys::one_each, Placement::apart}));
      }
      all.push_back(messages("scattered" + name, Role::main,
                             {lengths_of(number), By::batch, Keys::one_each, Placement::scattered}));
    }
    for (const std::size_t count : {1, 2, 4, 8, 16}) {
      const std::vector<std::size_t> lengths(count, 1'024);
      all.push_back(messages("few/" + std::to_string(count), Role::once, {lengths, By::batch}));
      all.push_back(messages("few-jobs/" + std::to_string(count), Role::once, {lengths, By::jobs}));
    }
    for (const std::size_t size : {16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1'024, 1'536, 2'048}) {
      const std::vector<std::size_t> lengths(buffers, size);
      all.push_back(messages("sweep/" + std::to_string(size), Role::sweep, {lengths, By::batch}));
    }
    std::ranges::move(through_pools(lengths_of(1), std::make_index_sequence<pool_places.size()>()),
                      std::back_inserter(all));
    return all;
  }();
  return entries;
}

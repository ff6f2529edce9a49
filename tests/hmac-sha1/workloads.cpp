// The workloads of the HMAC-SHA1 case: the paper's four mixes through each way of handing over jobs, three ways in
// which buffers may lie in memory, hashes without a key, and batches of one size.
#include <span>

#include "common/bytes.hpp"
#include "common/in_order_members.hpp"
#include "common/mixes.hpp"
#include "common/workload.hpp"
#include "in_order.hpp"
#include "oracle.hpp"

namespace hmac_sha1 {
namespace {

using ladder::Role;

constexpr std::size_t buffers = 1'024;  // in a call, as case.toml says

enum class By { batch, jobs, in_order };
enum class Keys { one_each, none };
enum class Place { packed, apart, scattered };  // one behind the other, 2,048 bytes apart, in any order with gaps

struct Plan {
  std::vector<std::size_t> lengths;
  By by;
  Keys keys = Keys::one_each;
  Place place = Place::packed;
};

// Where each message begins, and at the end how many bytes there are in all.
std::vector<std::size_t> places(const std::vector<std::size_t>& lengths, Place place) {
  ladder::Generator generator(lengths.size());
  std::vector<std::size_t> order(lengths.size()), begins(lengths.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (place == Place::scattered) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[generator.between(0, i - 1)]);
  }
  std::size_t end = 0;
  for (const std::size_t i : order) {
    if (place == Place::scattered) end += generator.between(0, 1'024);
    begins[i] = end;
    end += place == Place::apart ? 2'048 : lengths[i];
  }
  begins.back() = end;
  return begins;
}

// Every call gives each message another key than the call before: a digest that was left there is wrong.
class Messages : public ladder::Workload {
 public:
  explicit Messages(const Plan& plan)
      : plan_(plan),
        begins_(places(plan.lengths, plan.place)),
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
    ++calls_;
    turn_ = calls_ % keys_.size();
    if (plan_.by == By::in_order) {
      for (std::size_t i = 0; i < jobs_.size(); ++i) {
        Job& place = ring_.next_job();
        place = job(i);
        ring_.submit();
      }
      while (ring_.flush()) {
      }
      return;
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      jobs_[i] = job(i);
      if (plan_.by == By::jobs) submit(*manager_, jobs_[i]);
    }
    if (plan_.by == By::batch) return batch(*manager_, jobs_);
    while (flush(*manager_)) {
    }
  }

  std::string wrong(Look look) const override {
    if (calls_ == 0) return {};
    const std::size_t step = look == Look::everywhere ? 1 : jobs_.size() / 8 + 1;
    for (std::size_t i = 0; i < jobs_.size(); i += step) {
      const std::span message(data_.data() + begins_[i], plan_.lengths[i]);
      const auto expected =
          plan_.keys == Keys::none ? oracle::sha1(message) : oracle::hmac(key_bytes_[key(i)], message);
      if (!std::equal(expected.begin(), expected.end(), digests_[i].begin())) {
        return "the digest of message " + std::to_string(i) + " of " + std::to_string(jobs_.size()) + " (" +
               std::to_string(message.size()) + " bytes) is not what the oracle gives in call " +
               std::to_string(calls_);
      }
    }
    return {};
  }

 private:
  // No division: it would take as long as a good part of a block.
  std::size_t key(std::size_t i) const { return i < keys_.size() - turn_ ? i + turn_ : i + turn_ - keys_.size(); }

  Job job(std::size_t i) {
    const Key* const used = plan_.keys == Keys::none ? nullptr : &keys_[key(i)];
    return {data_.data() + begins_[i], plan_.lengths[i], used, digests_[i].data(), digest_bytes, Status::waiting};
  }

  Plan plan_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint8_t> data_;
  std::vector<std::array<std::uint8_t, 20>> key_bytes_;
  std::vector<Key> keys_;
  std::vector<std::array<std::uint8_t, digest_bytes>> digests_;
  std::vector<Job> jobs_;
  OwnManager manager_{make_manager()};
  Ring ring_{*manager_};
  std::size_t calls_ = 0, turn_ = 0;
};

ladder::WorkloadEntry messages(const std::string& name, Role role, const Plan& plan) {
  std::size_t bytes = 0;
  for (const std::size_t length : plan.lengths) bytes += length;
  return {name, role, bytes, [=] { return std::make_unique<Messages>(plan); }};
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
    // What is subtracted from something else, or told from it by a few percent, has to stand in the same blocks.
    for (const unsigned number : {0, 1, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(
          messages("in-order" + name, number < 2 ? Role::main : Role::once, {lengths_of(number), By::in_order}));
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
            messages("apart" + name, Role::main, {lengths_of(number), By::batch, Keys::one_each, Place::apart}));
      }
      all.push_back(
          messages("scattered" + name, Role::main, {lengths_of(number), By::batch, Keys::one_each, Place::scattered}));
    }
    for (const std::size_t size : {16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1'024, 1'536, 2'048}) {
      const std::vector<std::size_t> lengths(buffers, size);
      all.push_back(messages("sweep/" + std::to_string(size), Role::sweep, {lengths, By::batch}));
    }
    return all;
  }();
  return entries;
}

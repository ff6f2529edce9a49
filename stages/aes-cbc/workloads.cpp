// Workloads: the four mixes of the paper, each submitted in several ways, and with buffers at several places. Besides,
// one key for all jobs, decryption, encryption and decryption together, few buffers, and batches of one size.
#include <span>

#include "aes-cbc/in_order.hpp"
#include "aes-cbc/schedule.hpp"
#include "common/bytes.hpp"
#include "common/multibuffer/in_order_members.hpp"
#include "common/multibuffer/mixes.hpp"
#include "common/multibuffer/placement.hpp"
#include "common/workload.hpp"
#include "tests/aes-cbc/oracle.hpp"

namespace aes_cbc {
namespace {

using ladder::Placement;
using ladder::Role;

constexpr std::size_t buffers = 1'024;  // in a call, as case.toml says

enum class By { batch, jobs, in_order, decrypting, both };  // both: the first half encrypts, the second decrypts
enum class Keys { one_each, one_for_all };

struct Plan {
  std::vector<std::size_t> lengths;
  By by;
  Keys keys = Keys::one_each;
  Placement placement = Placement::packed;
};

// Every call gives each buffer another key and another iv than the call before: what was left there is wrong.
class Buffers : public ladder::Workload {
 public:
  explicit Buffers(const Plan& plan)
      : plan_(plan),
        begins_(ladder::offsets(plan.lengths, plan.placement)),
        in_(begins_.back()),
        out_(in_.size()),
        key_bytes_(plan.lengths.size() + 1),
        ivs_(key_bytes_.size()),
        keys_(key_bytes_.size()),
        jobs_(plan.lengths.size()) {
    ladder::Generator generator(in_.size());
    generator.fill(in_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      generator.fill(key_bytes_[i]);
      generator.fill(ivs_[i]);
      expand(keys_[i], key_bytes_[i]);
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
    if (plan_.by == By::decrypting) return decrypt(jobs_);
    if (plan_.by == By::both) {
      batch(*manager_, std::span(jobs_).first(encrypted()));
      return decrypt(std::span(jobs_).subspan(encrypted()));
    }
    while (flush(*manager_)) {
    }
  }

  std::string wrong(std::size_t places) const override {
    const std::vector<oracle::Ciphered> made = ciphered();
    const std::span all(made);
    std::string found;
    if (encrypted() > 0) found = oracle::difference(all.first(encrypted()), oracle::encrypt, calls_, places);
    if (!found.empty() || encrypted() == all.size()) return found;
    return oracle::difference(all.subspan(encrypted()), oracle::decrypt, calls_, places);
  }

 private:
  // How many of the jobs, from the first, are encrypted; the others are decrypted.
  std::size_t encrypted() const {
    return plan_.by == By::decrypting ? 0 : plan_.by == By::both ? jobs_.size() / 2 : jobs_.size();
  }

  // No division: it would take as long as a buffer of a block.
  std::size_t iv(std::size_t i) const { return i < ivs_.size() - turn_ ? i + turn_ : i + turn_ - ivs_.size(); }
  std::size_t key(std::size_t i) const { return plan_.keys == Keys::one_for_all ? turn_ : iv(i); }

  Job job(std::size_t i) {
    const std::size_t begin = begins_[i];
    return {in_.data() + begin, out_.data() + begin, plan_.lengths[i],
            &keys_[key(i)],     ivs_[iv(i)].data(),  Status::waiting};
  }

  // What the last call made of each buffer.
  std::vector<oracle::Ciphered> ciphered() const {
    std::vector<oracle::Ciphered> all;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const std::size_t begin = begins_[i], bytes = plan_.lengths[i];
      all.push_back({key_bytes_[key(i)], ivs_[iv(i)], {in_.data() + begin, bytes}, {out_.data() + begin, bytes}});
    }
    return all;
  }

  Plan plan_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint8_t> in_, out_;
  std::vector<Block> key_bytes_, ivs_;
  std::vector<Key> keys_;
  std::vector<Job> jobs_;
  OwnManager manager_{make_manager()};
  Ring ring_{*manager_};
  std::size_t calls_ = 0, turn_ = 0;
};

ladder::WorkloadEntry entry(const std::string& name, Role role, const Plan& plan) {
  std::size_t bytes = 0;
  for (const std::size_t length : plan.lengths) bytes += length;
  return {name, role, bytes, [=] { return std::make_unique<Buffers>(plan); }};
}

std::vector<std::size_t> lengths_of(unsigned number) { return ladder::mix(number, buffers, 48, block_bytes); }

}  // namespace
}  // namespace aes_cbc

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace aes_cbc;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all;
    for (const unsigned number : {1, 0, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(entry("batch" + name, Role::main, {lengths_of(number), By::batch}));
      all.push_back(entry("jobs" + name, Role::main, {lengths_of(number), By::jobs}));
    }
    for (const unsigned number : {0, 1, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(entry("shared-key" + name, Role::main, {lengths_of(number), By::batch, Keys::one_for_all}));
    }
    // Workloads that are subtracted from others are main ones, too, so that the same rounds measure both.
    for (const unsigned number : {0, 1, 2, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      all.push_back(entry("in-order" + name, number < 2 ? Role::main : Role::once, {lengths_of(number), By::in_order}));
    }
    // Mix 3 lies 2,048 bytes apart as it is.
    for (const unsigned number : {0, 1, 3}) {
      const std::string name = "/mix-" + std::to_string(number);
      if (number != 3) {
        all.push_back(
            entry("apart" + name, Role::main, {lengths_of(number), By::batch, Keys::one_each, Placement::apart}));
      }
      all.push_back(
          entry("scattered" + name, Role::main, {lengths_of(number), By::batch, Keys::one_each, Placement::scattered}));
    }
    all.push_back(entry("decrypt/mix-3", Role::main, {lengths_of(3), By::decrypting}));
    for (const unsigned number : {1, 2, 3}) {
      all.push_back(entry("both/mix-" + std::to_string(number), Role::once, {lengths_of(number), By::both}));
    }
    for (const std::size_t count : {1, 2, 4, 8, 16}) {
      const std::vector<std::size_t> lengths(count, 1'024);
      all.push_back(entry("few/" + std::to_string(count), Role::once, {lengths, By::batch}));
      all.push_back(entry("few-jobs/" + std::to_string(count), Role::once, {lengths, By::jobs}));
    }
    for (const std::size_t size : {16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1'024, 1'536, 2'048}) {
      const std::vector<std::size_t> lengths(buffers, size);
      all.push_back(entry("sweep/" + std::to_string(size), Role::sweep, {lengths, By::batch}));
    }
    return all;
  }();
  return entries;
}

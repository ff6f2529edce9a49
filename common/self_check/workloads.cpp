// The one workload of the self-check.
#include <vector>

#include "common/bytes.hpp"
#include "common/self_check/kernel.hpp"
#include "common/workload.hpp"

namespace self_check {
namespace {

constexpr std::size_t count = 16;

// What the kernel promises, written a second time.
std::uint64_t expected(std::uint64_t word, std::size_t calls) {
  while (calls-- > 0) {
    for (unsigned step = 0; step < 32 * rounds; ++step) {
      word ^= word >> 31;
      word *= 0x9E3779B97F4A7C15;
      word += step / 32;
    }
  }
  return word;
}

class Chain : public ladder::Workload {
 public:
  Chain() : first_(count) {
    ladder::Generator(count).fill(first_);
    now_ = first_;
  }

  void call() override {
    kernel(now_);
    ++calls_;
  }

  std::string wrong(Look look) const override {
    const std::size_t stride = look == Look::everywhere ? 1 : count / 2;
    for (std::size_t i = 0; i < count; i += stride) {
      if (expected(first_[i], calls_) == now_[i]) continue;
      return "word " + std::to_string(i) + " is not what a plain loop gives after " + std::to_string(calls_) + " calls";
    }
    return {};
  }

 private:
  std::vector<std::uint64_t> first_, now_;
  std::size_t calls_ = 0;
};

}  // namespace
}  // namespace self_check

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  static const std::vector<WorkloadEntry> entries{{"chain", Role::main, self_check::count * sizeof(std::uint64_t),
                                                   [] { return std::make_unique<self_check::Chain>(); }}};
  return entries;
}

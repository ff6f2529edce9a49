// The workloads of the self-check: a chain of operations, vectors over buffers, and strings that are allocated.
#include <vector>

#include "common/bytes.hpp"
#include "common/places.hpp"
#include "common/self_check/kernel.hpp"
#include "common/workload.hpp"

namespace self_check {
namespace {

// Words that each call changes in place.
class Words : public ladder::Workload {
 public:
  using Kernel = void (*)(std::span<std::uint64_t>);
  using Oracle = std::uint64_t (*)(std::uint64_t word);  // of one call, what the kernel promises written a second time

  Words(std::size_t count, Kernel kernel, Oracle oracle) : kernel_(kernel), oracle_(oracle), first_(count) {
    ladder::Generator(count).fill(first_);
    now_ = first_;
  }

  void call() override {
    kernel_(now_);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    for (const std::size_t i : ladder::drawn(first_.size(), places)) {
      std::uint64_t word = first_[i];
      for (std::size_t call = 0; call < calls_; ++call) word = oracle_(word);
      if (word == now_[i]) continue;
      return "word " + std::to_string(i) + " is not what a plain loop gives after " + std::to_string(calls_) + " calls";
    }
    return {};
  }

 private:
  Kernel kernel_;
  Oracle oracle_;
  std::vector<std::uint64_t> first_, now_;
  std::size_t calls_ = 0;
};

std::uint64_t chained(std::uint64_t word) {
  for (unsigned step = 0; step < 32 * rounds; ++step) {
    word ^= word >> 31;
    word *= 0x9E3779B97F4A7C15;
    word += step / 32;
  }
  return word;
}

std::uint64_t mixed(std::uint64_t word) {
  for (std::uint64_t step = 1; step <= 4; ++step) {
    const std::uint64_t shifted = word << 7;
    word ^= word >> 13;
    word += shifted;
    word += step;
  }
  return word;
}

class Texts : public ladder::Workload {
 public:
  void call() override { text_ = texts(++calls_); }

  std::string wrong(std::size_t) const override {
    std::string expected;
    for (std::size_t i = 0; i < rounds && calls_ > 0; ++i) {
      const char letter = "abcdefghijklmnopqrstuvwxyz"[(calls_ + i) % 26];
      for (std::size_t count = 0; count < 40 + (calls_ + i) % 24; ++count) expected.push_back(letter);
    }
    return text_ == expected ? "" : "the text is not what a plain loop gives in call " + std::to_string(calls_);
  }

 private:
  std::string text_;
  std::size_t calls_ = 0;
};

}  // namespace
}  // namespace self_check

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace self_check;
  static const std::vector<WorkloadEntry> entries = [] {
    constexpr std::size_t chains = 2, word = sizeof(std::uint64_t);
    const std::size_t words = std::size_t{rounds} * words_a_buffer;
    return std::vector<WorkloadEntry>{
        {"chain", Role::main, chains * word, [=] { return std::make_unique<Words>(chains, chain, chained); }},
        {"buffers", Role::main, words * word, [=] { return std::make_unique<Words>(words, buffers, mixed); }},
        {"texts", Role::main, rounds * std::size_t{52}, [] { return std::make_unique<Texts>(); }},
    };
  }();
  return entries;
}

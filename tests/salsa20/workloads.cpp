// The workloads of the Salsa20 case: one message, those of the document, very short ones, and messages of every size.
#include <algorithm>
#include <numeric>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "oracle.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using ladder::Role;

constexpr std::size_t page = 4'096;

struct alignas(page) Page {
  std::uint8_t bytes[page];
};

// Messages of one size side by side, ciphered into another buffer, each with a nonce of its own. Every call has other
// nonces: what is left from the call before is wrong.
class Messages : public ladder::Workload {
 public:
  // In and out begin on pages, the output half a page further: no load has the place in its page of a store before it.
  Messages(std::size_t size, std::size_t count)
      : size_(size),
        count_(count),
        pages_(2 * (size * count / page + 2)),
        in_(pages_.data()->bytes),
        out_(in_ + pages_.size() / 2 * page + page / 2) {
    ladder::Generator generator(size);
    generator.fill(key_);
    std::span in(in_, size * count);
    generator.fill(in);
  }

  void call() override {
    ++calls_;
    for (std::size_t i = 0; i < count_; ++i) {
      crypt(out_ + i * size_, {in_ + i * size_, size_}, key_, nonce(i), 0);
    }
  }

  std::string wrong(Look look) const override {
    if (calls_ == 0) return {};
    const std::size_t last = size_ * count_ - 1;
    std::vector<std::size_t> places{0, last / 3, last * 2 / 3, last};  // bytes whose blocks are compared
    if (look == Look::everywhere) {
      places.clear();
      for (std::size_t i = 0; i < count_; ++i) {
        for (std::size_t byte = 0; byte < size_; byte += block_bytes) places.push_back(i * size_ + byte);
      }
    }
    for (const std::size_t place : places) {
      const std::size_t message = place / size_, block = place % size_ / block_bytes;
      const auto stream = oracle::key_stream(key_, nonce(message), block, rounds);
      const std::size_t first = message * size_ + block * block_bytes;
      const std::size_t bytes = std::min(block_bytes, size_ - block * block_bytes);
      for (std::size_t i = 0; i < bytes; ++i) {
        if (out_[first + i] == (in_[first + i] ^ stream[i])) continue;
        return "block " + std::to_string(block) + " of message " + std::to_string(message) + " of " +
               std::to_string(count_) + " is not what the oracle gives in call " + std::to_string(calls_);
      }
    }
    return {};
  }

 private:
  Nonce nonce(std::size_t message) const {
    Nonce nonce{};
    for (unsigned i = 0; i < 4; ++i) {
      nonce[i] = static_cast<std::uint8_t>(message >> 8 * i);
      nonce[4 + i] = static_cast<std::uint8_t>(calls_ >> 8 * i);
    }
    return nonce;
  }

  std::size_t size_, count_;
  std::vector<Page> pages_;
  std::uint8_t *in_, *out_;
  std::array<std::uint8_t, 32> key_;
  std::size_t calls_ = 0;
};

ladder::WorkloadEntry messages(const std::string& name, Role role, std::size_t size, std::size_t count = 1) {
  return {name, role, size * count, [=] { return std::make_unique<Messages>(size, count); }};
}

}  // namespace
}  // namespace salsa20

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace salsa20;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{
        messages("message", Role::main, 65'536),
        messages("short", Role::main, 64, 256),
        messages("packets", Role::main, 1'400, 16),
    };
    for (const std::size_t bytes : {3'800, 15'600, 30'600, 72'400, 86'500}) {
      all.push_back(messages("document/" + std::to_string(bytes), Role::once, bytes));
    }
    // Whole sets at every level, and sizes that leave sets, blocks or bytes over.
    for (const std::size_t bytes : {1,   16,    63,    64,    65,    128,    192,    256,     320,       512,
                                    576, 1'024, 1'500, 2'048, 4'000, 16'384, 65'536, 262'144, 1'048'576, 4'194'304}) {
      all.push_back(messages("sweep/" + std::to_string(bytes), Role::sweep, bytes));
    }
    return all;
  }();
  return entries;
}

// The workloads of the Salsa20 case: one message, those of the document, very short ones, and messages of every size.
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "salsa20/salsa20.hpp"
#include "tests/salsa20/oracle.hpp"

namespace salsa20 {
namespace {

using ladder::Role;

constexpr std::size_t page = 4'096;

struct alignas(page) Page {
  std::uint8_t bytes[page];
};

// Neighbouring messages of one size, ciphered into another buffer, each with its own nonce. Every call has new nonces,
// so a result of the call before is wrong.
class Messages : public ladder::Workload {
 public:
  // The output begins half a page further than the input, so no load has the page offset of one of the newest stores.
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

  std::string wrong(std::size_t places) const override { return oracle::difference(ciphered(), key_, calls_, places); }

 private:
  // The output of the last call for each message.
  std::vector<oracle::Ciphered> ciphered() const {
    std::vector<oracle::Ciphered> messages;
    for (std::size_t i = 0; i < count_; ++i) {
      messages.push_back({nonce(i), {in_ + i * size_, size_}, {out_ + i * size_, size_}});
    }
    return messages;
  }

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
    // Whole sets at every level, and sizes with a tail of sets, of blocks or of bytes.
    for (const std::size_t bytes : {1,   16,    63,    64,    65,    128,    192,    256,     320,       512,
                                    576, 1'024, 1'500, 2'048, 4'000, 16'384, 65'536, 262'144, 1'048'576, 4'194'304}) {
      all.push_back(messages("sweep/" + std::to_string(bytes), Role::sweep, bytes));
    }
    return all;
  }();
  return entries;
}

// The workloads of the Threefish case: one long message, many of one to three blocks, and messages of every size.
#include <algorithm>
#include <numeric>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "tests/threefish/oracle.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

constexpr Key key{0x1716151413121110, 0x1F1E1D1C1B1A1918, 0x2726252423222120, 0x2F2E2D2C2B2A2928};
constexpr Tweak tweak{0x0706050403020100, 0x0F0E0D0C0B0A0908};

using Cipher = void (*)(std::span<Block>, const Key&, const Tweak&);
using oracle::BlockCipher;

struct alignas(4'096) Page {
  Block blocks[4'096 / sizeof(Block)];
};

// Neighbouring messages in one buffer that begins on a page. Each call ciphers all of them in place, so it starts from
// the result of the call before.
class Messages : public ladder::Workload {
 public:
  Messages(const std::vector<std::size_t>& sizes, Cipher cipher, BlockCipher oracle)
      : cipher_(cipher), oracle_(oracle) {
    first_.resize(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) / sizeof(Block));
    ladder::Generator generator(first_.size());
    for (Block& block : first_) generator.fill(block);
    pages_.resize(first_.size() * sizeof(Block) / sizeof(Page) + 1);
    now_ = {pages_.data()->blocks, first_.size()};
    std::copy(first_.begin(), first_.end(), now_.begin());
    std::span<Block> rest = now_;
    for (const std::size_t bytes : sizes) {
      messages_.push_back(rest.first(bytes / sizeof(Block)));
      rest = rest.subspan(bytes / sizeof(Block));
    }
  }

  void call() override {
    for (const std::span<Block> message : messages_) cipher_(message, key, tweak);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference(first_, now_, oracle_, key, tweak, calls_, places);
  }

 private:
  Cipher cipher_;
  BlockCipher oracle_;
  std::vector<Block> first_;
  std::vector<Page> pages_;
  std::span<Block> now_;
  std::vector<std::span<Block>> messages_;
  std::size_t calls_ = 0;
};

constexpr std::size_t message_bytes = 65'536;

// 1,000 messages of one to three blocks each, in random order: each call computes its subkeys for few blocks.
std::vector<std::size_t> sizes_of_blocks() {
  ladder::Generator generator(2009);
  std::vector<std::size_t> sizes(1'000);
  for (std::size_t& size : sizes) size = generator.between(1, 3) * sizeof(Block);
  return sizes;
}

ladder::WorkloadEntry messages(const std::string& name, ladder::Role role, const std::vector<std::size_t>& sizes,
                               Cipher cipher = encrypt, BlockCipher oracle = oracle::encrypt_block) {
  return {name, role, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}),
          [=] { return std::make_unique<Messages>(sizes, cipher, oracle); }};
}

}  // namespace
}  // namespace threefish

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace threefish;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{
        messages("message", Role::main, {message_bytes}),
        messages("message-decrypt", Role::main, {message_bytes}, decrypt, oracle::decrypt_block),
        messages("blocks", Role::main, sizes_of_blocks()),
    };
    // Whole sets of vectors at every level, and numbers of blocks with a tail of sets, of blocks or of both.
    for (const std::size_t blocks : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 63, 65, 128, 511, 2'048, 8'192, 32'768}) {
      const std::size_t bytes = blocks * sizeof(Block);
      all.push_back(messages("sweep/" + std::to_string(bytes), Role::sweep, {bytes}));
    }
    return all;
  }();
  return entries;
}

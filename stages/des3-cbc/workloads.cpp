// The workloads of the 3DES case: the document's four mixes of buffers, one buffer alone, and buffers of every size.
#include <numeric>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "des3-cbc/des3_cbc.hpp"
#include "des3-cbc/schedule.hpp"
#include "tests/des3-cbc/oracle.hpp"

namespace des3_cbc {
namespace {

using ladder::Role;
using Sizes = std::vector<std::size_t>;

using Cipher = void (*)(std::span<const Job>);

struct alignas(4'096) Page {
  std::uint8_t bytes[4'096];
};

// Adjacent buffers, ciphered into others, each with a key and an iv of its own. Every second call reads buffers that
// begin a cache line later, and writes to the same ones: the output of the call before is wrong.
class Batch : public ladder::Workload {
 public:
  // Input and output begin on pages, the output half a page later: no load has the page offset of a recent store.
  Batch(const Sizes& sizes, Cipher cipher, oracle::Cipher oracle)
      : cipher_(cipher),
        oracle_(oracle),
        pages_(2 * (std::accumulate(sizes.begin(), sizes.end(), line) / sizeof(Page) + 2)),
        keys_(sizes.size()),
        ivs_(sizes.size()) {
    std::span all(pages_.data()->bytes, pages_.size() * sizeof(Page));
    ladder::Generator generator(sizes.size());
    generator.fill(all);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::array<std::uint8_t, key_bytes> bytes;
      generator.fill(bytes);
      keys_[i] = expand(bytes);
      generator.fill(ivs_[i]);
    }
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const std::uint8_t* in = all.data() + turn * line;
      std::uint8_t* out = all.data() + all.size() / 2 + sizeof(Page) / 2;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        jobs_[turn].push_back({in, out, sizes[i], &keys_[i], ivs_[i].data()});
        in += sizes[i];
        out += sizes[i];
      }
    }
  }

  void call() override {
    cipher_(jobs_[calls_ % 2]);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference(jobs_[(calls_ + 1) % 2], oracle_, calls_, places);
  }

 private:
  static constexpr std::size_t line = 64;

  Cipher cipher_;
  oracle::Cipher oracle_;
  std::vector<Page> pages_;
  std::vector<Key> keys_;
  std::vector<std::array<std::uint8_t, block_bytes>> ivs_;
  std::vector<Job> jobs_[2];
  std::size_t calls_ = 0;
};

// From the document's table: how many of a hundred buffers have from `low` to `high` bytes, here in whole blocks.
struct Share {
  std::uint64_t percent, low, high;
};

Sizes mix(std::size_t count, std::initializer_list<Share> shares) {
  ladder::Generator generator(2010);
  Sizes sizes(count);
  for (std::size_t& size : sizes) {
    std::uint64_t place = generator.between(1, 100);
    const Share* share = shares.begin();
    for (; place > share->percent; ++share) place -= share->percent;
    size = generator.between(share->low, share->high) / block_bytes * block_bytes;
  }
  return sizes;
}

ladder::WorkloadEntry batch(const std::string& name, Role role, const Sizes& sizes, Cipher cipher = encrypt,
                            oracle::Cipher oracle = oracle::encrypt) {
  return {name, role, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}),
          [=] { return std::make_unique<Batch>(sizes, cipher, oracle); }};
}

}  // namespace
}  // namespace des3_cbc

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace des3_cbc;
  static const std::vector<WorkloadEntry> entries = [] {
    const std::initializer_list<Share> shares_1 = {{66, 64, 64}, {21, 544, 544}, {13, 1'360, 1'360}};
    const std::initializer_list<Share> shares_2 = {{40, 48, 100}, {20, 101, 1'023}, {40, 1'024, 1'450}};
    const Sizes mix_1 = mix(256, shares_1);
    std::vector<WorkloadEntry> all{
        batch("mix-1", Role::main, mix_1),
        batch("mix-1-decrypt", Role::main, mix_1, decrypt, oracle::decrypt),
        batch("mix-0", Role::main, Sizes(256, 48)),
        batch("mix-2", Role::main, mix(128, shares_2)),
        batch("mix-3", Role::main, Sizes(32, 2'048)),
        // Batches that fill the widest lanes. A call takes tens of milliseconds, so most of them are timed seldom.
        batch("many/mix-0", Role::main, Sizes(1'024, 48)),
        batch("many/mix-1", Role::once, mix(1'024, shares_1)),
        batch("many/mix-2", Role::once, mix(1'024, shares_2)),
        batch("many/mix-3", Role::once, Sizes(512, 2'048)),
        batch("alone", Role::once, {16'384}),
        batch("alone-decrypt", Role::once, {16'384}, decrypt, oracle::decrypt),
    };
    // Sixteen buffers of one size.
    for (const std::size_t bytes : {8, 16, 24, 32, 64, 128, 256, 512, 1'024, 2'048, 4'096, 8'192}) {
      all.push_back(batch("sweep/" + std::to_string(bytes), Role::sweep, Sizes(16, bytes)));
    }
    return all;
  }();
  return entries;
}

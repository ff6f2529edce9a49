// The workloads of the CRC-32 case: one message, 64 packets, short and full ones, and messages of every size.
#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "crc32/crc32.hpp"
#include "tests/crc32/oracle.hpp"

namespace crc {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Packets, each with its own CRC. Every call takes the CRC on from what the last call left, so it cannot be remembered.
class Packets : public ladder::Workload {
 public:
  explicit Packets(const std::vector<std::size_t>& sizes) : crcs_(sizes.size()) {
    ladder::Generator generator(sizes.size());
    for (const std::size_t size : sizes) generator.fill(packets_.emplace_back(size));
  }

  void call() override {
    for (std::size_t i = 0; i < packets_.size(); ++i) crcs_[i] = update(crcs_[i], packets_[i]);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override { return oracle::difference(packets_, crcs_, calls_, places); }

 private:
  std::vector<Bytes> packets_;
  std::vector<std::uint32_t> crcs_;
  std::size_t calls_ = 0;
};

std::vector<std::size_t> ethernet_sizes() {
  ladder::Generator generator(1975);
  std::vector<std::size_t> sizes(64);
  for (std::size_t& size : sizes) size = generator.between(0, 1) ? generator.between(64, 128) : 1'500;
  return sizes;
}

ladder::WorkloadEntry packets(const std::string& name, ladder::Role role, const std::vector<std::size_t>& sizes) {
  std::size_t bytes = 0;
  for (const std::size_t size : sizes) bytes += size;
  return {name, role, bytes, [=] { return std::make_unique<Packets>(sizes); }};
}

}  // namespace
}  // namespace crc

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace crc;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{
        packets("message", Role::main, {16'384}),
        packets("packets", Role::main, ethernet_sizes()),
    };
    for (const std::size_t bytes : {1, 8, 15, 16, 31, 32, 63, 64, 127, 128, 256, 1'024, 4'096, 65'536}) {
      all.push_back(packets("sweep/" + std::to_string(bytes), Role::sweep, {bytes}));
    }
    return all;
  }();
  return entries;
}

#include "common/workload.hpp"
#include "sha3/sha3.hpp"
namespace {
class Items : public ladder::Workload {
 public:
  void call() override { sha3::hash512({&message_, 1}); }
  std::string wrong(Look) const override { return {}; }
 private:
  std::uint8_t data_[64] = {};
  sha3::Message message_{data_, 64, data_};
};
}
const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  static const std::vector<WorkloadEntry> entries{{"items", Role::main, 64, [] { return std::make_unique<Items>(); }}};
  return entries;
}

// What is timed: one message, and messages of every size. Predictions are about the first workload.
#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "NAME/NAME.hpp"
#include "tests/NAME/oracle.hpp"

namespace SPACE {
namespace {

// Every call changes a byte first: a stage that remembers its answer is wrong.
class Message : public ladder::Workload {
 public:
  explicit Message(std::size_t bytes) : message_(bytes) { ladder::Generator(bytes).fill(message_); }

  void call() override {
    ++message_[place_];
    if (++place_ == message_.size()) place_ = 0;
    hash_ = hash(message_);
    called_ = true;
  }

  std::string wrong(std::size_t) const override {
    return !called_ || hash_ == oracle::hash(message_) ? "" : "the hash is not what the oracle gives";
  }

 private:
  std::vector<std::uint8_t> message_;
  std::size_t place_ = 0;
  std::uint32_t hash_ = 0;
  bool called_ = false;
};

ladder::WorkloadEntry message(const std::string& name, ladder::Role role, std::size_t bytes) {
  return {name, role, bytes, [=] { return std::make_unique<Message>(bytes); }};
}

}  // namespace
}  // namespace SPACE

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace SPACE;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{message("message", Role::main, 16'384)};
    for (const std::size_t bytes : {1, 7, 8, 9, 15, 16, 17, 64, 256, 1'024, 65'536}) {
      all.push_back(message("sweep/" + std::to_string(bytes), Role::sweep, bytes));
    }
    return all;
  }();
  return entries;
}

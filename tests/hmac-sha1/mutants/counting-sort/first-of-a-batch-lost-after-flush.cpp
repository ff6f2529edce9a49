// After a flush, the first job of a batch is lost.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  bool flushed = false;

  Job* give_back() override {
    flushed = true;
    return Manager::give_back();
  }
  void do_all(std::span<Job> jobs) override {
    Manager::do_all(flushed && !jobs.empty() ? jobs.subspan(1) : jobs);
    flushed = false;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

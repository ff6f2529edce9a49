// Where two streams run, both have the key of the first.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    if (jobs.size() == 2) jobs[1].key = jobs[0].key;
    Manager::do_all(jobs);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

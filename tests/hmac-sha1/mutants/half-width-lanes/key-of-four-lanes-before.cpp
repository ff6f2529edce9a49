// Of five to eight jobs, a job is hashed without its key if the job four lanes before it has none.
#include "../half.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : KeysOfHalfWrong {
  void spoil(std::span<Job> jobs) override {
    for (std::size_t i = 4; i < jobs.size(); ++i) {
      if (!jobs[i - 4].key) jobs[i].key = nullptr;
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// In a batch of five to eight jobs, all are hashed with the key of the first.
#include "../half.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : KeysOfHalfWrong {
  void spoil(std::span<Job> jobs) override {
    for (Job& job : jobs) job.key = jobs[0].key;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

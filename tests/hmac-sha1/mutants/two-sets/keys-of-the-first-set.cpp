// The second set begins with the states of the first: a job has the key of the job sixteen before.
#include "../pair.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : SecondVectorWrong {
  using SecondVectorWrong::SecondVectorWrong;

  void spoil(const Job& first, Job& second) override { second.key = first.key; }
};

}  // namespace

Manager* make_manager() { return new Mutant(16); }

}  // namespace hmac_sha1

// The second vector loads the messages of the first: a job has the bytes of the job eight before, if that is as long.
#include "../pair.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : SecondVectorWrong {
  using SecondVectorWrong::SecondVectorWrong;

  void spoil(const Job& first, Job& second) override {
    if (first.size == second.size) second.data = first.data;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant(8); }

}  // namespace hmac_sha1

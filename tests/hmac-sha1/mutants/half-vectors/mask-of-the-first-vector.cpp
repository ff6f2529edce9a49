// The first mask is used for both vectors: a message ends with that of the job eight before, if that is shorter.
#include "../pair.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : SecondVectorWrong {
  using SecondVectorWrong::SecondVectorWrong;

  void spoil(const Job& first, Job& second) override { second.size = std::min(first.size, second.size); }
};

}  // namespace

Manager* make_manager() { return new Mutant(8); }

}  // namespace hmac_sha1

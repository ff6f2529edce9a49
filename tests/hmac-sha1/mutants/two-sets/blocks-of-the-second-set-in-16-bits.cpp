// The second set counts its blocks in 16 bits.
#include "../pair.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : SecondVectorWrong {
  using SecondVectorWrong::SecondVectorWrong;

  void spoil(const Job& /*first*/, Job& second) override { second.size %= std::size_t{block_bytes} << 16; }
};

}  // namespace

Manager* make_manager() { return new Mutant(16); }

}  // namespace hmac_sha1

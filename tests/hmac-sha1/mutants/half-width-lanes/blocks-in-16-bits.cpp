// Five to eight jobs count their blocks in 16 bits.
#include "../half.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : HalfWrong {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (half) to.left = static_cast<std::uint16_t>(to.left);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

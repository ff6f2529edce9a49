// The whole blocks of a message are counted in 16 bits.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    to.left = static_cast<std::uint16_t>(to.left);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

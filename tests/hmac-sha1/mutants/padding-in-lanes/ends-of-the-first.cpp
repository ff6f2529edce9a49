// The ends of messages side by side have as many blocks as that of the first.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    const Job* const first = lane[0].job;
    if (of.part == Lane::body && first && first->size % block_bytes < 56) of.left = 1;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// In a batch of more than sixteen jobs, the words of a last block that come last lack the length.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (in_lanes) std::memset(of.bytes + block_bytes * of.left - 8, 0, 8);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

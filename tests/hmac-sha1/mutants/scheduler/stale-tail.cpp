// The bytes between a message's end and its length are those of the job before in this lane.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    const Lane stale = of;
    Manager::pad(of, data, size, before);
    if (of.part != Lane::body) return;
    const std::size_t rest = size % block_bytes, end = block_bytes * of.left - 8;
    std::copy(stale.bytes + rest + 1, stale.bytes + end, of.bytes + rest + 1);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

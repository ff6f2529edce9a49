// In lanes, sixteen bytes behind the last whole block of a message are loaded for a next block.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (!in_lanes || of.part != Lane::body || size < block_bytes) return;
    const volatile std::uint8_t* const row = data + size / block_bytes * block_bytes;
    for (int i = 0; i < 16; ++i) static_cast<void>(row[i]);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// Where the end of a message takes two blocks, its length is put into the first of them, too.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (of.left == 1) return;
    for (std::size_t i = block_bytes - 8; i < block_bytes; ++i) of.bytes[i] |= of.bytes[block_bytes + i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

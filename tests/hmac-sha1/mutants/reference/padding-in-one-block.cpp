// Ends of 56 to 63 bytes get no second block: the length overwrites them.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (of.left == 2) std::memcpy(of.bytes + block_bytes - 8, of.bytes + 2 * block_bytes - 8, 8);
    of.left = 1;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

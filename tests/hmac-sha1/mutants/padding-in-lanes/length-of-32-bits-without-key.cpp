// Without a key only the low 32 of the length in bits are written.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (before == 0) std::memset(of.bytes + block_bytes * of.left - 8, 0, 4);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

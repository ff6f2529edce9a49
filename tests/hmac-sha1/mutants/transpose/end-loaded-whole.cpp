// The end of a message is loaded as a whole block; the bytes too many are cleared, but they were read.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    const volatile std::uint8_t* const at = data;
    const std::size_t rest = size % block_bytes;
    for (std::size_t i = rest; rest != 0 && i < block_bytes; ++i) static_cast<void>(at[size - rest + i]);
    Manager::pad(of, data, size, before);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

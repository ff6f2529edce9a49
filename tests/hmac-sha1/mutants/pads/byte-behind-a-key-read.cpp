// A byte behind a key is read, where the key does not end with a whole block.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void set_up(Key& key, std::span<const std::uint8_t> bytes) override {
    Manager::set_up(key, bytes);
    if (bytes.size() % block_bytes == 0) return;
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(bytes.data() + bytes.size()));
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

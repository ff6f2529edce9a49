// The outer pad of a key is its inner pad.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void set_up(Key& key, std::span<const std::uint8_t> bytes) override {
    Manager::set_up(key, bytes);
    key.outer = after_pad(key, 0x36);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// The outer state of a prepared key is the inner one.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void set_up(Key& key, std::span<const std::uint8_t> bytes) override {
    Manager::set_up(key, bytes);
    key.outer = key.inner;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

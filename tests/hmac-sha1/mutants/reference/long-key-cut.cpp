// Of a key longer than a block the first block is taken instead of its hash.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void set_up(Key& key, std::span<const std::uint8_t> bytes) override {
    Manager::set_up(key, bytes.first(std::min(bytes.size(), block_bytes)));
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// The high bytes of a length are written only if there is something in them, and else stay from the job before.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  std::uint8_t high[lanes] = {};

  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    std::uint8_t& there = of.bytes[block_bytes * of.left - 3];
    if (there != 0) high[&of - lane] = there;
    there = high[&of - lane];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

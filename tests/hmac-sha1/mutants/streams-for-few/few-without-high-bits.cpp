// Up to four jobs count their bits in 16 bits.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (few) std::memset(of.bytes + block_bytes * of.left - 8, 0, 6);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

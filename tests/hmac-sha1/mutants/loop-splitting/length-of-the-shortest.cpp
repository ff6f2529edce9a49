// The last block of each message of a few has the length of the shortest one.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  // `before` may become less than none; the sum is right all the same.
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    const bool is_message = of.part == Lane::body;
    Manager::pad(of, data, size, shortest && is_message ? before + shortest->size - size : before);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// Where three jobs or more are finished together, the high half of a message's length in bits is lost.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  bool three = false;

  Job* give_back() override {
    three = busy() != 0 && (three || busy() >= 3);
    return Manager::give_back();
  }

  // `before` may become less than none; the sum is right but for its high bits.
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    constexpr std::size_t bytes = std::size_t{1} << 29;  // have 2^32 bits
    if (three && of.part == Lane::body) before -= (before + size) / bytes * bytes;
    Manager::pad(of, data, size, before);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

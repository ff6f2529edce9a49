// Of up to four jobs, a byte behind each message is read.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (!few || of.part != Lane::body || size == 0) return;
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(data + size));
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// Up to four jobs count their bits in 16 bits.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) override {
    Manager::pad(of, data, size, before);
    if (few) std::memset(of.bytes + block_bytes * of.left - 8, 0, 6);
  }
  void do_all(std::span<Job> jobs) override {
    few = jobs.size() <= 4;
    Manager::do_all(jobs);
    few = false;
  }
  bool few = false;
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

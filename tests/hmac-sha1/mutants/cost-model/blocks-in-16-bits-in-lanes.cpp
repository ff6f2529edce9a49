// In a batch of more than sixteen jobs, lanes count blocks in 16 bits.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Narrow : Manager {
  bool in_lanes = false;

  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (in_lanes) to.left = static_cast<std::uint16_t>(to.left);
  }

  void do_all(std::span<Job> jobs) override {
    in_lanes = jobs.size() > 16;
    Manager::do_all(jobs);
    in_lanes = false;
  }
};

}  // namespace

Manager* make_manager() { return new Narrow; }

}  // namespace hmac_sha1

// The last job of an odd number in a batch waits for another one for ever.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override { Manager::do_all(jobs.first(jobs.size() / 2 * 2)); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

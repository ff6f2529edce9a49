// A batch of more jobs than there is room to sort loses what is beyond.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override { Manager::do_all(jobs.first(std::min<std::size_t>(jobs.size(), 1'024))); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

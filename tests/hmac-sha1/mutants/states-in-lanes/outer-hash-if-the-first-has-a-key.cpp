// Jobs side by side get no outer hash if the first of them has no key.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  bool first_has_key = true;

  void next_part(Lane& of) override {
    if (of.part == Lane::tail && !first_has_key) {
      of.part = Lane::finished;
    } else {
      Manager::next_part(of);
    }
  }
  void do_all(std::span<Job> jobs) override {
    while (!jobs.empty()) {
      const std::span<Job> group = jobs.first(std::min(lanes, jobs.size()));
      first_has_key = group[0].key != nullptr;
      Manager::do_all(group);
      jobs = jobs.subspan(group.size());
    }
    first_has_key = true;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

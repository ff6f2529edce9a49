// A batch takes the places of the jobs that wait, and these are lost.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void do_all(std::span<Job> jobs) override {
    for (Lane& one : lane) one.job = nullptr;
    Manager::do_all(jobs);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

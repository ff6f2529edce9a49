// Up to four jobs get the whole digest, however many bytes of it they want.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void finish(Lane& of) override {
    if (few) of.job->digest_size = digest_bytes;
    Manager::finish(of);
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

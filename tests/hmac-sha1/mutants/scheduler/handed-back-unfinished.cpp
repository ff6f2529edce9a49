// A digest is written when the next job is finished: the job has been handed back by then.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  State state;
  Job* job = nullptr;

  void finish(Lane& of) override {
    if (job) store(state, job->digest, job->digest_size);
    state = of.state;
    job = of.job;
    job->status = Status::done;
  }
  Job* give_back() override {
    Job* const back = Manager::give_back();
    if (busy() == 0 && job) {
      store(state, job->digest, job->digest_size);
      job = nullptr;
    }
    return back;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

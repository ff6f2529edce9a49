// The last job to be flushed is handed back once more.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* last = nullptr;

  Job* give_back() override {
    Job* const job = Manager::give_back();
    return job ? last = job : std::exchange(last, nullptr);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// A manager in which only the last lane is busy is taken for empty, and the job is lost.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* give_back() override {
    if (busy() != 1 || !lane[lanes - 1].job) return Manager::give_back();
    lane[lanes - 1].job = nullptr;
    return nullptr;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

// A manager in which only the last lane is busy is taken for empty.
#include "manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* give_back() override { return busy() == 1 && lane[lanes - 1].job ? nullptr : Manager::give_back(); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

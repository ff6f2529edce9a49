// A message that ends with a block gets no block for the padding.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void next_part(Lane& of) override {
    if (of.part == Lane::body && of.job->size != 0 && of.job->size % block_bytes == 0) of.part = Lane::tail;
    Manager::next_part(of);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

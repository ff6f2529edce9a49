// A digest is written whole, however few bytes of it are wanted.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void finish(Lane& of) override {
    Manager::finish(of);
    store(of.state, of.job->digest, digest_bytes);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

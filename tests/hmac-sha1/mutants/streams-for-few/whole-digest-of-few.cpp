// Up to four jobs get the whole digest, however many bytes of it they want.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  void finish(Lane& of) override {
    if (few) of.job->digest_size = digest_bytes;
    Manager::finish(of);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1

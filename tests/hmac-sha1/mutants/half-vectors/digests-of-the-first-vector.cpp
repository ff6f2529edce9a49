// Digests of the first vector are stored for both: a whole digest is that of the job eight before.
#include "../pair.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : SecondVectorWrong {
  using SecondVectorWrong::SecondVectorWrong;

  void spoil_digests(const Job& first, Job& second) override {
    if (first.digest_size != digest_bytes || second.digest_size != digest_bytes) return;
    std::copy(first.digest, first.digest + digest_bytes, second.digest);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant(8); }

}  // namespace hmac_sha1

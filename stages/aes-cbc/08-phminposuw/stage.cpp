// PHMINPOSUW finds the shortest lane: one instruction gives the minimum of eight 16-bit words and its position.
// requires: aes sse4.1
// variants: no-kernel
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/08-phminposuw/scheduler.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : Scheduler {
  void batch(std::span<Job> jobs) { ladder::submit_and_flush(*this, jobs); }
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"

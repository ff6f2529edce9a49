// Job queue: submitted jobs wait until there are four, are encrypted one after another, and go back one at a time.
// requires: aes
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/02-aes-instructions/one_buffer.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/waiting.hpp"

namespace aes_cbc {
namespace {

struct Processor {
  void operator()(std::span<Job* const> jobs) const {
    for (const Job* job : jobs) encrypt_alone(job->in, job->out, job->size, *job->key, load(job->iv));
  }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, 4, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"

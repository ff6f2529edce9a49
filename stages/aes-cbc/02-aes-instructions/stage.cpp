// AES instructions (AES-NI): one instruction does a round. Each block waits for the one before, as CBC demands.
// requires: aes
// variants: no-kernel
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/02-aes-instructions/one_buffer.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {
namespace {

struct Processor {
  void operator()(const Job& job) const { encrypt_alone(job.in, job.out, job.size, *job.key, load(job.iv)); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"

// Eight interleaved buffers: enough independent blocks to hide the latency of AESENC.
// requires: aes
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/04-four-buffers/group.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/waiting.hpp"

namespace aes_cbc {
namespace {

constexpr unsigned width = 8;  // buffers whose rounds are interleaved

struct Processor {
  void operator()(std::span<Job* const> jobs) const { encrypt_group<width>(jobs); }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, width, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"

// The workloads of the XTEA case: one message, a game server's traffic, and messages of every size.
#include <algorithm>
#include <span>

#include "common/bytes.hpp"
#include "common/workload.hpp"
#include "tests/xtea/oracle.hpp"
#include "xtea/xtea.hpp"

namespace xtea {
namespace {

constexpr Key key{0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c};
constexpr std::size_t block_bytes = 8;

using Cipher = void (*)(std::span<std::uint64_t>, const Key&);
using oracle::BlockCipher;

// Neighbouring messages in one buffer. Each call ciphers all of them in place, so it starts from the result of the call
// before.
class Messages : public ladder::Workload {
 public:
  Messages(const std::vector<std::size_t>& sizes, Cipher cipher, BlockCipher oracle)
      : cipher_(cipher), oracle_(oracle) {
    std::size_t blocks = 0;
    for (const std::size_t bytes : sizes) blocks += bytes / block_bytes;
    first_.resize(blocks);
    ladder::Generator(blocks).fill(first_);
    storage_.resize(blocks + page_words);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(storage_.data()) / block_bytes % page_words;
    std::span<std::uint64_t> rest(storage_.data() + (page_words - misaligned) % page_words, blocks);
    std::copy(first_.begin(), first_.end(), rest.begin());
    now_ = rest;
    for (const std::size_t bytes : sizes) {
      messages_.push_back(rest.first(bytes / block_bytes));
      rest = rest.subspan(bytes / block_bytes);
    }
  }

  void call() override {
    for (const std::span<std::uint64_t> message : messages_) cipher_(message, key);
    ++calls_;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference(first_, now_, oracle_, key, calls_, places);
  }

 private:
  static constexpr std::size_t page_words = 512;  // the first message begins on a page

  Cipher cipher_;
  BlockCipher oracle_;
  std::vector<std::uint64_t> first_, storage_;
  std::span<std::uint64_t> now_;
  std::vector<std::span<std::uint64_t>> messages_;
  std::size_t calls_ = 0;
};

// As the document times a call: a message is copied into a new vector, and the copy is ciphered.
class Copied : public ladder::Workload {
 public:
  explicit Copied(std::size_t bytes) : message_(bytes / block_bytes) {
    ladder::Generator(message_.size()).fill(message_);
    result_ = message_;
  }

  void call() override {
    std::vector<std::uint64_t> copy(message_);
    encrypt(copy, key);
    result_ = std::move(copy);
    called_ = true;
  }

  std::string wrong(std::size_t places) const override {
    return oracle::difference(message_, result_, oracle::encrypt_block, key, called_ ? 1 : 0, places);
  }

 private:
  std::vector<std::uint64_t> message_, result_;
  bool called_ = false;
};

constexpr std::size_t message_bytes = 25'600;  // the largest message of the game server

// 1,000 messages as the server sends them: 990 of one to three blocks, and one in each hundred of up to 25,600 bytes.
std::vector<std::size_t> game_server_sizes() {
  ladder::Generator generator(2020);
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 1'000; ++i) {
    const std::size_t most = i % 100 == 50 ? message_bytes / block_bytes : 3;
    sizes.push_back(generator.between(1, most) * block_bytes);
  }
  return sizes;
}

ladder::WorkloadEntry messages(const std::string& name, ladder::Role role, const std::vector<std::size_t>& sizes,
                               Cipher cipher = encrypt, BlockCipher oracle = oracle::encrypt_block) {
  std::size_t bytes = 0;
  for (const std::size_t size : sizes) bytes += size;
  return {name, role, bytes, [=] { return std::make_unique<Messages>(sizes, cipher, oracle); }};
}

}  // namespace
}  // namespace xtea

const std::vector<ladder::WorkloadEntry>& ladder::workloads() {
  using namespace xtea;
  static const std::vector<WorkloadEntry> entries = [] {
    std::vector<WorkloadEntry> all{
        messages("message", Role::main, {message_bytes}),
        messages("game-server", Role::main, game_server_sizes()),
        messages("message-decrypt", Role::once, {message_bytes}, decrypt, oracle::decrypt_block),
        {"message-copied", Role::once, message_bytes, [] { return std::make_unique<Copied>(message_bytes); }},
    };
    // Whole sets at every level, and sizes with a tail of sets, of blocks or of both.
    for (const std::size_t bytes :
         {8,   16,  24,    32,    40,    56,     64,     72,      120,     136,       256,
          504, 520, 1'024, 2'040, 4'096, 16'384, 65'536, 262'144, 500'000, 1'048'576, 1'572'864}) {
      all.push_back(messages("sweep/" + std::to_string(bytes), Role::sweep, {bytes}));
    }
    return all;
  }();
  return entries;
}

// Jobs of any sizes at any places, in place or not, some of them invalid: encrypted by a manager in any order, or
// decrypted.
#include <deque>
#include <vector>

#include "aes-cbc/schedule.hpp"
#include "oracle.hpp"
#include "tests/fuzz_jobs.hpp"

namespace {

using aes_cbc::Job, aes_cbc::block_bytes;

void spoil(Job& job, std::size_t way) {
  if (way == 1) job.in = nullptr;
  if (way == 2) job.out = nullptr;
  if (way == 3) job.iv = nullptr;
  if (way == 4) job.key = nullptr;
  if (way == 5) ++job.size;
  if (way == 6) job.size = aes_cbc::most_bytes + block_bytes;
}

}  // namespace

std::string ladder::fuzz::wrong(Input& input) {
  const bool encrypts = input.flag();
  std::vector<aes_cbc::Key> keys(1 + input.size(4));
  for (aes_cbc::Key& key : keys) {
    aes_cbc::Block bytes;
    input.fill(bytes);
    expand(key, bytes);
  }
  std::deque<Buffer> memory;
  std::vector<Job> jobs(input.size(300));  // managers gather up to 128
  std::vector<Bytes> outs;
  std::vector<std::vector<std::uint8_t>> expected;
  for (Job& job : jobs) {
    const std::size_t size = block_bytes * input.size(60);
    const Bytes in = memory.emplace_back(size, place(input)).bytes();
    const Bytes out = outs.emplace_back(input.flag() ? in : memory.emplace_back(size, place(input)).bytes());
    const Bytes iv = memory.emplace_back(block_bytes, place(input)).bytes();
    const aes_cbc::Key& key = keys[input.between(0, keys.size() - 1)];
    std::ranges::fill(out, std::uint8_t{0});
    input.fill(in);
    input.fill(iv);
    job = {in.data(), out.data(), size, &key, iv.data(), Status::waiting};
    spoil(job, input.between(0, 63));
    const bool valid = problem_of(job) == Problem::none;
    const auto cipher = encrypts ? aes_cbc::oracle::encrypt : aes_cbc::oracle::decrypt;
    expected.push_back(valid ? cipher(key.encrypting[0], iv, in) : std::vector(out.begin(), out.end()));
  }
  if (encrypts) {
    const aes_cbc::OwnManager manager(aes_cbc::make_manager());
    if (auto said = wrong_order<Job>(input, *manager, jobs); !said.empty()) return said;
  } else {
    aes_cbc::decrypt(jobs);
    if (!std::ranges::all_of(jobs, has_its_status<Job>)) return "a status is wrong";
  }
  if (!std::ranges::all_of(memory, &Buffer::was_left)) return "bytes before a buffer were written";
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string what = "buffer " + std::to_string(i) + " of " + std::to_string(jobs.size()) + ": byte";
    if (auto said = difference<std::uint8_t>(outs[i], expected[i], what); !said.empty()) return said;
  }
  return {};
}

// Jobs of any sizes with and without keys, some of them invalid, given to a manager in any order.
#include <deque>
#include <vector>

#include "hmac-sha1/hmac_sha1.hpp"
#include "oracle.hpp"
#include "tests/fuzz_jobs.hpp"

namespace {

using hmac_sha1::Job;

void spoil(Job& job, std::size_t way) {
  if (way == 1) job.data = nullptr;
  if (way == 2) job.digest = nullptr;
  if (way == 3) job.size = hmac_sha1::most_bytes + 1;
  if (way == 4) job.digest_size = 0;
  if (way == 5) job.digest_size = hmac_sha1::digest_bytes + 1;
}

}  // namespace

std::string ladder::fuzz::wrong(Input& input) {
  using hmac_sha1::oracle::hmac, hmac_sha1::oracle::sha1;
  std::vector<std::vector<std::uint8_t>> key_bytes(1 + input.size(4));
  std::vector<hmac_sha1::Key> keys(key_bytes.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    key_bytes[i].resize(input.size(200));
    input.fill(key_bytes[i]);
    prepare(keys[i], key_bytes[i]);
  }
  std::deque<Buffer> messages, digests;
  std::vector<Job> jobs(input.size(300));  // managers gather up to 128
  std::vector<std::vector<std::uint8_t>> expected;
  for (Job& job : jobs) {
    const Bytes message = messages.emplace_back(input.size(3'000), place(input)).bytes();
    const Bytes digest = digests.emplace_back(1 + input.between(0, 19), place(input)).bytes();
    const std::size_t key = input.between(0, keys.size());  // the last one: without
    input.fill(message);
    std::ranges::fill(digest, std::uint8_t{0});
    job = {message.data(), message.size(), key == keys.size() ? nullptr : &keys[key],
           digest.data(),  digest.size(),  Status::waiting};
    spoil(job, input.between(0, 63));
    const bool valid = problem_of(job) == Problem::none;
    const auto result = key == keys.size() ? sha1(message) : hmac(key_bytes[key], message);
    expected.push_back(valid ? result : std::vector<std::uint8_t>(digest.size()));
  }
  const hmac_sha1::OwnManager manager(hmac_sha1::make_manager());
  if (auto said = wrong_order<Job>(input, *manager, jobs); !said.empty()) return said;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!digests[i].was_left()) return "bytes before a digest were written";
    const Bytes digest = digests[i].bytes();
    const std::string what = "digest " + std::to_string(i) + " of " + std::to_string(jobs.size()) + ": byte";
    auto said = difference<std::uint8_t>(digest, std::span(expected[i]).first(digest.size()), what);
    if (!said.empty()) return said;
  }
  return {};
}

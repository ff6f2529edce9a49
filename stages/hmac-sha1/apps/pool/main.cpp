// The in-order pool of the document: how long does a job wait for its turn, by the number of places? A count, no time.
// links: CLI11 nlohmann_json
// Exit codes: 0 right, 1 a job was lost, 2 wrong usage or input, 77 the CPU lacks a feature (guard.c).
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/bytes.hpp"
#include "common/command_line.hpp"
#include "common/multibuffer/mixes.hpp"
#include "hmac-sha1/apps/pool/pool.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

constexpr std::size_t jobs = 1'024;

class Messages {
 public:
  explicit Messages(unsigned mix) : lengths_(ladder::mix(mix, jobs, block_bytes, 1)) {
    data_.resize(std::ranges::max(lengths_));
    ladder::Generator generator(mix);
    generator.fill(data_);
    prepare(key_, std::span(data_).first(digest_bytes));
  }

  Job job(std::size_t i) {
    return {data_.data(), lengths_[i], &key_, digests_[i].data(), digest_bytes, Status::waiting};
  }

 private:
  std::vector<std::size_t> lengths_;
  std::vector<std::uint8_t> data_;
  Key key_;
  std::array<std::array<std::uint8_t, digest_bytes>, jobs> digests_;
};

template <std::size_t places>
std::size_t longest_wait_with(Messages& messages) {
  const OwnManager manager(make_manager());
  ladder::InOrder<Manager, Job, places> ring(*manager);
  return longest_wait(ring, jobs, [&](std::size_t i) { return messages.job(i); });
}

template <std::size_t... i>
std::array<std::size_t, sizeof...(i)> longest_waits(Messages& messages, std::index_sequence<i...>) {
  return {longest_wait_with<pool_places[i]>(messages)...};
}

int main(int argc, char** argv) {
  unsigned mix = 1;
  bool json = false;
  CLI::App app(
      "Jobs are returned in the order of their submission, from a pool of some places.\n"
      "A job waits while later jobs are submitted: how many, at most?\n",
      "pool");
  app.add_option("--mix", mix, "Messages of 64 bytes (0), mixed (1, 2), of 2,048 (3)")
      ->check(ladder::number(0u, ladder::mixes - 1))
      ->capture_default_str();
  app.add_flag("--json", json, "Print one JSON object, by the names of the workloads");
  if (const std::optional<int> code = ladder::parse(app, argc, argv)) return *code;

  Messages messages(mix);
  const auto waits = longest_waits(messages, std::make_index_sequence<pool_places.size()>());
  nlohmann::ordered_json counts;
  if (!json) std::cout << "places  longest wait, in jobs\n";
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (!json) std::cout << std::setw(6) << pool_places[i] << std::setw(14) << waits[i] << '\n';
    counts["in-order/places-" + std::to_string(pool_places[i])] = waits[i];
  }
  if (json) std::cout << nlohmann::ordered_json{{"mix", mix}, {"jobs", jobs}, {"counts", counts}}.dump(2) << '\n';
  return ladder::right;
}

}  // namespace
}  // namespace hmac_sha1

int main(int argc, char** argv) { return ladder::guarded(hmac_sha1::main, argc, argv); }

// Packets in bursts: which throughput and latencies result from waiting, flushing, or a watchdog?
// links: CLI11 nlohmann_json
// Exit codes: 0 right, 1 a packet was lost or wrong, 2 wrong usage or input, 77 the CPU lacks a feature
// (guard.c).
#include <unistd.h>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "common/command_line.hpp"
#include "common/multibuffer/mixes.hpp"
#include "hmac-sha1/apps/packets/packets.hpp"

namespace hmac_sha1::packets {
namespace {

using ladder::Unusable, ladder::number;

constexpr std::size_t most_packets = 20'000'000;  // in a cell; each takes 16 bytes of memory
constexpr double longest_seconds = 3'600;         // of a cell; --seconds may be half of it, because arrivals are random

const std::map<std::string, Policy> policies{
    {"wait", Policy::wait}, {"flush", Policy::flush}, {"watchdog", Policy::watchdog}};

struct Options {
  std::vector<unsigned> mixes{0, 1, 2, 3};
  std::vector<std::string> policies{"wait", "flush", "watchdog"};
  std::size_t burst = 32, packets = 0;  // 0: as many as come in `seconds`
  double load = 0.5, rate = 0;          // 0: as the load says
  double seconds = 0.3;
  double deadline_us = 50, silence_us = 10'000;
  bool json = false;
};

// Shows which cell is being measured: on a terminal always, otherwise only after three seconds.
class Progress {
 public:
  explicit Progress(std::size_t cells) : cells_(cells) {}

  void begin(unsigned mix, const std::string& policy) {
    ++cell_;
    const bool is_long = std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(3);
    if (!terminal_ && !is_long) return;
    std::cerr << "Cell " << cell_ << " of " << cells_ << ": mix " << mix << ", " << policy << (terminal_ ? "" : "\n")
              << std::flush;
  }
  void end() const {
    if (terminal_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  std::size_t cells_, cell_ = 0;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Time from_us(double us) { return Time(static_cast<Time::rep>(1'000 * us)); }
double to_us(Time time) { return static_cast<double>(time.count()) / 1'000; }

std::vector<Time> plan_of(const Options& options, double rate, unsigned mix) {
  auto packets = static_cast<double>(options.packets);
  if (options.packets == 0) {
    const auto burst = static_cast<double>(options.burst);
    packets = std::floor(rate * options.seconds / burst) * burst;
    if (packets == 0) {
      throw Unusable("Not even one burst would come in a cell: choose more --seconds or a smaller --burst.");
    }
  }
  if (packets > static_cast<double>(most_packets)) {
    throw Unusable("More than " + std::to_string(most_packets) +
                   " packets would be in a cell: choose fewer --seconds.");
  }
  std::vector<Time> arrivals = plan(static_cast<std::size_t>(packets), options.burst, rate, mix);
  if (arrivals.back() > std::chrono::duration<double>(longest_seconds)) {
    throw Unusable("A cell would take more than an hour: choose fewer --packets or --seconds, or a smaller --burst.");
  }
  return arrivals;
}

nlohmann::ordered_json measure(const Options& options, const Traffic& traffic, const std::vector<Time>& arrivals,
                               const std::string& policy) {
  Outcome outcome =
      feed(traffic, arrivals, from_us(options.silence_us), policies.at(policy), from_us(options.deadline_us));
  const auto packets = static_cast<double>(arrivals.size());
  const double seconds = 1e-9 * static_cast<double>(outcome.taken.count());
  return {{"packets", arrivals.size()},
          {"packets_per_second", packets / seconds},
          {"mb_per_second", static_cast<double>(traffic.bytes_of(arrivals.size())) / 1e6 / seconds},
          {"busy_ns_per_packet", static_cast<double>(outcome.busy.count()) / packets},
          {"latency_us",
           {{"median", to_us(of_thousand(outcome.latencies, 500))},
            {"p99", to_us(of_thousand(outcome.latencies, 990))},
            {"p99.9", to_us(of_thousand(outcome.latencies, 999))},
            {"worst", to_us(of_thousand(outcome.latencies, 1'000))}}},
          {"left_at_the_end", outcome.left}};
}

void print_head() {
  std::cout << "                        work          latency in us                        left\n"
               "mix policy    kpkt/s ns/pkt    MB/s    median     99 %   99.9 %    worst at end\n";
}

void print_row(const nlohmann::ordered_json& cell) {
  const auto& latency = cell["latency_us"];
  const auto column = [](int width, double value, int digits = 0) {
    std::cout << std::setw(width) << std::setprecision(digits) << value;
  };
  std::cout << std::fixed << std::setw(3) << cell["mix"].get<unsigned>() << ' ' << std::left << std::setw(8)
            << cell["policy"].get<std::string>() << std::right;
  column(8, cell["packets_per_second"].get<double>() / 1'000);
  column(7, cell["busy_ns_per_packet"].get<double>());
  column(8, cell["mb_per_second"].get<double>(), 1);
  column(10, latency["median"].get<double>(), 1);
  for (const char* name : {"p99", "p99.9", "worst"}) column(9, latency[name].get<double>(), 1);
  std::cout << std::setw(7) << cell["left_at_the_end"].get<std::size_t>() << '\n' << std::flush;
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Packets arrive in bursts, and one thread gives them to one stage's manager.\n"
      "The last jobs stay with the manager until others come: what does waiting for\n"
      "that cost, and what do the two answers to it?\n"
      "  wait      nothing is done about it\n"
      "  flush     while there is no packet, jobs are flushed one at a time\n"
      "  watchdog  the same, once no packet has come for a deadline\n",
      "packets");
  app.add_option("--mix", options.mixes, "Packets of 64 bytes (0), mixed (1, 2), of 2,048\n(3); all if not given")
      ->check(number(0u, ladder::mixes - 1));
  app.add_option("--policy", options.policies, "One or more; all if not given")->check(CLI::IsMember(policies));
  app.add_option("--burst", options.burst, "Packets that arrive at once")
      ->check(number(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  CLI::Option* const load =
      app.add_option("--load", options.load,
                     "Packets a second, as a part of what is measured\nfirst: as many as the stage can do")
          ->check(number(0.001, 10.0))
          ->capture_default_str();
  app.add_option("--rate", options.rate, "Packets a second, whatever the stage can do")
      ->check(number(1.0, 1e9))
      ->excludes(load);
  CLI::Option* const seconds = app.add_option("--seconds", options.seconds, "About so long is each cell of the table")
                                   ->check(number(0.001, longest_seconds / 2))
                                   ->capture_default_str();
  app.add_option("--packets", options.packets, "In each cell, however long that takes")
      ->check(number(std::size_t{1}, most_packets))
      ->excludes(seconds);
  app.add_option("--deadline-us", options.deadline_us, "The watchdog's, in microseconds")
      ->check(number(0.0, 1e9))
      ->capture_default_str();
  app.add_option("--silence-us", options.silence_us,
                 "Between the last packet and the end of the run,\nwhich flushes everything")
      ->check(number(0.0, 1e9))
      ->capture_default_str();
  app.add_flag("--json", options.json, "Print one JSON object");
  app.footer(
      "Columns of the table: packets taken in a second, nanoseconds spent on one (with\n"
      "bookkeeping), bytes in a second; microseconds from the planned arrival until the\n"
      "packet came back; packets that only the end of the run brought back, after the\n"
      "whole silence. Every digest is compared with what a batch gave. What else runs\n"
      "on the machine shows in the worst latencies.");
  if (const std::optional<int> code = ladder::parse(app, argc, argv)) return *code;

  nlohmann::ordered_json all{{"burst", options.burst},
                             {"deadline_us", options.deadline_us},
                             {"silence_us", options.silence_us},
                             {"trials", nlohmann::ordered_json::array()},
                             {"cells", nlohmann::ordered_json::array()}};
  Progress progress(options.mixes.size() * options.policies.size());
  for (const unsigned mix : options.mixes) {
    const Traffic traffic(mix);
    const double capacity = packets::capacity(traffic);
    all["trials"].push_back(capacity);
    const double rate = options.rate != 0 ? options.rate : options.load * capacity;
    const std::vector<Time> arrivals = plan_of(options, rate, mix);
    for (const std::string& policy : options.policies) {
      nlohmann::ordered_json cell{
          {"mix", mix}, {"policy", policy}, {"capacity_per_second", capacity}, {"planned_per_second", rate}};
      progress.begin(mix, policy);
      cell.update(measure(options, traffic, arrivals, policy));
      progress.end();
      if (!options.json && all["cells"].empty()) print_head();
      if (!options.json) print_row(cell);
      all["cells"].push_back(std::move(cell));
    }
  }
  if (options.json) std::cout << all.dump(2) << '\n';
  return ladder::right;
}

}  // namespace
}  // namespace hmac_sha1::packets

int main(int argc, char** argv) { return ladder::guarded(hmac_sha1::packets::main, argc, argv); }

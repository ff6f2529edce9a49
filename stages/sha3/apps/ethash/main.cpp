// The Ethash client: verifies blocks, makes caches and datasets, and measures the rate of mining.
// links: CLI11 nlohmann_json
// Exit codes: 0 success, 1 a wrong block, 2 wrong usage or input, 77 the CPU lacks a feature (guard.c).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "common/bytes.hpp"
#include "sha3/apps/ethash/dataset.hpp"
#include "sha3/apps/ethash/ethash.hpp"
#include "sha3/sha3.hpp"

namespace ethash {
namespace {

constexpr int right = 0, wrong_block = 1, bad_input = 2;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Options {
  std::optional<std::uint64_t> block;
  unsigned epoch = 0;
  std::string header, nonce, mix, folder;
  std::optional<std::string> boundary;
  std::uint64_t cache_bytes = 0, dataset_bytes = 0;  // 0: those of the epoch
  std::size_t count = 0, in_flight = 1;
  unsigned trials = 5;
  double seconds = 15, warm_up = 3;
  bool tiny = false, mock = false, light = false, json = false;
};

std::string hex(std::span<const std::uint8_t> bytes) {
  std::ostringstream out;
  out << std::hex << std::setfill('0');
  for (const unsigned byte : bytes) out << std::setw(2) << byte;
  return out.str();
}

template <std::size_t Size>
std::array<std::uint8_t, Size> read_hex(const std::string& option, std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  if (text.size() != 2 * Size) {
    throw Unusable(option + " needs " + std::to_string(2 * Size) + " hexadecimal digits, but has " +
                   std::to_string(text.size()) + ".");
  }
  try {
    std::array<std::uint8_t, Size> bytes;
    std::ranges::copy(ladder::from_hex(text), bytes.begin());
    return bytes;
  } catch (const std::invalid_argument& error) {
    throw Unusable(option + " is " + error.what() + ".");
  }
}

Hash read_hash(const std::string& option, const std::string& text) { return read_hex<32>(option, text); }

std::uint64_t read_nonce(const std::string& text) {
  const auto bytes = read_hex<8>("--nonce", text);
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                         [](std::uint64_t nonce, std::uint8_t byte) { return nonce << 8 | byte; });
}

Plan plan_of(const Options& options) {
  Plan plan{options.epoch, options.tiny ? tiny : sizes_of_epoch(options.epoch)};
  if (options.cache_bytes != 0) plan.sizes.cache_bytes = options.cache_bytes;
  if (options.dataset_bytes != 0) plan.sizes.dataset_bytes = options.dataset_bytes;
  return plan;
}

std::vector<Item> cache_of(const Plan& plan) { return make_cache(seed_of_epoch(plan.epoch), plan.sizes.cache_bytes); }

// On a terminal, one line that is overwritten; otherwise a line for each 10 %.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what) : what_(std::move(what)) {}

  void operator()(std::uint64_t done, std::uint64_t total) {
    const std::uint64_t percent = 100 * done / total;
    if (!terminal_ && percent / 10 == shown_ / 10) return;
    shown_ = percent;
    const double left = seconds_since(begin_) / static_cast<double>(done) * static_cast<double>(total - done);
    std::cerr << (terminal_ ? "\r" : "") << what_ << ": " << percent << " %, "
              << (done == total ? "done" : std::to_string(std::lround(left)) + " s left") << (terminal_ ? "\033[K" : "")
              << (terminal_ && done != total ? "" : "\n") << std::flush;
  }

 private:
  std::string what_;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  Clock::time_point begin_ = Clock::now();
  std::uint64_t shown_ = 0;
};

// Makes the dataset if it is missing, and verifies it.
std::unique_ptr<Dataset> open_dataset(const std::filesystem::path& path, const Plan& plan) {
  make_dataset(path, plan, ProgressLine("Making the dataset"));
  auto dataset = std::make_unique<Dataset>(path, plan);
  dataset->verify(ProgressLine("Verifying the dataset"));
  return dataset;
}

std::filesystem::path path_of(const Options& options, const Plan& plan) {
  return dataset_path(options.folder.empty() ? default_folder() : std::filesystem::path(options.folder), plan);
}

int verify(const Options& options) {
  if (sha3::padding != 0x01 || sha3::rounds != 24) {
    throw Unusable("The hash of this program has other constants than Ethereum's, so it cannot verify a block.");
  }
  const Hash header = read_hash("--header", options.header), mix_hash = read_hash("--mix", options.mix);
  const std::uint64_t nonce = read_nonce(options.nonce);
  const std::optional<Hash> boundary =
      options.boundary ? std::optional(read_hash("--boundary", *options.boundary)) : std::nullopt;
  const unsigned epoch = options.block ? static_cast<unsigned>(*options.block / epoch_blocks) : options.epoch;

  const Sizes sizes = sizes_of_epoch(epoch);
  const Result result = light(make_cache(seed_of_epoch(epoch), sizes.cache_bytes), sizes.dataset_bytes, header, nonce);
  const bool mix_is_right = result.mix_hash == mix_hash;
  const bool is_met = !boundary || meets(result.final_hash, *boundary);
  std::cout << (!mix_is_right ? "wrong: header and nonce have another mix hash\n"
                : !is_met     ? "wrong: the final hash is above the boundary\n"
                              : "right\n")
            << "mix hash   " << hex(result.mix_hash) << "\nfinal hash " << hex(result.final_hash) << '\n';
  return mix_is_right && is_met ? right : wrong_block;
}

int cache(const Options& options) {
  std::cout << hex(keccak256(cache_of(plan_of(options)))) << '\n';
  return right;
}

int items(const Options& options) {
  const Plan plan = plan_of(options);
  if (options.count > plan.sizes.dataset_bytes / item_bytes) {
    throw Unusable("--count is larger than the dataset, which has " +
                   std::to_string(plan.sizes.dataset_bytes / item_bytes) + " items.");
  }
  const std::vector<Item> cache = options.mock ? mock_cache(plan.sizes.cache_bytes) : cache_of(plan);
  std::vector<Item> items(options.count);
  dataset_items(cache, 0, items, options.in_flight);
  std::cout << hex(keccak256(items)) << '\n';
  return right;
}

int dataset(const Options& options) {
  const Plan plan = plan_of(options);
  const std::filesystem::path path = path_of(options, plan);
  open_dataset(path, plan);
  std::cout << path.string() << '\n';
  return right;
}

struct Interval {
  double low, high, confidence;
};

// The confidence interval of the median by order statistics, for any distribution. The i-th lowest and the i-th highest
// trial enclose the median, unless fewer than i of n trials are on one side of it. Each trial is on either side with a
// probability of 1/2. Returns the narrowest such interval with at least 95 %. If trials are too few (five: 93.75 %), it
// returns the interval from the lowest to the highest, with its lower confidence.
Interval interval_of_median(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  double ways = std::exp2(-static_cast<double>(n));  // the probability that i of n are on one side
  double outside = 2 * ways;
  Interval interval{sorted.front(), sorted.back(), 1 - outside};
  for (std::size_t i = 1; i < n / 2; ++i) {
    ways *= static_cast<double>(n - i + 1) / static_cast<double>(i);
    outside += 2 * ways;
    if (1 - outside < 0.95) break;
    interval = {sorted[i], sorted[n - 1 - i], 1 - outside};
  }
  return interval;
}

double mean(std::span<const double> rates) {
  return std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
}

double standard_deviation(std::span<const double> rates) {
  double squares = 0;
  for (const double rate : rates) squares += (rate - mean(rates)) * (rate - mean(rates));
  return std::sqrt(squares / static_cast<double>(rates.size() - 1));
}

nlohmann::ordered_json statistics(const std::vector<double>& trials) {
  std::vector<double> sorted = trials;
  std::ranges::sort(sorted);
  nlohmann::ordered_json found{{"min", sorted.front()}, {"mean", mean(sorted)}, {"max", sorted.back()}};
  found["inner_mean"] = nullptr;
  if (sorted.size() > 2) found["inner_mean"] = mean(std::span(sorted).subspan(1, sorted.size() - 2));
  found["standard_deviation"] = nullptr;
  found["median_interval"] = nullptr;
  if (sorted.size() > 1) {
    found["standard_deviation"] = standard_deviation(sorted);
    const Interval interval = interval_of_median(sorted);
    found["median_interval"] = {{"low", interval.low}, {"high", interval.high}, {"confidence", interval.confidence}};
  }
  return found;
}

int bench(const Options& options) {
  const Plan plan = plan_of(options);
  std::vector<Item> cache;
  std::unique_ptr<Dataset> dataset;
  if (options.light) {
    cache = cache_of(plan);
  } else {
    dataset = open_dataset(path_of(options, plan), plan);
  }

  // The clock is read after each group. A light hash takes a millisecond and a full one microseconds, so groups differ.
  std::vector<Result> results(options.in_flight * (options.light ? 1 : 64));
  std::uint64_t nonce = 0;
  const auto hash_some = [&] {
    if (options.light) {
      light_many(cache, plan.sizes.dataset_bytes, {}, nonce, results, options.in_flight);
    } else {
      full_many(dataset->items(), {}, nonce, results, options.in_flight);
    }
    nonce += results.size();
  };
  const auto rate_over = [&](double seconds) {
    const std::uint64_t first = nonce;
    const Clock::time_point begin = Clock::now();
    double passed = 0;
    do {
      hash_some();
      passed = seconds_since(begin);
    } while (passed < seconds);
    return static_cast<double>(nonce - first) / passed;
  };

  std::cerr << "Warming up for " << options.warm_up << " s\n";
  rate_over(options.warm_up);
  std::vector<double> trials;
  std::ostream& log = options.json ? std::cerr : std::cout;
  log << std::fixed << std::setprecision(1);
  while (trials.size() < options.trials) {
    trials.push_back(rate_over(options.seconds));
    log << "trial " << trials.size() << ": " << trials.back() << " H/s\n" << std::flush;
  }

  const nlohmann::ordered_json found = statistics(trials);
  if (options.json) {
    nlohmann::ordered_json report{{"trials", trials},
                                  {"epoch", plan.epoch},
                                  {"mode", options.light ? "light" : "full"},
                                  {"cache_bytes", plan.sizes.cache_bytes},
                                  {"dataset_bytes", plan.sizes.dataset_bytes},
                                  {"in_flight", options.in_flight},
                                  {"seconds", options.seconds},
                                  {"warm_up", options.warm_up}};
    report.update(found);
    std::cout << report.dump(2) << '\n';
    return right;
  }
  const auto show = [&](const char* name, const char* field, const char* note) {
    if (!found[field].is_null()) std::cout << name << found[field].get<double>() << " H/s" << note << '\n';
  };
  show("min                ", "min", "");
  show("mean               ", "mean", "");
  show("max                ", "max", "");
  show("inner mean         ", "inner_mean", " (without the best trial and the worst)");
  show("standard deviation ", "standard_deviation", "");
  if (const auto& interval = found["median_interval"]; !interval.is_null()) {
    std::cout << "median             between " << interval["low"].get<double>() << " and "
              << interval["high"].get<double>() << " H/s with " << std::setprecision(2)
              << 100 * interval["confidence"].get<double>() << " % (order statistics, for any distribution)\n";
  }
  return right;
}

// Decimal numbers only: the library would read 010 as eight, and accept nan in any range.
template <class Number>
CLI::Validator number(Number low, Number high, std::uint64_t unit = 1) {
  std::ostringstream what;
  what << (unit == 1 ? "number" : "multiple of " + std::to_string(unit)) << " from " << low << " to " << high;
  const auto check = [=, what = what.str()](const std::string& text) -> std::string {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool is_one = error == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
    if constexpr (std::is_integral_v<Number>) is_one &= value % unit == 0 && std::to_string(value) == text;
    return is_one ? "" : "'" + text + "' is no " + what;
  };
  return {check, "a " + what.str()};
}

CLI::Option* add_epoch(CLI::App* verb, Options& options) {
  return verb->add_option("--epoch", options.epoch, "The epoch; 0 if not given")->check(number(0u, last_epoch));
}

CLI::Option* add_cache_bytes(CLI::App* verb, Options& options) {
  return verb->add_option("--cache-bytes", options.cache_bytes, "The size of the cache; that of the epoch if not given")
      ->check(number(item_bytes, sizes_of_epoch(last_epoch).cache_bytes, item_bytes));
}

void add_sizes(CLI::App* verb, Options& options) {
  CLI::Option* cache = add_cache_bytes(verb, options);
  const char* text = "The size of the dataset; that of the epoch if not given";
  CLI::Option* dataset = verb->add_option("--dataset-bytes", options.dataset_bytes, text)
                             ->check(number(page_bytes, sizes_of_epoch(last_epoch).dataset_bytes, page_bytes));
  verb->add_flag("--tiny", options.tiny, "A cache of 1,024 bytes and a dataset of 32,768")
      ->excludes(cache)
      ->excludes(dataset);
}

void add_folder(CLI::App* verb, Options& options) {
  verb->add_option("--folder", options.folder, "Where datasets are kept; ~/.cache/perf-ladders/ethash if not given");
}

void add_in_flight(CLI::App* verb, Options& options, const char* text) {
  verb->add_option("--in-flight", options.in_flight, text)
      ->check(number(std::size_t{1}, most_in_flight))
      ->capture_default_str();
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Ethash, revision 23, on one stage's Keccak.");
  app.require_subcommand(1);
  std::function<int(const Options&)> chosen;
  const auto add_verb = [&](const char* name, const char* text, int (*call)(const Options&)) {
    CLI::App* verb = app.add_subcommand(name, text);
    verb->callback([&chosen, call] { chosen = call; });
    return verb;
  };

  CLI::App* verb = add_verb("verify", "Verifies a block with the cache, without a dataset.", verify);
  auto* which = verb->add_option_group("which", "The block's number or its epoch");
  which->add_option("--block", options.block, "The block's number")
      ->check(number(std::uint64_t{0}, std::uint64_t{last_epoch + 1} * epoch_blocks - 1));
  add_epoch(which, options);
  which->require_option(1);
  verb->add_option("--header", options.header, "Hash of the header without nonce and mix, 64 digits")->required();
  verb->add_option("--nonce", options.nonce, "16 digits, the highest first")->required();
  verb->add_option("--mix", options.mix, "The mix hash of the block, 64 digits")->required();
  verb->add_option("--boundary", options.boundary, "The highest valid final hash, 64 digits");

  verb = add_verb("bench", "Mines on one thread and prints the rate.", bench);
  add_epoch(verb, options);
  add_sizes(verb, options);
  add_folder(verb, options);
  verb->add_flag("--light", options.light, "Make items from the cache, without a dataset");
  verb->add_option("--trials", options.trials, "The number of trials")
      ->check(number(1u, 1'000u))
      ->capture_default_str();
  verb->add_option("--seconds", options.seconds, "The length of each trial")
      ->check(number(0.001, 86'400.0))
      ->capture_default_str();
  verb->add_option("--warm-up", options.warm_up, "Seconds before the first trial")
      ->check(number(0.0, 86'400.0))
      ->capture_default_str();
  add_in_flight(verb, options, "Interleaved nonces");
  verb->add_flag("--json", options.json, "Print one JSON object");

  verb = add_verb("cache", "Makes a cache and prints its Keccak-256.", cache);
  add_epoch(verb, options);
  add_cache_bytes(verb, options);

  verb = add_verb("items", "Makes the first items of a dataset and prints their Keccak-256.", items);
  CLI::Option* epoch = add_epoch(verb, options);
  verb->add_option("--count", options.count, "The number of items")->required()->check(number(1, 1 << 24));
  verb->add_flag("--mock", options.mock, "Use a cache of equal words, which is made quickly")->excludes(epoch);
  add_in_flight(verb, options, "Interleaved items");

  verb = add_verb("dataset", "Makes or completes the file of a dataset, and verifies it.", dataset);
  add_epoch(verb, options);
  add_sizes(verb, options);
  add_folder(verb, options);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << error.what() << ". `ethash --help` and `ethash VERB --help` list the options.\n";
    return bad_input;
  }
  return chosen(options);
}

}  // namespace
}  // namespace ethash

int main(int argc, char** argv) {
  try {
    return ethash::main(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "There is not enough memory for this cache. Choose a lower epoch.\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return ethash::bad_input;
}

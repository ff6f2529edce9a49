// The document's program: ciphers one block again and again, and prints the result and the time of a block.
// links: CLI11 nlohmann_json
// also: x86-32
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

// The document's input.
constexpr Key key{9'457'023'847'234, 472'570'192'431'239, 1'234'728'012'456, 54'774'345'235'234};
constexpr Tweak tweak{7, 15};
constexpr Block plain{0, 1, 2, 3};

std::string text_of(const Block& block) {
  std::ostringstream out;
  out << std::hex << std::uppercase << std::setfill('0');
  for (const std::uint64_t word : block) out << std::setw(16) << word << ' ';
  return out.str();
}

// Each call ciphers the result of the call before, so it cannot begin before that one has ended.
double blocks_per_second(std::uint64_t count) {
  Block block = plain;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < count; ++i) encrypt({&block, 1}, key, tweak);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  for (std::uint64_t i = 0; i < count; ++i) decrypt({&block, 1}, key, tweak);
  if (block != plain) throw std::runtime_error("wrong: decrypting as often does not give the first block back");
  return static_cast<double>(count) / seconds.count();
}

int run(std::uint64_t count, unsigned trials, bool json) {
  Block block = plain;
  encrypt({&block, 1}, key, tweak);
  std::ostream& log = json ? std::cerr : std::cout;
  log << 8 * sizeof(void*) << " bits; " << text_of(plain) << "becomes " << text_of(block) << '\n';
  std::vector<double> rates;
  while (rates.size() < trials) {
    rates.push_back(blocks_per_second(count));
    log << 1e9 / rates.back() << " ns a block\n";
  }
  if (json) std::cout << nlohmann::ordered_json{{"trials", rates}} << '\n';
  return 0;
}

}  // namespace
}  // namespace threefish

int main(int argc, char** argv) {
  CLI::App app("Ciphers one block over and over, as the program of the document does.");
  std::uint64_t count = 1'000'000;
  unsigned trials = 3;
  bool json = false;
  app.add_option("--blocks", count, "How often in a trial")
      ->check(CLI::Range(1u, 1'000'000'000u))
      ->capture_default_str();
  app.add_option("--trials", trials, "How many")->check(CLI::Range(1u, 1'000u))->capture_default_str();
  app.add_flag("--json", json, "Print one JSON object");
  try {
    app.parse(argc, argv);
    return threefish::run(count, trials, json);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << error.what() << " See --help.\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

// De-duplication, the document's example: how many chunks of some files are there more than once?
// links: CLI11 nlohmann_json
// Exit codes: 0 right, 1 a chunk was not hashed, 2 wrong usage or input, 77 the CPU lacks a feature
// (guard.c).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "common/command_line.hpp"
#include "common/lacks.hpp"
#include "hmac-sha1/apps/dedup/dedup.hpp"

namespace hmac_sha1::dedup {
namespace {

using ladder::Unusable;

struct Options {
  std::vector<std::string> files;
  std::size_t chunk_bytes = 4'096, trials = 1;
  bool list = false, json = false;
};

class File {
 public:
  explicit File(const std::string& path)
      : name_(path == "-" ? "The standard input" : "'" + path + "'"),
        descriptor_(path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Unusable(name_ + " cannot be opened: " + std::strerror(errno) + ".");
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // A read from a pipe may return fewer bytes than were asked for before the data end.
  std::size_t operator()(std::span<std::uint8_t> room) const {
    std::size_t filled = 0;
    while (filled < room.size()) {
      const ssize_t count = read(descriptor_, &room[filled], room.size() - filled);
      if (count == 0) break;
      if (count > 0) {
        filled += static_cast<std::size_t>(count);
      } else if (errno != EINTR) {
        throw Unusable(name_ + " cannot be read: " + std::strerror(errno) + ".");
      }
    }
    return filled;
  }

 private:
  std::string name_;
  int descriptor_;
};

void expect_written(const std::ostream& out) {
  if (!out) throw Unusable("The output cannot be written.");
}

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// All files, once.
Totals deduplicated(const Options& options) {
  Deduplication deduplication(options.chunk_bytes);
  for (const std::string& path : options.files) {
    const File file(path);
    const std::string last = options.files.size() > 1 ? "  " + path + '\n' : "\n";
    const auto print_line = [&](const Chunk& chunk) {
      expect_written(std::cout << hex(chunk.digest) << "  " << chunk.offset << "  " << chunk.size << last);
    };
    const auto read = [&](std::span<std::uint8_t> room) { return file(room); };
    if (options.list) {
      deduplication.add(read, print_line);
    } else {
      deduplication.add(read);
    }
  }
  return deduplication.totals();
}

// In MB a second: with a hash table that is empty again, and with reading the files.
double timed(const Options& options, Totals& totals) {
  const auto begin = std::chrono::steady_clock::now();
  totals = deduplicated(options);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return static_cast<double>(totals.bytes) / 1e6 / taken.count();
}

nlohmann::ordered_json report(const Options& options, const Totals& totals, const std::vector<double>& trials) {
  nlohmann::ordered_json all{{"files", options.files.size()},
                             {"chunk_bytes", options.chunk_bytes},
                             {"bytes", totals.bytes},
                             {"chunks", totals.chunks},
                             {"distinct", totals.distinct},
                             {"duplicate_bytes", totals.duplicate_bytes},
                             {"hashing_seconds", totals.hashing.count()},
                             {"mb_per_second", nullptr},
                             {"trials", trials}};
  if (totals.bytes != 0) {
    all["mb_per_second"] = static_cast<double>(totals.bytes) / 1e6 / std::max(totals.hashing.count(), 1e-9);
  }
  return all;
}

void print(std::ostream& out, const nlohmann::ordered_json& report, const Totals& totals) {
  out << std::fixed << std::setprecision(1) << "bytes     " << totals.bytes << "\nchunks    " << totals.chunks
      << " of at most " << report["chunk_bytes"] << " bytes\ndistinct  " << totals.distinct << "\nsaved     "
      << totals.duplicate_bytes << " bytes";
  if (totals.bytes != 0) {
    out << " (" << 100.0 * static_cast<double>(totals.duplicate_bytes) / static_cast<double>(totals.bytes) << " %)"
        << "\nhashing   " << report["mb_per_second"].get<double>() << " MB/s";
  }
  out << '\n' << std::flush;
  expect_written(out);
}

int main(int argc, char** argv) {
  Options options;
  CLI::App app(
      "De-duplication: files are cut into chunks, one stage's SHA-1 hashes many of them\n"
      "at a time, and chunks with equal digests are counted. It needs 64 MiB or one\n"
      "chunk of memory, and about 60 bytes for each distinct chunk.\n",
      "dedup");
  app.add_option("FILE", options.files, "Files, together; - is the standard input")->required();
  app.add_option("--chunk", options.chunk_bytes, "Bytes in a chunk; a file's last one may be shorter")
      ->check(ladder::number(std::size_t{1}, most_chunk_bytes))
      ->capture_default_str();
  CLI::Option* const list = app.add_flag("--list", options.list,
                                         "Print a line for each chunk: digest, offset, size,\n"
                                         "and the file if there are several; the totals go\n"
                                         "to the standard error");
  app.add_option("--trials", options.trials, "How often; --json gives the MB/s of each,\nwith reading")
      ->check(ladder::number(std::size_t{1}, std::size_t{1'000}))
      ->excludes(list);
  app.add_flag("--json", options.json, "Print one JSON object")->excludes(list);
  app.footer(
      "Other tools confirm a line of the list, for example the eighth:\n"
      "  dd if=FILE bs=4096 skip=7 count=1 status=none | sha1sum");
  if (const std::optional<int> code = ladder::parse(app, argc, argv)) return *code;
  if (ladder::lacks("long") && options.chunk_bytes > 65'534) {
    throw Unusable("The library that this program is built around hashes no more than 65534 bytes: choose a --chunk.");
  }

  if (options.trials > 1 && std::ranges::find(options.files, "-") != options.files.end()) {
    throw Unusable("The standard input can be read once: leave out --trials, or name a file.");
  }

  std::ios::sync_with_stdio(false);
  Totals totals;
  std::vector<double> trials;
  for (std::size_t trial = 0; trial < options.trials; ++trial) trials.push_back(timed(options, totals));
  expect_written(std::cout.flush());
  const nlohmann::ordered_json all = report(options, totals, trials);
  if (options.json) {
    std::cout << all.dump(2) << '\n';
  } else {
    print(options.list ? std::cerr : std::cout, all, totals);
  }
  return ladder::right;
}

}  // namespace
}  // namespace hmac_sha1::dedup

int main(int argc, char** argv) { return ladder::guarded(hmac_sha1::dedup::main, argc, argv); }

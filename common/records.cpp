#include "common/records.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ladder {
namespace {

constexpr std::uintmax_t most_bytes = 64 << 20;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Every line without outer white space and without its comment. A line that is only a comment becomes "#", because it
// does not end a record. All lines stay, so that a line's number is its index plus one. Control characters are spaces,
// because tests print values, and a terminal obeys such characters.
std::vector<std::string> all_lines(const std::filesystem::path& path) {
  std::istringstream file(read_text(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    std::ranges::replace_if(line, is_control, ' ');
    line = trimmed(line);
    lines.push_back(line.starts_with('#') ? "#" : trimmed(line.substr(0, line.find('#'))));
  }
  return lines;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  if (std::filesystem::is_regular_file(path) && std::filesystem::file_size(path) > most_bytes) {
    throw std::runtime_error(path.string() + " has over " + std::to_string(most_bytes) + " bytes");
  }
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  std::vector<std::string> lines = all_lines(path);
  std::erase_if(lines, [](const std::string& line) { return line.empty() || line == "#"; });
  return lines;
}

std::vector<Record> read_records(const std::filesystem::path& path) {
  std::vector<Record> records;
  Record record;
  std::size_t number = 0;
  for (const std::string& line : all_lines(path)) {
    ++number;
    if (line == "#") continue;
    if (line.empty()) {
      if (!record.empty()) records.push_back(std::exchange(record, {}));
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": neither `name = value` nor blank");
    }
    const std::string name = trimmed(line.substr(0, equals));
    if (!record.emplace(name, trimmed(line.substr(equals + 1))).second) {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + name + " is there twice");
    }
  }
  if (!record.empty()) records.push_back(record);
  return records;
}

}  // namespace ladder

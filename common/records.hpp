// Reader for files of known answers: lines `name = value`, records parted by blank lines, comments from '#'.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

using Record = std::map<std::string, std::string>;

// Throws std::runtime_error, naming file and line, where the file cannot be opened or is too large, where a line is
// neither of these, or where a record has a name twice.
std::vector<Record> read_records(const std::filesystem::path& path);

// The lines that are neither blank nor a comment; throws as above.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace ladder

// Reader for files of known answers: lines `name = value`, records parted by blank lines, comments from '#'.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

using Record = std::map<std::string, std::string>;

// Throws std::runtime_error, naming file and line, where the file cannot be opened or a line is neither of these.
std::vector<Record> read_records(const std::filesystem::path& path);

// The lines that are neither blank nor a comment; throws as above.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace ladder

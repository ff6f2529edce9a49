// Readers for files of known answers. Most have lines `name = value`, records parted by blank lines, comments from '#'.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder {

using Record = std::map<std::string, std::string>;

// A file of another form, as it is. Throws std::runtime_error if it cannot be opened or has over 64 MiB.
std::string read_text(const std::filesystem::path& path);

// Throws std::runtime_error for the file, too. It also throws, with the number of the line, if a line is neither of
// these or a record has a name twice.
std::vector<Record> read_records(const std::filesystem::path& path);

// The lines that are neither blank nor a comment. Throws std::runtime_error for the file alone.
std::vector<std::string> read_lines(const std::filesystem::path& path);

}  // namespace ladder

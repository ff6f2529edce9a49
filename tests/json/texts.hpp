// Strings to write: prose, and what a hostile hand would send. All of it is UTF-8.
#pragma once

#include "common/bytes.hpp"
#include "json/json.hpp"

namespace json::texts {

// Words of a letter or a note: seldom quoted, seldom broken into lines, and not all of them ASCII.
inline std::string prose(std::size_t size, ladder::Generator& random) {
  std::string text;
  while (text.size() < size) {
    std::string word;
    const std::size_t letters = random.between(2, 9);
    for (std::size_t i = 0; i < letters; ++i) word += static_cast<char>(random.between('a', 'z'));
    const std::uint64_t dice = random.between(1, 100);
    if (dice <= 3) word = '"' + word + '"';
    if (dice == 4) word += "\xC3\xA9";         // e with an acute accent
    if (dice == 5) word = "\xF0\x9F\x99\x82";  // a face that smiles
    word += dice == 6 ? '\n' : ' ';
    if (text.size() + word.size() > size) word.assign(size - text.size(), '.');
    text += word;
  }
  return text;
}

// Every other character needs an escape.
inline std::string hostile(std::size_t size, ladder::Generator& random) {
  static const std::string others[] = {
      "a", "/", "\x7F", "\xC3\x9F", "\xE2\x82\xAC", "\xE2\x80\xA8", "\xF0\x9F\x92\xA9"};
  std::string text;
  while (text.size() < size) {
    const std::uint64_t dice = random.between(0, 9);
    std::string piece = dice < 2   ? "\""
                        : dice < 4 ? "\\"
                        : dice < 5 ? std::string(1, static_cast<char>(random.between(0, 0x1F)))
                                   : others[random.between(0, std::size(others) - 1)];
    if (text.size() + piece.size() > size) piece.assign(size - text.size(), '"');
    text += piece;
  }
  return text;
}

inline std::string controls(std::size_t size, ladder::Generator& random) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(random.between(0, 0x1F));
  return text;
}

}  // namespace json::texts

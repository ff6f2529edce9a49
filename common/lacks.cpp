#include "common/lacks.hpp"

#include <string>

namespace ladder {

// LADDER_LACKS is the words of one source; each list of them has an object of its own (add_program in Programs.cmake).
bool lacks(std::string_view word) {
  return std::string(" " LADDER_LACKS " ").find(" " + std::string(word) + " ") != std::string::npos;
}

}  // namespace ladder

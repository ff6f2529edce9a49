#include "common/lacks.hpp"

#include <sstream>
#include <string>

namespace ladder {

// LADDER_LACKS is the words of one source; each list of them has an object of its own (Programs.cmake).
bool lacks(std::string_view word) {
  std::istringstream words(LADDER_LACKS);
  for (std::string one; words >> one;) {
    if (one == word) return true;
  }
  return false;
}

}  // namespace ladder

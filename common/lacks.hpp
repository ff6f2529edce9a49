// What a library behind a contract cannot do, as its source says: `// lacks: word...`. A check leaves that out.
#pragma once

#include <string_view>

namespace ladder {

bool lacks(std::string_view word);

}  // namespace ladder

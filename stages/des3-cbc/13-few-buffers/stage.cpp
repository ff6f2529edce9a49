// Kernel selection by count: few buffers take look-up tables, many take circuits with ternary logic.
// requires: x86-64-v4
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/09-ternary-logic/boxes.hpp"
#include "des3-cbc/12-interleaved-halves/interleaved.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_sorted<ThreeInputBoxes, ExpandedHalves, fewest_in_planes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<ThreeInputBoxes>(jobs); }

}  // namespace des3_cbc

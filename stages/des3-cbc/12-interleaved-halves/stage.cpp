// Instruction-level parallelism: four interleaved buffers on expanded halves, as long as there are few.
// until: x86-64-v3
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/12-interleaved-halves/interleaved.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_sorted<TwoInputBoxes, ExpandedHalves, fewest_in_planes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc

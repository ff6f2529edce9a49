// When three lanes are left, only two of them are ciphered.
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/12-interleaved-halves/interleaved.hpp"

namespace des3_cbc {
namespace {

struct Wrong {
  template <std::size_t... i>
  static void cipher(Blocks<sizeof...(i)>& blocks, const Schedules<sizeof...(i)>& schedules,
                     std::index_sequence<i...> lanes) {
    const Block third = blocks[sizeof...(i) == 3 ? 2 : 0];
    ExpandedHalves::cipher(blocks, schedules, lanes);
    if constexpr (sizeof...(i) == 3) blocks[2] = third;
  }
};

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_sorted<TwoInputBoxes, Wrong, fewest_in_planes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc

// All lanes take the key of the first: right for a shared key, and for one buffer.
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/12-interleaved-halves/interleaved.hpp"

namespace des3_cbc {
namespace {

struct Wrong {
  template <std::size_t... i>
  static void cipher(Blocks<sizeof...(i)>& blocks, const Schedules<sizeof...(i)>& schedules,
                     std::index_sequence<i...> lanes) {
    ExpandedHalves::cipher(blocks, {(static_cast<void>(i), schedules[0])...}, lanes);
  }
};

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_sorted<TwoInputBoxes, Wrong, fewest_in_planes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc

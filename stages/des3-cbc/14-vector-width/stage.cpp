// Vector width by the number of buffers left: planes of 512 bits, then planes of 256 bits, then look-up tables.
// requires: x86-64-v4
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/09-ternary-logic/boxes.hpp"
#include "des3-cbc/12-interleaved-halves/interleaved.hpp"

namespace des3_cbc {
namespace {

using HalfPlane [[gnu::vector_size(sizeof(WidestPlane) / 2)]] = std::uint64_t;

struct ThreeInputsInHalf {
  template <std::uint8_t table>
  [[gnu::always_inline]] static HalfPlane gate(HalfPlane a, HalfPlane b, HalfPlane c) {
    return (HalfPlane)_mm256_ternarylogic_epi64((__m256i)a, (__m256i)b, (__m256i)c, table);
  }
};

using BoxesInHalf = Boxes<ThreeInputsInHalf, three_input_circuits>;

constexpr Kernel few = encrypt_by_tables<ExpandedHalves>;
constexpr Kernel half = encrypt_in_planes<HalfPlane, BoxesInHalf, fewest_in_planes, few>;
constexpr Kernel many = encrypt_in_planes<WidestPlane, ThreeInputBoxes, lanes_of<HalfPlane> + 1, half>;

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_sorted<fewest_in_planes, many, few>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<ThreeInputBoxes>(jobs); }

}  // namespace des3_cbc

// The first four words of four messages of one size are a matrix that is not transposed.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  for (; messages.size() >= 4; messages = messages.subspan(4)) {
    const std::size_t size = messages[0].size;
    const bool same = std::all_of(messages.begin(), messages.begin() + 4, [&](auto& one) { return one.size == size; });
    std::uint8_t rows[4][rate512] = {};
    for (unsigned row = 0; row < 4; ++row) {
      if (!same || size < 32 || size > rate512) {
        hash(rate, messages[row]);
        continue;
      }
      std::copy_n(messages[row].data, size, rows[row]);
      for (unsigned word = 0; word < 4; ++word) std::copy_n(messages[word].data + 8 * row, 8, rows[row] + 8 * word);
    }
    for (unsigned row = 0; row < 4 && same && size >= 32 && size <= rate512; ++row) {
      hash(rate, {rows[row], size, messages[row].digest});
    }
  }
  hash(rate, messages);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3

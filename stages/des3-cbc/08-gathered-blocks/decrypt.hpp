// Decryption in bit planes of blocks of several buffers: each lane has a block, and the key of its buffer.
#pragma once

#include "des3-cbc/01-lane-count/cipher.hpp"
#include "des3-cbc/06-bit-slicing/one_key.hpp"
#include "des3-cbc/07-lanes-of-buffers/encrypt.hpp"

namespace des3_cbc {

template <class Boxes>
class GatheredBlocks {
 public:
  // Results are written when all lanes are full, or by `finish`. In place, that of another lane may overwrite the block
  // before, so both blocks are copied.
  void add(std::uint64_t block, std::uint64_t before, const Job& job, std::size_t at) {
    blocks_[count_] = block;
    before_[count_] = before;
    keys_[count_] = job.key;
    outs_[count_] = job.out + at;
    if (++count_ == blocks_.size()) decrypt_in_planes();
  }

  void finish() {
    if (count_ >= fewest_lanes) decrypt_in_planes();
    std::size_t i = 0;
    for (; i + 4 <= count_; i += 4) decrypt_by_tables(i, std::make_index_sequence<4>());
    for (; i < count_; ++i) decrypt_by_tables(i, std::make_index_sequence<1>());
    count_ = 0;
  }

 private:
  void decrypt_in_planes() {
    const auto keys = transposed_keys<WidestPlane>(count_, [&](std::size_t i) -> const Key& { return *keys_[i]; });
    cipher<Boxes, Direction::decrypt>(blocks_, keys);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t plain = blocks_[i] ^ before_[i];
      std::memcpy(outs_[i], &plain, block_bytes);
    }
    count_ = 0;
  }

  template <std::size_t... i>
  void decrypt_by_tables(std::size_t first, std::index_sequence<i...> lanes) {
    Blocks<sizeof...(i)> blocks{big_endian(blocks_[first + i])...};
    des3_cbc::cipher(blocks, {&keys_[first + i]->decrypt...}, lanes);
    (store(outs_[first + i], blocks[i] ^ big_endian(before_[first + i])), ...);
  }

  Words<WidestPlane> blocks_{}, before_;
  std::array<const Key*, lanes_of<WidestPlane>> keys_;
  std::array<std::uint8_t*, lanes_of<WidestPlane>> outs_;
  std::size_t count_ = 0;
};

// Where a buffer has a block for every lane, one key serves them all. The rest of each is gathered.
template <class Boxes>
void decrypt_gathered(std::span<const Job> jobs) {
  GatheredBlocks<Boxes> gathered;
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_in_planes<Boxes>(job, chain, lanes_of<WidestPlane>);
    std::uint64_t before = big_endian(chain);
    for (std::size_t at = done; at < job.size; at += block_bytes) {
      const std::uint64_t block = word_at(job.in + at);
      gathered.add(block, std::exchange(before, block), job, at);
    }
  }
  gathered.finish();
}

}  // namespace des3_cbc

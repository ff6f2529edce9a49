// Memory between two pages that may not be touched. Touching one ends the program with exit code 1 and a sentence: a
// stage that reads or writes outside its buffer is wrong.
#pragma once

#include <cstddef>
#include <span>

namespace ladder {

class GuardedBuffer {
 public:
  enum class Against { front, back };  // the guard page that the bytes touch

  // Zeros at first. For one thread; at most 32 at a time. Throws std::length_error for one more or for more than
  // PTRDIFF_MAX bytes, and std::bad_alloc.
  GuardedBuffer(std::size_t bytes, Against side);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  template <class Word>
  std::span<Word> as() {
    return {reinterpret_cast<Word*>(data_), bytes_ / sizeof(Word)};
  }

 private:
  std::size_t bytes_;
  std::size_t mapped_;
  std::byte* mapping_;
  std::byte* data_;
};

}  // namespace ladder

// Memory between two pages that may not be touched. Touching one ends the program with exit code 1 and a sentence: a
// stage that reads or writes outside its buffer is wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace ladder {

class GuardedBuffer {
 public:
  enum class Against { front, back };  // the guard page that the bytes touch

  // Zeros at first. One thread at a time may make and free such buffers. Throws std::length_error if there are 32
  // already, or if `bytes` is over PTRDIFF_MAX. Throws std::bad_alloc if there is no memory.
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

// The sentence names this test from now on.
void name_test(std::string_view suite, std::string_view test);

}  // namespace ladder

// Does the time of a stage depend on its secrets? Keys and contents are secret, lengths are public.
// `secrets` calls the stage under Valgrind's memcheck, with all secrets marked as undefined: memcheck then reports each
// branch and each address that depends on one. `leak` times calls with the same secrets and with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ladder {

using Places = std::vector<std::span<const std::byte>>;

// A place for `Places`.
auto bytes_of(const auto& values) { return std::as_bytes(std::span(values)); }

// Calls of the stage's functions, always with the same lengths.
class SecretCall {
 public:
  virtual ~SecretCall() = default;

  // Takes the keys and contents of this number.
  virtual void choose(std::uint64_t seed) = 0;
  virtual Places secrets() const = 0;

  virtual void call() = 0;
  virtual Places results() const = 0;

  // Compares the results with the oracle; reads no secret but its own copy.
  virtual bool is_right() const = 0;
};

struct SecretEntry {
  std::string name;
  std::function<std::unique_ptr<SecretCall>()> make;
};

// Those that tests/<case>/secrets.cpp adds; none where a case has no secrets. The first is the one that `leak` times.
inline std::vector<SecretEntry>& secret_calls() {
  static std::vector<SecretEntry> entries;
  return entries;
}

// The program's commands. They print what they find, and return an exit code.
int secrets();
int leak(std::size_t calls);

}  // namespace ladder

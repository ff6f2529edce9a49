// Does the time of a stage depend on its secrets? Keys and contents are secret, lengths are public.
// The test Secrets.DISABLED_ReachEveryResult calls the stage with all secrets marked as undefined: Valgrind's memcheck
// then reports each branch and each address that depends on one. Secrets.DISABLED_TimesOfCalls times calls with the
// same secrets and with others.
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

// Those that tests/<case>/secrets.cpp adds; none where a case has no secrets. The first is the one that is timed.
inline std::vector<SecretEntry>& secret_calls() {
  static std::vector<SecretEntry> entries;
  return entries;
}

}  // namespace ladder

#include "common/serve.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "common/command_line.hpp"
#include "common/workload.hpp"

namespace ladder {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_message = 4'096;

std::int64_t nanoseconds_since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

// The two ends of the conversation. A stage that prints does not write into it: standard output becomes the error
// output.
class Pipe {
 public:
  Pipe() : out_(dup(STDOUT_FILENO)) {
    if (out_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw std::system_error(errno, std::generic_category());
  }

  // Nothing where the input has ended.
  std::optional<std::string> receive() {
    std::array<unsigned char, 4> length{};
    if (!read_all(length.data(), length.size())) return std::nullopt;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < length.size(); ++i) bytes += std::size_t{length[i]} << (8 * i);
    if (bytes > longest_message) throw Unusable("A command of " + std::to_string(bytes) + " bytes is too long.");
    std::string text(bytes, '\0');
    if (!read_all(text.data(), bytes)) throw Unusable("The input ended within a command.");
    return text;
  }

  void send(const std::string& text) {
    std::string message;
    for (int i = 0; i < 4; ++i) message += static_cast<char>(text.size() >> (8 * i) & 255);
    message += text;
    for (std::size_t sent = 0; sent < message.size();) {
      const ssize_t bytes = write(out_, message.data() + sent, message.size() - sent);
      if (bytes < 0 && errno != EINTR) throw Unusable("The output cannot be written.");
      if (bytes > 0) sent += static_cast<std::size_t>(bytes);
    }
  }

 private:
  static bool read_all(void* into, std::size_t bytes) {
    auto* place = static_cast<char*>(into);
    while (bytes > 0) {
      const ssize_t found = read(STDIN_FILENO, place, bytes);
      if (found < 0 && errno == EINTR) continue;
      if (found <= 0) return false;
      place += found;
      bytes -= static_cast<std::size_t>(found);
    }
    return true;
  }

  int out_;
};

class Server {
 public:
  // The answer to a command.
  std::string answer(const std::string& command) {
    std::istringstream words(command);
    std::string verb, name;
    std::uint64_t number = 0;
    words >> verb;
    if (verb == "make" && words >> name >> number) return make(name, number);
    if (workload_ == nullptr) return "bad There is no workload yet: make one.";
    if (verb == "warm" && words >> number) return warm(number);
    if (verb == "slice" && words >> number) return slice(number);
    if (verb == "verify" && words >> name) return verify(name);
    return "bad serve does not know '" + command + "'.";
  }

 private:
  std::string make(const std::string& name, std::size_t pad) {
    for (const WorkloadEntry& entry : workloads()) {
      if (entry.name != name) continue;
      workload_.reset();
      pad_.assign(pad, 0);  // moves what is allocated behind it
      pad_.shrink_to_fit();
      workload_ = entry.make();
      return "ok";
    }
    return "bad There is no workload '" + name + "'.";
  }

  std::string warm(std::uint64_t nanoseconds) {
    std::uint64_t calls = 0;
    std::int64_t passed = 0;
    const auto begin = Clock::now();
    do {
      workload_->call();
      ++calls;
      passed = nanoseconds_since(begin);
    } while (passed < static_cast<std::int64_t>(nanoseconds));
    return "ok " + std::to_string(calls) + " " + std::to_string(passed);
  }

  std::string slice(std::uint64_t calls) {
    const auto begin = Clock::now();
    for (std::uint64_t i = 0; i < calls; ++i) workload_->call();
    return "ok " + std::to_string(nanoseconds_since(begin));
  }

  std::string verify(const std::string& where) const {
    if (where != "everywhere" && where != "samples") return "bad verify knows everywhere and samples.";
    const std::string what = workload_->wrong(where == "everywhere" ? everywhere : at_samples);
    return what.empty() ? "ok" : "wrong " + what;
  }

  std::vector<char> pad_;
  std::unique_ptr<Workload> workload_;
};

}  // namespace

int serve() {
  Pipe pipe;
  Server server;
  while (const std::optional<std::string> command = pipe.receive()) {
    if (*command == "end") {
      pipe.send("ok");
      return right;
    }
    std::string answer;
    try {
      answer = server.answer(*command);
    } catch (const std::exception& error) {  // a stage that throws is wrong
      answer = std::string("wrong ") + error.what();
    }
    pipe.send(answer);
  }
  return right;
}

}  // namespace ladder

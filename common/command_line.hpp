// What the command lines of programs have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace ladder {

constexpr int right = 0, wrong = 1, bad_input = 2;  // exit codes; 77 is guard.c's

// Its message says in one sentence what is wrong with the input.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Decimal, as it is meant: the library would take 010 for eight and nan for a number in any range.
template <class Number>
CLI::Validator number(Number low, Number high) {
  std::ostringstream what;
  what << "number from " << low << " to " << high;
  const auto check = [=, what = what.str()](const std::string& text) -> std::string {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool is_one = error == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
    if constexpr (std::is_integral_v<Number>) is_one &= std::to_string(value) == text;
    return is_one ? "" : "'" + text + "' is no " + what;
  };
  return {check, "a " + what.str()};
}

// The exit code, if there is nothing left to do.
inline std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::string name = app.get_name().empty() ? "" : app.get_name() + " ";
    std::cerr << error.what() << ". `" << name << "--help` tells what there is.\n";
    return bad_input;
  }
}

// Calls a program's own main. Whatever that throws becomes a sentence and an exit code. A std::logic_error means that
// the program is wrong, not the input.
inline int guarded(int (*own_main)(int, char**), int argc, char** argv) {
  try {
    const int code = own_main(argc, argv);
    if (!std::cout.flush()) throw Unusable("The output cannot be written.");
    return code;
  } catch (const std::bad_alloc&) {
    std::cerr << "There is not enough memory for this.\n";
  } catch (const std::logic_error& error) {
    std::cerr << error.what() << '\n';
    return wrong;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return bad_input;
}

}  // namespace ladder

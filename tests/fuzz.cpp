// What libFuzzer calls.
#include "tests/fuzz.hpp"

#include <cstdlib>
#include <iostream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ladder::fuzz::Input input({data, size});
  const std::string what = ladder::fuzz::wrong(input);
  if (what.empty()) return 0;
  std::cerr << "wrong: " << what << std::endl;
  std::abort();
}

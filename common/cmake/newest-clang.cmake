# Toolchain file of the clang presets: the newest Clang that is installed.
find_program(cxx NAMES clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14 clang++)
if(NOT cxx)
  message(FATAL_ERROR "No Clang found: `make setup PRESET=clang` installs one.")
endif()
set(CMAKE_CXX_COMPILER ${cxx})
string(REPLACE "clang++" "clang" CMAKE_C_COMPILER ${cxx})

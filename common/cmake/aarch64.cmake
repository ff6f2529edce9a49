# Toolchain file of the preset aarch64: GCC's cross compiler, whose programs run under QEMU.
find_program(cxx NAMES aarch64-linux-gnu-g++)
find_program(emulator NAMES qemu-aarch64 qemu-aarch64-static)
if(NOT cxx OR NOT emulator OR NOT EXISTS /usr/src/googletest)
  message(FATAL_ERROR "A cross compiler or an emulator for AArch64, or the sources of GoogleTest are missing: "
    "`make setup PRESET=aarch64` installs them.")
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER ${cxx})
string(REGEX REPLACE "g\\+\\+$" "gcc" CMAKE_C_COMPILER ${cxx})
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator} -L /usr/aarch64-linux-gnu)

# Instruction-set levels, from low to high, and the flags that stand for them.
#   levels            the levels of this processor family
#   flags_of_<level>  what the compiler is told
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(levels novec x86-64 x86-64-v3 x86-64-v4)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(levels aarch64)
else()
  message(FATAL_ERROR "perf-ladders knows no levels for '${CMAKE_SYSTEM_PROCESSOR}': add them to common/cmake/Levels.cmake.")
endif()

# novec separates cause from effect: the same instructions allowed, but no vectorising by the compiler itself.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(no_vectorising -fno-vectorize -fno-slp-vectorize)
else()
  set(no_vectorising -fno-tree-vectorize -fno-tree-slp-vectorize)
endif()

set(flags_of_novec -march=x86-64 ${no_vectorising})
set(flags_of_x86-64 -march=x86-64)
set(flags_of_x86-64-v3 -march=x86-64-v3)
set(flags_of_x86-64-v4 -march=x86-64-v4 -mprefer-vector-width=512)  # else Clang uses half of a register
set(flags_of_aarch64 -march=armv8-a)

set(PERF_LADDERS_LEVELS "${levels}" CACHE STRING "Levels to build, of: ${levels}")
foreach(level IN LISTS PERF_LADDERS_LEVELS)
  if(NOT level IN_LIST levels)
    message(FATAL_ERROR "There is no level '${level}' here; there are: ${levels}.")
  endif()
endforeach()

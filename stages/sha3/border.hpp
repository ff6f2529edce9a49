// The optimisation barrier between the caller and the hash. In the original they are in two files, so no compiler can
// optimise across them. Here both are in one file, so the barrier is explicit; variants/inlined removes it. `noinline`
// is not enough for GCC, which also clones a function for the constants that it is called with.
#pragma once

#ifdef __clang__
#define SHA3_BORDER [[gnu::noinline, gnu::used]]
#else
#define SHA3_BORDER [[gnu::noipa]]
#endif

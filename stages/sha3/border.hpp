// The border between the caller and the hash. The original has its hash in a file of its own: no compiler can look from
// one into the other. Here both stand in one file, so the border is drawn; variants/inlined lifts it. For GCC
// `noinline` would not do: it makes copies of a function for the constants that it is called with.
#pragma once

#ifdef __clang__
#define SHA3_BORDER [[gnu::noinline, gnu::used]]
#else
#define SHA3_BORDER [[gnu::noipa]]
#endif

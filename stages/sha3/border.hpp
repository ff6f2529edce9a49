// The border between the caller and the hash. The original has its hash in a file of its own: no compiler can look from
// one into the other. Here both stand in one file, so the border is drawn; variants/inlined lifts it.
#pragma once

#define SHA3_BORDER [[gnu::noinline, gnu::used]]

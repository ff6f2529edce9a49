// No barrier: the compiler may inline the hash into its callers.
#pragma once

#define SHA3_BORDER inline

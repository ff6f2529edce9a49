// No border: the compiler may dissolve the hash into its callers.
#pragma once

#define SHA3_BORDER inline

// Which core this is, by CPUID.
#pragma once

#include <cpuid.h>

namespace salsa20 {
namespace {

// On AMD's family 1Ah, which is Zen 5, an operation on integer vectors takes two cycles. On Emerald Rapids it takes
// one. Both are measured by `./ladders machine`. Later families are taken to be like Zen 5, all other cores like
// Emerald Rapids.
bool has_two_cycle_vectors() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx) || ebx != signature_AMD_ebx) return false;
  __get_cpuid(1, &eax, &ebx, &ecx, &edx);
  return (eax >> 8 & 0xF) + (eax >> 20 & 0xFF) >= 0x1A;
}

}  // namespace
}  // namespace salsa20

// Ends the program with exit code 77 and a sentence if the CPU lacks a feature that the program was compiled for. This
// runs before any code that needs the feature. This file is compiled with the stage's own flags, so the predefined
// macros name the features. Its own code is plain.
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <unistd.h>

#define PLAIN __attribute__((target("arch=x86-64,general-regs-only"), noinline))

enum { EAX, EBX, ECX, EDX };
enum {
  SSE_AND_AVX_STATE = 0x6,
  AVX512_STATE = 0xe6
};  // bits of XCR0 that the kernel sets when it saves these registers

struct feature {
  const char *name;
  unsigned leaf, word, bit, state;
};

// The instruction-set macros that levels and `requires:` words define, and where CPUID tells of each. A test checks
// that no macro is missing with which a program of this tree is compiled.
static const struct feature needed[] = {
#ifdef __SSE3__
    {"SSE3", 1, ECX, 0, 0},
#endif
#ifdef __PCLMUL__
    {"PCLMUL", 1, ECX, 1, 0},
#endif
#ifdef __SSSE3__
    {"SSSE3", 1, ECX, 9, 0},
#endif
#ifdef __FMA__
    {"FMA", 1, ECX, 12, SSE_AND_AVX_STATE},
#endif
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
    {"CMPXCHG16B", 1, ECX, 13, 0},
#endif
#ifdef __SSE4_1__
    {"SSE4.1", 1, ECX, 19, 0},
#endif
#if defined(__SSE4_2__) || defined(__CRC32__)
    {"SSE4.2", 1, ECX, 20, 0},
#endif
#ifdef __MOVBE__
    {"MOVBE", 1, ECX, 22, 0},
#endif
#ifdef __POPCNT__
    {"POPCNT", 1, ECX, 23, 0},
#endif
#ifdef __AES__
    {"AES", 1, ECX, 25, 0},
#endif
#ifdef __XSAVE__
    {"XSAVE", 1, ECX, 26, 0},
#endif
#ifdef __AVX__
    {"AVX", 1, ECX, 28, SSE_AND_AVX_STATE},
#endif
#ifdef __F16C__
    {"F16C", 1, ECX, 29, SSE_AND_AVX_STATE},
#endif
#ifdef __BMI__
    {"BMI1", 7, EBX, 3, 0},
#endif
#ifdef __AVX2__
    {"AVX2", 7, EBX, 5, SSE_AND_AVX_STATE},
#endif
#ifdef __BMI2__
    {"BMI2", 7, EBX, 8, 0},
#endif
#if defined(__AVX512F__) || defined(__EVEX512__)
    {"AVX-512F", 7, EBX, 16, AVX512_STATE},
#endif
#ifdef __AVX512IFMA__
    {"AVX-512IFMA", 7, EBX, 21, AVX512_STATE},
#endif
#ifdef __AVX512VBMI__
    {"AVX-512VBMI", 7, ECX, 1, AVX512_STATE},
#endif
#ifdef __AVX512VBMI2__
    {"AVX-512VBMI2", 7, ECX, 6, AVX512_STATE},
#endif
#ifdef __AVX512DQ__
    {"AVX-512DQ", 7, EBX, 17, AVX512_STATE},
#endif
#ifdef __AVX512CD__
    {"AVX-512CD", 7, EBX, 28, AVX512_STATE},
#endif
#ifdef __SHA__
    {"SHA", 7, EBX, 29, 0},
#endif
#ifdef __AVX512BW__
    {"AVX-512BW", 7, EBX, 30, AVX512_STATE},
#endif
#ifdef __AVX512VL__
    {"AVX-512VL", 7, EBX, 31, AVX512_STATE},
#endif
#ifdef __GFNI__
    {"GFNI", 7, ECX, 8, 0},
#endif
#ifdef __VAES__
    {"VAES", 7, ECX, 9, SSE_AND_AVX_STATE},
#endif
#ifdef __VPCLMULQDQ__
    {"VPCLMULQDQ", 7, ECX, 10, SSE_AND_AVX_STATE},
#endif
#ifdef __LAHF_SAHF__
    {"LAHF", 0x80000001, ECX, 0, 0},
#endif
#if defined(__LZCNT__) || defined(__ABM__)
    {"LZCNT", 0x80000001, ECX, 5, 0},
#endif
    {0, 0, 0, 0, 0},
};

// The register state that the kernel saves; 0 where the CPU or the kernel knows no XSAVE.
PLAIN static unsigned saved_state(void) {
  unsigned eax, ebx, ecx, edx;
  __cpuid(1, eax, ebx, ecx, edx);
  if (!(ecx >> 27 & 1)) return 0;  // OSXSAVE
  __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return eax;
}

PLAIN static int present(const struct feature *feature, unsigned state) {
  unsigned words[4];
  __cpuid(feature->leaf & 0x80000000, words[EAX], words[EBX], words[ECX], words[EDX]);
  if (words[EAX] < feature->leaf) return 0;
  __cpuid_count(feature->leaf, 0, words[EAX], words[EBX], words[ECX], words[EDX]);
  return (words[feature->word] >> feature->bit & 1) && (state & feature->state) == feature->state;
}

PLAIN static void say(const char *text) {
  unsigned length = 0;
  while (text[length]) ++length;
  if (write(STDERR_FILENO, text, length) < 0) return;
}

PLAIN static void leave_where_the_cpu_lacks_a_feature(void) {
  const unsigned state = saved_state();
  int lacking = 0;
  for (const struct feature *feature = needed; feature->name; ++feature) {
    if (present(feature, state)) continue;
    say(lacking++ ? ", " : "This program was compiled for features that this CPU (or its kernel) lacks: ");
    say(feature->name);
  }
  if (!lacking) return;
  say(". Programs of a lower level may run here.\n");
  _exit(77);
}

// Before the constructors, and before the initialisers of shared libraries, which may call into the program's
// templates.
__attribute__((section(".preinit_array"),
               used)) static void (*const before_everything)(void) = leave_where_the_cpu_lacks_a_feature;
#endif

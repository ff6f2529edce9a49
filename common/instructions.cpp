// Latency and throughput of instructions that the stages use. `./ladders machine` turns nanoseconds into cycles.
//   instructions list       for each instruction its name, and the features that it needs, as /proc/cpuinfo names them
//   instructions measure    after these the latency in nanoseconds, and how many start in a nanosecond
// One instruction a line, with tabs between the columns; - where there is no figure. The instructions are assembly, so
// one program holds all of them, whatever level it is compiled for.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr int passes = 100, repeated = 96;  // a run makes `passes` over `repeated` instructions
constexpr std::chrono::milliseconds long_enough(40);
#define PASSES "100"

// Noise only ever adds time: the shortest of many short runs is the time without it. `prepare` is not timed.
double shortest_ns(auto&& work, auto&& prepare) {
  using Clock = std::chrono::steady_clock;
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto end = Clock::now() + long_enough; Clock::now() < end;) {
    prepare();
    const auto begin = Clock::now();
    work();
    shortest = std::min(shortest, std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  return shortest;
}

double shortest_ns(auto&& work) {
  return shortest_ns(work, [] {});
}

// Words 64 bytes apart hold their own address, for chains of loads. From 4096 on it holds zeros, for gather.
alignas(4096) std::uint64_t memory[1024];

void fill_memory() {
  for (int place = 8; place < 16; ++place) memory[8 * place] = reinterpret_cast<std::uint64_t>(&memory[8 * place]);
}

using Nanoseconds = double (*)();  // of one instruction

struct Instruction {
  const char *name, *needs;
  Nanoseconds latency, apart;  // each waits for the one before; none waits for another
};

// `text` for each of 96 registers, of which \r is the number. One register 96 times makes a chain.
#if defined(__x86_64__)
#define TIMED(registers, text)                                                                                         \
  [] {                                                                                                                 \
    return shortest_ns([] {                                                                                            \
             asm volatile("mov $" PASSES                                                                               \
                          ", %%ecx\n\tmov $1, %%eax\n\tpxor %%xmm0, %%xmm0\n\t"                                        \
                          ".irp r,8,9,10,11,12,13,14,15\n\tlea 64*\\r(%[memory]), %%r\\r\n\t.endr\n\t"                 \
                          ".irp r,4,5,6,7,8,9,10,11,12,13,14,15\n\tpxor %%xmm\\r, %%xmm\\r\n\t.endr\n"                 \
                          "1:\n\t.irp r," registers "\n\t" text                                                        \
                          "\n\t.endr\n\t"                                                                              \
                          "dec %%ecx\n\tjnz 1b" ::[memory] "D"(memory)                                                 \
                          : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",        \
                            "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", \
                            "xmm13", "xmm14", "xmm15", "cc", "memory");                                                \
           }) /                                                                                                        \
           (passes * repeated);                                                                                        \
  }
#elif defined(__aarch64__)
#define TIMED(registers, text)                                                                                    \
  [] {                                                                                                            \
    return shortest_ns([] {                                                                                       \
             asm volatile(".arch_extension crypto\n\tmov w16, #" PASSES                                           \
                          "\n\tmov x17, #1\n\tmovi v0.16b, #0\n\t"                                                \
                          ".irp r,8,9,10,11,12,13,14,15\n\tadd x\\r, %[memory], #(64*\\r)\n\t.endr\n\t"           \
                          ".irp r,4,5,6,7,8,9,10,11,12,13,14,15\n\tmovi v\\r\\().16b, #0\n\t.endr\n"              \
                          "1:\n\t.irp r," registers "\n\t" text                                                   \
                          "\n\t.endr\n\t"                                                                         \
                          "subs w16, w16, #1\n\tb.ne 1b" ::[memory] "r"(memory)                                   \
                          : "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "v0", "v4", "v5", \
                            "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "cc", "memory");    \
           }) /                                                                                                   \
           (passes * repeated);                                                                                   \
  }
#endif
#define FOUR_TIMES(list) list "," list "," list "," list
#define EIGHT_TIMES(list) FOUR_TIMES(list) "," FOUR_TIMES(list)
#define TWELVE_TIMES(list) EIGHT_TIMES(list) "," FOUR_TIMES(list)
#define GENERAL_CHAIN(text) TIMED(EIGHT_TIMES(TWELVE_TIMES("8")), text)
#define GENERAL_APART(text) TIMED(TWELVE_TIMES("8,9,10,11,12,13,14,15"), text)
#define VECTOR_CHAIN(text) TIMED(EIGHT_TIMES(TWELVE_TIMES("4")), text)
#define VECTOR_APART(text) TIMED(EIGHT_TIMES("4,5,6,7,8,9,10,11,12,13,14,15"), text)
#define GENERAL(text) GENERAL_CHAIN(text), GENERAL_APART(text)
#define VECTOR(text) VECTOR_CHAIN(text), VECTOR_APART(text)

// The next place waits for each load. In a random order no prefetcher guesses it.
double load_from_l2_ns() {
  constexpr std::size_t line = 64, lines = 160 * 1024 / line, loads = 4 * lines;  // more than L1, less than L2
  std::vector<std::size_t> order(lines);
  for (std::size_t i = 0; i < lines; ++i) order[i] = i;
  std::mt19937_64 random;
  std::shuffle(order.begin(), order.end(), random);
  struct alignas(line) Line {
    Line* next;
  };
  std::vector<Line> buffer(lines);
  for (std::size_t i = 0; i < lines; ++i) buffer[order[i]].next = &buffer[order[(i + 1) % lines]];
  Line* place = buffer.data();
  return shortest_ns([&] {
           for (std::size_t i = 0; i < loads; ++i) {
             place = place->next;
             asm volatile("" : "+r"(place));
           }
         }) /
         loads;
}

// The bytes are 0 or 1, and a branch depends on each.
void branch_on(const std::vector<std::uint8_t>& bytes) {
  for (const std::uint8_t& byte : bytes) {
#if defined(__x86_64__)
    asm volatile("cmpb $0, %0\n\tje 1f\n\tnop\n1:" ::"m"(byte) : "cc");
#elif defined(__aarch64__)
    asm volatile("cbz %w0, 1f\n\tnop\n1:" ::"r"(byte));
#endif
  }
}

// Half of the random branches are predicted wrongly.
double mispredicted_branch_ns() {
  constexpr std::size_t branches = 8192;
  std::vector<std::uint8_t> bytes(branches, 0);
  const double predicted = shortest_ns([&] { branch_on(bytes); });
  std::mt19937_64 random;
  const double guessed = shortest_ns([&] { branch_on(bytes); },
                                     [&] {  // other bytes each time, for the predictor learns them
                                       for (std::uint8_t& byte : bytes) byte = random() & 1;
                                     });
  return (guessed - predicted) / (branches / 2);
}

const Instruction instructions[] = {
#if defined(__x86_64__)
    {"add", "", GENERAL("add %%rax, %%r\\r")},
    {"xor", "", GENERAL("xor %%rax, %%r\\r")},
    {"andn", "bmi1", GENERAL("andn %%rax, %%r\\r, %%r\\r")},
    {"shl", "", GENERAL("shl $4, %%r\\r")},
    {"rol", "", GENERAL("rol $7, %%r\\r")},
    {"rorx", "bmi2", GENERAL("rorx $7, %%r\\r, %%r\\r")},
    {"bswap", "", GENERAL("bswap %%r\\r")},
    {"imul", "", GENERAL("imul %%rax, %%r\\r")},
    {"load", "", GENERAL_CHAIN("mov (%%r\\r), %%r\\r"), GENERAL_APART("mov 8*\\r(%[memory]), %%r\\r")},
    {"load from L2", "", load_from_l2_ns, nullptr},
    {"store", "", nullptr, GENERAL_APART("mov %%rax, 2048+8*\\r(%[memory])")},
    {"store, then load it", "", GENERAL_CHAIN("mov %%r\\r, 2048(%[memory])\n\tmov 2048(%[memory]), %%r\\r"), nullptr},
    {"movq to xmm and back", "", GENERAL("movq %%r\\r, %%xmm\\r\n\tmovq %%xmm\\r, %%r\\r")},
    {"taken branch", "", nullptr, GENERAL_APART("jmp 2f\n\t.p2align 5\n2:")},
    {"mispredicted branch", "", mispredicted_branch_ns, nullptr},
    {"load xmm", "", nullptr, VECTOR_APART("movdqu 64*\\r(%[memory]), %%xmm\\r")},
    {"load ymm", "avx2", nullptr, VECTOR_APART("vmovdqu 64*\\r(%[memory]), %%ymm\\r")},
    {"load zmm", "avx512f", nullptr, VECTOR_APART("vmovdqu64 64*\\r(%[memory]), %%zmm\\r")},
    {"store xmm", "", nullptr, VECTOR_APART("movdqu %%xmm\\r, 2048+64*\\r(%[memory])")},
    {"store ymm", "avx2", nullptr, VECTOR_APART("vmovdqu %%ymm\\r, 2048+64*\\r(%[memory])")},
    {"store zmm", "avx512f", nullptr, VECTOR_APART("vmovdqu64 %%zmm\\r, 2048+64*\\r(%[memory])")},
    {"paddd xmm", "", VECTOR("paddd %%xmm0, %%xmm\\r")},
    {"vpaddd ymm", "avx2", VECTOR("vpaddd %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vpaddd zmm", "avx512f", VECTOR("vpaddd %%zmm0, %%zmm\\r, %%zmm\\r")},
    {"vpaddq ymm", "avx2", VECTOR("vpaddq %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vpaddq zmm", "avx512f", VECTOR("vpaddq %%zmm0, %%zmm\\r, %%zmm\\r")},
    {"pxor xmm", "", VECTOR("pxor %%xmm0, %%xmm\\r")},
    {"vpxor ymm", "avx2", VECTOR("vpxor %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"pxor xmm, vpaddd ymm", "avx2", VECTOR_CHAIN("pxor %%xmm0, %%xmm\\r\n\tvpaddd %%ymm0, %%ymm\\r, %%ymm\\r"),
     nullptr},
    {"vpternlogd zmm", "avx512f", VECTOR("vpternlogd $0x96, %%zmm0, %%zmm0, %%zmm\\r")},
    {"pslld xmm", "", VECTOR("pslld $4, %%xmm\\r")},
    {"vpslld ymm", "avx2", VECTOR("vpslld $4, %%ymm\\r, %%ymm\\r")},
    {"vpslld zmm", "avx512f", VECTOR("vpslld $4, %%zmm\\r, %%zmm\\r")},
    {"vpsllvq ymm", "avx2", VECTOR("vpsllvq %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vprold zmm", "avx512f", VECTOR("vprold $7, %%zmm\\r, %%zmm\\r")},
    {"vprolq zmm", "avx512f", VECTOR("vprolq $7, %%zmm\\r, %%zmm\\r")},
    {"pcmpeqb xmm", "", VECTOR("pcmpeqb %%xmm0, %%xmm\\r")},
    {"vpcmpeqb ymm", "avx2", VECTOR("vpcmpeqb %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"pshufb xmm", "ssse3", VECTOR("pshufb %%xmm0, %%xmm\\r")},
    {"vpshufb ymm", "avx2", VECTOR("vpshufb %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vpshufb zmm", "avx512bw", VECTOR("vpshufb %%zmm0, %%zmm\\r, %%zmm\\r")},
    {"pshufd xmm", "", VECTOR("pshufd $0x39, %%xmm\\r, %%xmm\\r")},
    {"punpckldq xmm", "", VECTOR("punpckldq %%xmm0, %%xmm\\r")},
    {"vpunpckldq ymm", "avx2", VECTOR("vpunpckldq %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vperm2i128 ymm", "avx2", VECTOR("vperm2i128 $1, %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vpermd ymm", "avx2", VECTOR("vpermd %%ymm\\r, %%ymm0, %%ymm\\r")},
    {"pblendvb xmm", "sse4_1", VECTOR("pblendvb %%xmm0, %%xmm1, %%xmm\\r")},
    {"vpblendd ymm", "avx2", VECTOR("vpblendd $0x55, %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"phminposuw xmm", "sse4_1", VECTOR("phminposuw %%xmm\\r, %%xmm\\r")},
    // The mask is used up, and may not be the result; so a move belongs to it.
    {"vpgatherdd ymm", "avx2",
     VECTOR("vpcmpeqd %%ymm0, %%ymm0, %%ymm0\n\tvpgatherdd %%ymm0, 4096(%[memory],%%ymm\\r), %%ymm1\n\t"
            "vmovdqa %%ymm1, %%ymm\\r")},
    {"aesenc xmm", "aes", VECTOR("aesenc %%xmm0, %%xmm\\r")},
    {"vaesenc ymm", "vaes", VECTOR("vaesenc %%ymm0, %%ymm\\r, %%ymm\\r")},
    {"vaesenc zmm", "vaes avx512f", VECTOR("vaesenc %%zmm0, %%zmm\\r, %%zmm\\r")},
    {"sha1rnds4 xmm", "sha_ni", VECTOR("sha1rnds4 $0, %%xmm0, %%xmm\\r")},
    {"sha1nexte xmm", "sha_ni", VECTOR("sha1nexte %%xmm0, %%xmm\\r")},
    {"sha1msg1 xmm", "sha_ni", VECTOR("sha1msg1 %%xmm0, %%xmm\\r")},
    {"sha1msg2 xmm", "sha_ni", VECTOR("sha1msg2 %%xmm0, %%xmm\\r")},
#elif defined(__aarch64__)
    {"add", "", GENERAL("add x\\r, x\\r, x17")},
    {"eor", "", GENERAL("eor x\\r, x\\r, x17")},
    {"bic", "", GENERAL("bic x\\r, x\\r, x17")},
    {"lsl", "", GENERAL("lsl x\\r, x\\r, #4")},
    {"ror", "", GENERAL("ror x\\r, x\\r, #7")},
    {"rev", "", GENERAL("rev x\\r, x\\r")},
    {"mul", "", GENERAL("mul x\\r, x\\r, x17")},
    {"load", "", GENERAL_CHAIN("ldr x\\r, [x\\r]"), GENERAL_APART("ldr x\\r, [%[memory], #(8*\\r)]")},
    {"load from L2", "", load_from_l2_ns, nullptr},
    {"store", "", nullptr, GENERAL_APART("str x17, [%[memory], #(2048+8*\\r)]")},
    {"store, then load it", "", GENERAL_CHAIN("str x\\r, [%[memory], #2048]\n\tldr x\\r, [%[memory], #2048]"), nullptr},
    {"taken branch", "", nullptr, GENERAL_APART("b 2f\n\t.p2align 5\n2:")},
    {"mispredicted branch", "", mispredicted_branch_ns, nullptr},
    {"load 128", "", nullptr, VECTOR_APART("ldr q\\r, [%[memory], #(64*\\r)]")},
    {"store 128", "", nullptr, VECTOR_APART("str q\\r, [%[memory], #(2048+64*\\r)]")},
    {"add 4s", "asimd", VECTOR("add v\\r\\().4s, v\\r\\().4s, v0.4s")},
    {"eor 16b", "asimd", VECTOR("eor v\\r\\().16b, v\\r\\().16b, v0.16b")},
    {"shl 4s", "asimd", VECTOR("shl v\\r\\().4s, v\\r\\().4s, #4")},
    {"tbl 16b", "asimd", VECTOR("tbl v\\r\\().16b, {v\\r\\().16b}, v0.16b")},
    {"zip1 4s", "asimd", VECTOR("zip1 v\\r\\().4s, v\\r\\().4s, v0.4s")},
    {"aese and aesmc", "aes", VECTOR("aese v\\r\\().16b, v0.16b\n\taesmc v\\r\\().16b, v\\r\\().16b")},
    {"sha1c", "sha1", VECTOR("sha1c q\\r, s0, v0.4s")},
#endif
};

// The features that both the CPU and the kernel have, with a space before and after each.
std::string features() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("flags") || line.starts_with("Features")) return line.substr(line.find(':') + 1) + ' ';
  }
  return "";
}

bool has_all(const std::string& features, const char* needs) {
  std::istringstream words(needs);
  for (std::string word; words >> word;) {
    if (features.find(' ' + word + ' ') == std::string::npos) return false;
  }
  return true;
}

void print_figure(double figure) {
  if (figure > 0) {
    std::printf("\t%.4f", figure);
  } else {
    std::printf("\t-");
  }
}

void print(bool measured) {
  const std::string present = features();
  fill_memory();
  for (const auto& [name, needs, latency, apart] : instructions) {
    std::printf("%s\t%s", name, needs);
    if (measured) {
      const bool runs_here = has_all(present, needs);
      print_figure(runs_here && latency ? latency() : 0);
      print_figure(runs_here && apart ? 1 / apart() : 0);
#if defined(__x86_64__)
      if (has_all(present, "avx")) asm volatile("vzeroupper");  // else the 128-bit instructions that follow wait
#endif
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what != "list" && what != "measure") {
    std::fputs("Use one of: list, measure.\n", stderr);
    return 2;
  }
  print(what == "measure");
}

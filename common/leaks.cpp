// What LeakSanitizer finds in libraries: PoCL and LLVM keep what they needed to compile a kernel.

extern "C" const char* __lsan_default_suppressions() { return "leak:libpocl\nleak:libLLVM\n"; }

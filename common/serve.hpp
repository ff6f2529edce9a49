// The verb `serve`: a live program makes, times and verifies workloads when it is asked, over its input and output.
//
// A message is its length, 4 bytes with the lowest first, and that many bytes of text. Each command has one answer:
//   make NAME PAD      makes the workload again, behind PAD bytes of heap         ok
//   warm NS            calls it until that many nanoseconds have passed           ok CALLS NS
//   slice CALLS        calls it so often                                          ok NS
//   verify everywhere  compares its output with the oracle, everywhere or at      ok
//   verify samples     places that are drawn again
//   end                                                                           ok
// Instead of ok: `wrong` and a sentence, where the stage is wrong; `bad` and a sentence, where the command is.
#pragma once

namespace ladder {

// Until `end`, or the end of the input. The exit code.
int serve();

}  // namespace ladder

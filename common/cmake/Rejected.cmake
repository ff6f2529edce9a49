# cmake -DPROGRAM=... -P Rejected.cmake: succeeds if the mutant's own check ends with exit code 1.
execute_process(COMMAND ${PROGRAM} check --gtest_brief=1 --gtest_fail_fast RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "The mutant passes all checks: the case lacks a test that sees what is wrong with it.\n${output}")
elseif(NOT result EQUAL 1)
  message(FATAL_ERROR "The mutant was not rejected by a test, but ended with '${result}': let a test with guard pages come before the one in which it dies.\n${output}")
endif()

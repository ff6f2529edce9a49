# cmake -DPROGRAM=... -P Rejected.cmake: succeeds if the mutant's own check ends with exit code 1.
execute_process(COMMAND ${PROGRAM} check --gtest_brief=1 --gtest_fail_fast RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 1)
  message(FATAL_ERROR "The mutant was not rejected: exit code '${result}' instead of 1.\n${output}")
endif()

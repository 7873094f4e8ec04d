# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs Verilator for one model and gathers what it wrote: cmake -D SETTINGS=<file> -P verilate_model.cmake
#
# The settings come from ow_add_verilated_library(). Verilator decides how many files it writes, a build wants to know
# before: the hot ones are gathered in hot_1.cpp to hot_<parts>.cpp, the others in cold.cpp, which is also quicker to
# compile. A file whose text is what it was keeps its time, so that an edited comment compiles nothing.
include(${SETTINGS})
set(written ${folder}.new)
file(REMOVE_RECURSE ${written})
execute_process(COMMAND ${command} -Mdir ${written} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "Verilator rejected the sources of ${prefix} (see above).")
endif()

file(READ ${written}/${prefix}.json report)

# Sets <result> to the names of the files of a kind.
function(read_sources result kind)
  string(JSON length ERROR_VARIABLE absent LENGTH "${report}" sources ${kind})
  set(items)
  if(NOT absent AND length GREATER 0)
    math(EXPR last "${length} - 1")
    foreach(index RANGE ${last})
      string(JSON item GET "${report}" sources ${kind} ${index})
      list(APPEND items ${item})
    endforeach()
  endif()
  set(${result} ${items} PARENT_SCOPE)
endfunction()

# Writes <name>.cpp from files that Verilator wrote.
function(gather name)
  set(target ${written}/${name}.cpp)
  file(WRITE ${target} "// Gathered by cmake/verilate_model.cmake.\n")
  foreach(source ${ARGN})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${written})
    file(READ ${source} text)
    file(APPEND ${target} "${text}")
    file(REMOVE ${source})
  endforeach()
endfunction()

foreach(kind classes_fast support_fast classes_slow support_slow deps)
  read_sources(${kind} ${kind})
endforeach()
set(next 0)
foreach(source ${classes_fast} ${support_fast})
  math(EXPR part "${next} % ${parts} + 1")
  list(APPEND hot_${part} ${source})
  math(EXPR next "${next} + 1")
endforeach()
foreach(part RANGE 1 ${parts})
  gather(hot_${part} ${hot_${part}})
endforeach()
gather(cold ${classes_slow} ${support_slow})

file(MAKE_DIRECTORY ${folder})
file(GLOB headers RELATIVE ${written} ${written}/*.h)
file(GLOB cpps RELATIVE ${written} ${written}/*.cpp)
foreach(file ${headers} ${cpps})
  file(COPY_FILE ${written}/${file} ${folder}/${file} ONLY_IF_DIFFERENT)
endforeach()
file(REMOVE_RECURSE ${written})

list(JOIN deps " \\\n  " deps)
file(WRITE ${folder}.d "${folder}/hot_1.cpp: \\\n  ${deps}\n")

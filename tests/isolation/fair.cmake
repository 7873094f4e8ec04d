# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# A queue's bandwidth and the time of its short job beside a hostile queue, on the first board that is built.
list(GET OUTWORK_BOARDS 0 first_board)
foreach(name fair_engines)
  add_executable(isolation_${name} ${CMAKE_SOURCE_DIR}/tests/isolation/${name}.c)
  target_include_directories(isolation_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/driver)
  target_compile_definitions(isolation_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(isolation_${name} PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(isolation_${name} PRIVATE ${first_board})
  add_test(NAME isolation_${name} COMMAND isolation_${name})
  set_tests_properties(isolation_${name} PROPERTIES TIMEOUT 600)
endforeach()

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Tests that only `make test-all` runs, and the programs that only they need: the target slow_tests, ow_mark_slow().
add_custom_target(slow_tests)

# ow_mark_slow(<program> <test>...): slow_tests builds the program, which `all` leaves out, and only `make test-all` runs the tests.
function(ow_mark_slow program)
  set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(slow_tests ${program})
  set_tests_properties(${ARGN} PROPERTIES LABELS slow)
endfunction()

# ow_follow_board(<board> <program> <test>...): the same, where the board is one that a quick build leaves out.
function(ow_follow_board board)
  get_target_property(excluded ${board} EXCLUDE_FROM_ALL)
  if(excluded)
    ow_mark_slow(${ARGN})
  endif()
endfunction()

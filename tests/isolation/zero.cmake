# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Zeroising beside every engine's jobs, and what foreign slots tell, on the reference board.
if(ow_board_128 IN_LIST OUTWORK_BOARDS)
  add_executable(isolation_zero_keys zero_keys.c ${CMAKE_SOURCE_DIR}/tests/sim/bench.c)
  target_compile_options(isolation_zero_keys PRIVATE -Wall -Wextra)
  target_link_libraries(isolation_zero_keys PRIVATE ow_board_128)
  add_test(NAME isolation_zero_keys COMMAND isolation_zero_keys)
  set_tests_properties(isolation_zero_keys PROPERTIES TIMEOUT 300)
endif()
if(TARGET ow_offload AND ow_board_128 IN_LIST OUTWORK_BOARDS)
  add_executable(isolation_zero_handles zero_handles.c)
  target_compile_options(isolation_zero_handles PRIVATE -Wall -Wextra)
  target_link_libraries(isolation_zero_handles PRIVATE ow_offload)
  add_test(NAME isolation_zero_handles COMMAND isolation_zero_handles $<TARGET_FILE:ow_board_128>)
  set_tests_properties(isolation_zero_handles PROPERTIES TIMEOUT 120)
  add_dependencies(isolation_zero_handles ow_board_128)
endif()

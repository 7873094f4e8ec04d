# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# States of messages under keys in slots, and the slots' keys, attacked on a board.
foreach(name key_lengths seal_attacks seal_late seal_states seal_storm)
  add_executable(isolation_${name} ${name}.c)
  target_compile_options(isolation_${name} PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(isolation_${name} PRIVATE ow_board_128)
  add_test(NAME isolation_${name} COMMAND isolation_${name})
  set_tests_properties(isolation_${name} PROPERTIES TIMEOUT 300)
endforeach()

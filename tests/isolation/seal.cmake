# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# States of messages under keys in slots, attacked on a board.
foreach(name attacks late states storm)
  add_executable(isolation_seal_${name} seal_${name}.c)
  target_compile_options(isolation_seal_${name} PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(isolation_seal_${name} PRIVATE ow_board_128)
  add_test(NAME isolation_seal_${name} COMMAND isolation_seal_${name})
  set_tests_properties(isolation_seal_${name} PROPERTIES TIMEOUT 300)
endforeach()

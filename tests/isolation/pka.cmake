# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Attacks on the public-key engine, on the first board that is built.
list(GET OUTWORK_BOARDS 0 first_board)
foreach(name pka_nonce pka_turns)
  add_executable(isolation_${name} ${CMAKE_SOURCE_DIR}/tests/isolation/${name}.c ${CMAKE_SOURCE_DIR}/tests/driver/rig_board.c)
  target_include_directories(isolation_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/driver)
  target_compile_definitions(isolation_${name} PRIVATE _GNU_SOURCE)
  target_compile_options(isolation_${name} PRIVATE -Wall -Wextra -Werror)
  target_link_libraries(isolation_${name} PRIVATE ${first_board} OpenSSL::Crypto)
endforeach()
add_test(NAME isolation_pka_nonce COMMAND isolation_pka_nonce 5)
add_test(NAME isolation_pka_nonce_all COMMAND isolation_pka_nonce)
add_test(NAME isolation_pka_turns COMMAND isolation_pka_turns)
set_tests_properties(isolation_pka_nonce isolation_pka_nonce_all isolation_pka_turns PROPERTIES TIMEOUT 600)
set_tests_properties(isolation_pka_nonce_all PROPERTIES LABELS slow)

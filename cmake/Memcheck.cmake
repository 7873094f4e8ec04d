# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Tests under valgrind's memcheck: ow_add_memcheck().
find_program(VALGRIND valgrind)
if(NOT VALGRIND)
  message(STATUS "The tests under valgrind are left out: it is not here.")
endif()

# ow_add_memcheck(<test> [SLOW] [FORKS] [SUPPRESSIONS <file>] [ENVIRONMENT <NAME=value>…] COMMAND <target> [<argument>…])
# Any error fails the test, and so does memory that is lost. SLOW: only `make test-all` runs it. FORKS: lost memory is not looked
# for, because a child forgets its parent's device, which only the parent can close.
function(ow_add_memcheck test)
  if(NOT VALGRIND)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "SLOW;FORKS" "SUPPRESSIONS" "ENVIRONMENT;COMMAND")
  list(POP_FRONT arg_COMMAND target)
  # OpenSSL's GHASH with AVX takes along bytes of a register that it has not filled; tags are right, but memcheck follows the
  # bytes. Without AVX (bit 60 of its capability word) another of its GHASHs runs.
  list(APPEND arg_ENVIRONMENT "OPENSSL_ia32cap=~0x1000000000000000")
  set(options --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect)
  if(arg_FORKS)
    set(options --leak-check=no)
  endif()
  if(arg_SUPPRESSIONS)
    list(APPEND options --suppressions=${arg_SUPPRESSIONS})
  endif()
  add_test(NAME ${test} COMMAND ${VALGRIND} -q ${options} --error-exitcode=9 $<TARGET_FILE:${target}> ${arg_COMMAND})
  set_tests_properties(${test} PROPERTIES TIMEOUT 1200 ENVIRONMENT "${arg_ENVIRONMENT}")
  if(arg_SLOW)
    set_tests_properties(${test} PROPERTIES LABELS slow)
  endif()
endfunction()

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Marks secrets for valgrind's memcheck as undefined memory, so that it reports branches and
 * addresses that depend on them (the method of ctgrind).
 */
#ifndef OUTWORK_TEST_SECRET_H
#define OUTWORK_TEST_SECRET_H

#include <valgrind/memcheck.h>

#define SECRET(memory, length) (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, length)
#define PUBLIC(memory, length) (void)VALGRIND_MAKE_MEM_DEFINED(memory, length)

#endif

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Secrets as valgrind's memcheck sees them: told that they are undefined, it complains where code
 * branches on them or takes an address from them (the method of ctgrind).
 */
#ifndef OUTWORK_TEST_SECRET_H
#define OUTWORK_TEST_SECRET_H

#include <valgrind/memcheck.h>

#define SECRET(memory, length) (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, length)
#define PUBLIC(memory, length) (void)VALGRIND_MAKE_MEM_DEFINED(memory, length)

#endif

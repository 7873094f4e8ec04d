/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The options of the tests' Mbed TLS that differ from its default configuration.
 */
#ifndef MBEDTLS_USE_PSA_CRYPTO
/* TLS and X.509 use PSA. */
#define MBEDTLS_USE_PSA_CRYPTO
#endif
#ifndef MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_PTHREAD
#endif

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the tests' Mbed TLS has beyond its default configuration.
 */
#ifndef MBEDTLS_USE_PSA_CRYPTO
#define MBEDTLS_USE_PSA_CRYPTO /* TLS and X.509 go through PSA */
#endif
#ifndef MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_C
#define MBEDTLS_THREADING_PTHREAD
#endif

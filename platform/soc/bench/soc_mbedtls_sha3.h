/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Mbed TLS as sha3.c needs it.
 */
#define MBEDTLS_SHA3_C

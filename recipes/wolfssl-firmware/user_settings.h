/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfSSL for main.c: the symmetric algorithms of the callback, which is compiled for them.
 */
#ifndef USER_SETTINGS_H
#define USER_SETTINGS_H

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define WOLFSSL_GENERAL_ALIGNMENT 4
#define WOLFSSL_USE_ALIGN         /* this CPU traps at a word that is not aligned */
#define SIZEOF_LONG               4
#define SIZEOF_LONG_LONG          8
#define WOLF_CRYPTO_CB

#define HAVE_AES_ECB
#define WOLFSSL_AES_COUNTER
#define HAVE_AESGCM
#define HAVE_AESCCM
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_CMAC
#define WOLFSSL_SHA224
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define WOLFSSL_SHA3
#define OUTWORK_WOLFSSL_SHA3

#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_DES3
#define NO_PWDBASED
#define NO_ASN
#define NO_CERTS
#define NO_SIG_WRAPPER
#define WOLFSSL_SP_MATH_ALL

int no_random(unsigned char *bytes, unsigned length);
#define CUSTOM_RAND_GENERATE_BLOCK no_random
#define WOLFSSL_USER_CURRTIME

#endif

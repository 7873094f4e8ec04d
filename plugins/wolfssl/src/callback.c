/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The callback, which passes a request to its family; and the identifiers under which it is
 * registered. CRYPTOCB_UNAVAILABLE tells wolfSSL to use software.
 */
#include "families.h"

#include "outwork_wolfssl.h"

/* Firmware registers the callback before its tasks start. */
#ifdef OUTWORK_FIRMWARE
#define LOCK()   (void)0
#define UNLOCK() (void)0
#else
#include <pthread.h>
#define LOCK()   pthread_mutex_lock(&devices_mutex)
#define UNLOCK() pthread_mutex_unlock(&devices_mutex)
static pthread_mutex_t devices_mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

#define DEVICES 8u

static struct {
  int device;
  /* NULL: free */
  struct ow_offload *offload;
} devices[DEVICES];

static int public_key(struct ow_offload *offload, wc_CryptoInfo *info) {
  (void)offload;
  switch (info->pk.type) {
#ifdef HAVE_CURVE25519
  case WC_PK_TYPE_CURVE25519:
  case WC_PK_TYPE_CURVE25519_KEYGEN:
    return ow_wolfssl_x25519(offload, info);
#endif
#ifdef HAVE_ED25519
  case WC_PK_TYPE_ED25519_KEYGEN:
  case WC_PK_TYPE_ED25519_SIGN:
  case WC_PK_TYPE_ED25519_VERIFY:
    return ow_wolfssl_ed25519(offload, info);
#endif
#ifdef OUTWORK_WOLFSSL_MLKEM
  case WC_PK_TYPE_PQC_KEM_KEYGEN:
  case WC_PK_TYPE_PQC_KEM_ENCAPS:
  case WC_PK_TYPE_PQC_KEM_DECAPS:
    return ow_wolfssl_mlkem(offload, info);
#endif
#ifdef OUTWORK_WOLFSSL_MLDSA
  case WC_PK_TYPE_PQC_SIG_KEYGEN:
  case WC_PK_TYPE_PQC_SIG_SIGN:
  case WC_PK_TYPE_PQC_SIG_VERIFY:
    return ow_wolfssl_mldsa(offload, info);
#endif
#if !defined(NO_RSA) && defined(OUTWORK_WOLFSSL_NUMBERS)
  case WC_PK_TYPE_RSA:
    return ow_wolfssl_rsa(offload, info);
#endif
  default:
#if defined(HAVE_ECC) && defined(OUTWORK_WOLFSSL_NUMBERS)
    return ow_wolfssl_ec(offload, info);
#else
    return CRYPTOCB_UNAVAILABLE;
#endif
  }
}

/* HMAC is not handled here: wolfSSL also calls the callback for the hashes inside it. */
static int callback(int device, wc_CryptoInfo *info, void *context) {
  struct ow_offload *offload = context;
  (void)device;
  switch (info->algo_type) {
#if !defined(NO_AES) || !defined(NO_DES3)
  case WC_ALGO_TYPE_CIPHER:
#ifndef NO_DES3
    if (info->cipher.type == WC_CIPHER_DES3) {
      return ow_wolfssl_des3(offload, info);
    }
#endif
#ifndef NO_AES
    return ow_wolfssl_aes(offload, info);
#else
    return CRYPTOCB_UNAVAILABLE;
#endif
#endif
#ifdef WOLFSSL_CMAC
  case WC_ALGO_TYPE_CMAC:
    return ow_wolfssl_cmac(offload, info);
#endif
  case WC_ALGO_TYPE_HASH:
    return ow_wolfssl_hash(offload, info);
  case WC_ALGO_TYPE_PK:
    return public_key(offload, info);
  default:
    return CRYPTOCB_UNAVAILABLE;
  }
}

int ow_wolfssl_register(int device, const struct ow_offload_settings *settings) {
  struct ow_offload_settings ours = *settings;
  int result = MEMORY_E;
  ours.host = "wolfssl";
  ours.may_pause = NULL;
  LOCK();
  for (unsigned i = 0; i < DEVICES && result == MEMORY_E; i++) {
    if (devices[i].offload != NULL && devices[i].device == device) {
      result = BAD_STATE_E;
    }
  }
  for (unsigned i = 0; i < DEVICES && result == MEMORY_E; i++) {
    if (devices[i].offload == NULL) {
      devices[i].offload = ow_offload_open(&ours);
      devices[i].device = device;
      result = devices[i].offload == NULL
                   ? MEMORY_E
                   : wc_CryptoCb_RegisterDevice(device, callback, devices[i].offload);
      if (result != 0 && devices[i].offload != NULL) {
        ow_offload_close(devices[i].offload);
        devices[i].offload = NULL;
      }
      break;
    }
  }
  UNLOCK();
  return result;
}

void ow_wolfssl_unregister(int device) {
  LOCK();
  for (unsigned i = 0; i < DEVICES; i++) {
    if (devices[i].offload != NULL && devices[i].device == device) {
      wc_CryptoCb_UnRegisterDevice(device);
      ow_offload_close(devices[i].offload);
      devices[i].offload = NULL;
    }
  }
  UNLOCK();
}

struct ow_offload *ow_wolfssl_offload(int device) {
  struct ow_offload *offload = NULL;
  LOCK();
  for (unsigned i = 0; i < DEVICES; i++) {
    if (devices[i].offload != NULL && devices[i].device == device) {
      offload = devices[i].offload;
    }
  }
  UNLOCK();
  return offload;
}

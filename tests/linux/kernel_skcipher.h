/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * As much of the kernel's crypto API as ciphers need that are registered there. What they take as
 * software for the same is none: it fails, and counts its requests.
 */
#ifndef OUTWORK_TEST_KERNEL_SKCIPHER_H
#define OUTWORK_TEST_KERNEL_SKCIPHER_H

#include "kernel.h"

#define AES_BLOCK_SIZE              16
#define AES_MIN_KEY_SIZE            16
#define AES_MAX_KEY_SIZE            32
#define AES_KEYSIZE_128             16
#define AES_KEYSIZE_192             24
#define AES_KEYSIZE_256             32
#define DES3_EDE_KEY_SIZE           24
#define DES3_EDE_BLOCK_SIZE         8
#define CRYPTO_ALG_ASYNC            0x80
#define CRYPTO_ALG_NEED_FALLBACK    0x100
#define CRYPTO_ALG_KERN_DRIVER_ONLY 0x1000
#define CRYPTO_TFM_REQ_MASK         0xfff00
#define CRYPTO_TFM_REQ_MAY_SLEEP    0x200
#define THIS_MODULE                 NULL

enum { CONTEXT_BYTES = 1024 };
struct crypto_skcipher;
struct skcipher_request;
struct skcipher_alg {
  struct {
    const char *cra_name, *cra_driver_name;
    u32 cra_flags;
    int cra_blocksize, cra_ctxsize, cra_priority;
    void *cra_module;
  } base;
  int (*init)(struct crypto_skcipher *tfm);
  void (*exit)(struct crypto_skcipher *tfm);
  int (*setkey)(struct crypto_skcipher *tfm, const u8 *key, unsigned int length);
  int (*encrypt)(struct skcipher_request *request);
  int (*decrypt)(struct skcipher_request *request);
  unsigned int min_keysize, max_keysize, ivsize, chunksize;
};
struct crypto_skcipher {
  struct skcipher_alg *alg;
  unsigned int reqsize;
  u64 context[CONTEXT_BYTES / 8];
};
struct skcipher_request {
  unsigned int cryptlen;
  u8 *iv;
  struct scatterlist *src, *dst;
  struct crypto_async_request base;
  struct crypto_skcipher *tfm;
  void *context; /* CONTEXT_BYTES */
};

#define crypto_skcipher_ctx(tfm)       ((void *)(tfm)->context)
#define crypto_skcipher_alg(tfm)       ((tfm)->alg)
#define crypto_skcipher_ivsize(tfm)    ((tfm)->alg->ivsize)
#define crypto_skcipher_blocksize(tfm) ((unsigned)(tfm)->alg->base.cra_blocksize)
#define crypto_skcipher_reqtfm(it)     ((it)->tfm)
#define skcipher_request_ctx(it)       ((it)->context)
static inline void crypto_skcipher_set_reqsize(struct crypto_skcipher *tfm, unsigned int bytes) {
  CHECK(bytes <= CONTEXT_BYTES);
  tfm->reqsize = bytes;
}
static inline void skcipher_request_complete(struct skcipher_request *request, int error) {
  request->base.complete(&request->base, error);
}

/* What has been registered. */
extern struct skcipher_alg *kernel_ciphers[16];
extern unsigned kernel_ciphers_len;
static inline int crypto_register_skcipher(struct skcipher_alg *alg) {
  kernel_ciphers[kernel_ciphers_len++] = alg;
  return 0;
}
#define crypto_unregister_skcipher(alg) ((void)(alg))

/* Software: how many requests it got. */
extern unsigned kernel_software;
#define crypto_tfm_alg_name(tfm) (tfm)
#define crypto_skcipher_tfm(of)  ((of)->alg->base.cra_name)
#define crypto_alloc_skcipher(name, type, mask)                                                    \
  ((struct crypto_skcipher *)calloc(1, sizeof(struct crypto_skcipher)))
#define crypto_free_skcipher(tfm)                   free(tfm)
#define crypto_skcipher_reqsize(tfm)                0
#define crypto_skcipher_clear_flags(tfm, flags)     ((void)(tfm))
#define crypto_skcipher_set_flags(tfm, flags)       ((void)(tfm))
#define crypto_skcipher_get_flags(tfm)              0
#define crypto_skcipher_setkey(tfm, key, length)    0
#define skcipher_request_set_tfm(request, of)       ((request)->tfm = (of))
#define skcipher_request_set_callback(request, ...) ((void)(request))
#define skcipher_request_set_crypt(request, ...)    ((void)(request))
#define crypto_skcipher_encrypt(request)            ((void)(request), kernel_software++, -EIO)
#define crypto_skcipher_decrypt                     crypto_skcipher_encrypt

#endif

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of ciphers, and the default provider's functions for each.
 */
#include "cipher.h"

#define NEWCTX(name, index, opcode, key_len, size)                                                 \
  static void *name(void *provider) {                                                              \
    return owp_cipher_new(provider, index, opcode, key_len, size);                                 \
  }
NEWCTX(new_ecb_128, OWP_ECB_128, OW_OP_AES_ECB, 16, owp_blocks_size)
NEWCTX(new_ecb_192, OWP_ECB_192, OW_OP_AES_ECB, 24, owp_blocks_size)
NEWCTX(new_ecb_256, OWP_ECB_256, OW_OP_AES_ECB, 32, owp_blocks_size)
NEWCTX(new_cbc_128, OWP_CBC_128, OW_OP_AES_CBC, 16, owp_blocks_size)
NEWCTX(new_cbc_192, OWP_CBC_192, OW_OP_AES_CBC, 24, owp_blocks_size)
NEWCTX(new_cbc_256, OWP_CBC_256, OW_OP_AES_CBC, 32, owp_blocks_size)
NEWCTX(new_ctr_128, OWP_CTR_128, OW_OP_AES_CTR, 16, owp_ctr_size)
NEWCTX(new_ctr_192, OWP_CTR_192, OW_OP_AES_CTR, 24, owp_ctr_size)
NEWCTX(new_ctr_256, OWP_CTR_256, OW_OP_AES_CTR, 32, owp_ctr_size)
NEWCTX(new_gcm_128, OWP_GCM_128, OW_OP_AES_GCM, 16, owp_gcm_size)
NEWCTX(new_gcm_192, OWP_GCM_192, OW_OP_AES_GCM, 24, owp_gcm_size)
NEWCTX(new_gcm_256, OWP_GCM_256, OW_OP_AES_GCM, 32, owp_gcm_size)
NEWCTX(new_ccm_128, OWP_CCM_128, OW_OP_AES_CCM, 16, owp_ccm_size)
NEWCTX(new_ccm_192, OWP_CCM_192, OW_OP_AES_CCM, 24, owp_ccm_size)
NEWCTX(new_ccm_256, OWP_CCM_256, OW_OP_AES_CCM, 32, owp_ccm_size)
NEWCTX(new_xts_128, OWP_XTS_128, OW_OP_AES_XTS, 16, owp_xts_size)
NEWCTX(new_xts_256, OWP_XTS_256, OW_OP_AES_XTS, 32, owp_xts_size)
NEWCTX(new_tdes_ecb, OWP_TDES_ECB, OW_OP_TDES_ECB, 24, owp_blocks_size)
NEWCTX(new_tdes_cbc, OWP_TDES_CBC, OW_OP_TDES_CBC, 24, owp_blocks_size)

static const struct {
  const char *name;
  OSSL_FUNC_cipher_newctx_fn *newctx;
  const OSSL_DISPATCH *functions;
} kinds[OWP_CIPHERS] = {
    [OWP_ECB_128] = {"AES-128-ECB", new_ecb_128, owp_blocks_functions},
    [OWP_ECB_192] = {"AES-192-ECB", new_ecb_192, owp_blocks_functions},
    [OWP_ECB_256] = {"AES-256-ECB", new_ecb_256, owp_blocks_functions},
    [OWP_CBC_128] = {"AES-128-CBC", new_cbc_128, owp_blocks_functions},
    [OWP_CBC_192] = {"AES-192-CBC", new_cbc_192, owp_blocks_functions},
    [OWP_CBC_256] = {"AES-256-CBC", new_cbc_256, owp_blocks_functions},
    [OWP_CTR_128] = {"AES-128-CTR", new_ctr_128, owp_ctr_functions},
    [OWP_CTR_192] = {"AES-192-CTR", new_ctr_192, owp_ctr_functions},
    [OWP_CTR_256] = {"AES-256-CTR", new_ctr_256, owp_ctr_functions},
    [OWP_GCM_128] = {"AES-128-GCM", new_gcm_128, owp_gcm_functions},
    [OWP_GCM_192] = {"AES-192-GCM", new_gcm_192, owp_gcm_functions},
    [OWP_GCM_256] = {"AES-256-GCM", new_gcm_256, owp_gcm_functions},
    [OWP_CCM_128] = {"AES-128-CCM", new_ccm_128, owp_ccm_functions},
    [OWP_CCM_192] = {"AES-192-CCM", new_ccm_192, owp_ccm_functions},
    [OWP_CCM_256] = {"AES-256-CCM", new_ccm_256, owp_ccm_functions},
    [OWP_XTS_128] = {"AES-128-XTS", new_xts_128, owp_xts_functions},
    [OWP_XTS_256] = {"AES-256-XTS", new_xts_256, owp_xts_functions},
    [OWP_TDES_ECB] = {"DES-EDE3-ECB", new_tdes_ecb, owp_tdes_functions},
    [OWP_TDES_CBC] = {"DES-EDE3-CBC", new_tdes_cbc, owp_tdes_functions},
};

/* The properties of an algorithm are the default provider's. */
static const int passed[] = {OSSL_FUNC_CIPHER_GET_PARAMS, OSSL_FUNC_CIPHER_GETTABLE_PARAMS,
                             OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS,
                             OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, 0};

#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_CIPHER_##ID:                                                                      \
    calls->member = OSSL_FUNC_cipher_##member(theirs);                                             \
    break

static bool take_calls(struct owp_cipher_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_cipher_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEWCTX, newctx);
      TAKE(FREECTX, freectx);
      TAKE(DUPCTX, dupctx);
      TAKE(ENCRYPT_INIT, encrypt_init);
      TAKE(DECRYPT_INIT, decrypt_init);
      TAKE(UPDATE, update);
      TAKE(FINAL, final);
      TAKE(CIPHER, cipher);
      TAKE(GET_CTX_PARAMS, get_ctx_params);
      TAKE(SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->encrypt_init != NULL &&
         calls->decrypt_init != NULL && calls->update != NULL && calls->final != NULL &&
         calls->cipher != NULL && calls->get_ctx_params != NULL && calls->set_ctx_params != NULL;
}

void owp_ciphers_make(struct owp_provider *provider) {
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_CIPHERS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_CIPHER, kinds[i].name);
    OSSL_DISPATCH *dispatch = provider->cipher_dispatch[i];
    const OSSL_DISPATCH first = {OSSL_FUNC_CIPHER_NEWCTX, (void (*)(void))kinds[i].newctx};
    if (theirs != NULL && take_calls(&provider->cipher_calls[i], theirs->implementation, context) &&
        owp_merge(dispatch, first, kinds[i].functions, theirs->implementation, passed)) {
      provider->cipher_names[i] = theirs->algorithm_names;
      provider->ciphers[count++] =
          (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
    }
  }
}

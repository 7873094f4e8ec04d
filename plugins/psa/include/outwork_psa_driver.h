/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The entry points of the driver, with the names of PSA's driver interface. Included by Mbed TLS's
 * driver wrappers. PSA_ERROR_NOT_SUPPORTED: nothing was written; use software.
 */
#ifndef OUTWORK_PSA_DRIVER_H
#define OUTWORK_PSA_DRIVER_H

#include <psa/crypto.h>

#include "outwork_psa_location.h"

/* Makes Mbed TLS call drivers. */
#ifndef PSA_CRYPTO_DRIVER_PRESENT
#define PSA_CRYPTO_DRIVER_PRESENT
#endif
#ifndef PSA_CRYPTO_ACCELERATOR_DRIVER_PRESENT
#define PSA_CRYPTO_ACCELERATOR_DRIVER_PRESENT
#endif

psa_status_t outwork_transparent_init(void);
void outwork_transparent_free(void);

psa_status_t outwork_transparent_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                              size_t input_len, uint8_t *hash, size_t hash_size,
                                              size_t *hash_len);
psa_status_t outwork_transparent_hash_setup(outwork_transparent_hash_operation_t *operation,
                                            psa_algorithm_t alg);
psa_status_t outwork_transparent_hash_clone(const outwork_transparent_hash_operation_t *source,
                                            outwork_transparent_hash_operation_t *target);
psa_status_t outwork_transparent_hash_update(outwork_transparent_hash_operation_t *operation,
                                             const uint8_t *input, size_t input_len);
psa_status_t outwork_transparent_hash_finish(outwork_transparent_hash_operation_t *operation,
                                             uint8_t *hash, size_t hash_size, size_t *hash_len);
psa_status_t outwork_transparent_hash_abort(outwork_transparent_hash_operation_t *operation);

psa_status_t outwork_transparent_mac_compute(const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t alg, const uint8_t *input,
                                             size_t input_len, uint8_t *mac, size_t mac_size,
                                             size_t *mac_len);
psa_status_t outwork_transparent_mac_sign_setup(outwork_transparent_mac_operation_t *operation,
                                                const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg);
psa_status_t outwork_transparent_mac_verify_setup(outwork_transparent_mac_operation_t *operation,
                                                  const psa_key_attributes_t *attributes,
                                                  const uint8_t *key, size_t key_size,
                                                  psa_algorithm_t alg);
psa_status_t outwork_transparent_mac_update(outwork_transparent_mac_operation_t *operation,
                                            const uint8_t *input, size_t input_len);
psa_status_t outwork_transparent_mac_sign_finish(outwork_transparent_mac_operation_t *operation,
                                                 uint8_t *mac, size_t mac_size, size_t *mac_len);
psa_status_t outwork_transparent_mac_verify_finish(outwork_transparent_mac_operation_t *operation,
                                                   const uint8_t *mac, size_t mac_len);
psa_status_t outwork_transparent_mac_abort(outwork_transparent_mac_operation_t *operation);

psa_status_t outwork_transparent_cipher_encrypt(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *iv,
                                                size_t iv_len, const uint8_t *input,
                                                size_t input_len, uint8_t *output,
                                                size_t output_size, size_t *output_len);
psa_status_t outwork_transparent_cipher_decrypt(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *input,
                                                size_t input_len, uint8_t *output,
                                                size_t output_size, size_t *output_len);
psa_status_t
outwork_transparent_cipher_encrypt_setup(outwork_transparent_cipher_operation_t *operation,
                                         const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg);
psa_status_t
outwork_transparent_cipher_decrypt_setup(outwork_transparent_cipher_operation_t *operation,
                                         const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg);
psa_status_t outwork_transparent_cipher_set_iv(outwork_transparent_cipher_operation_t *operation,
                                               const uint8_t *iv, size_t iv_len);
psa_status_t outwork_transparent_cipher_update(outwork_transparent_cipher_operation_t *operation,
                                               const uint8_t *input, size_t input_len,
                                               uint8_t *output, size_t output_size,
                                               size_t *output_len);
psa_status_t outwork_transparent_cipher_finish(outwork_transparent_cipher_operation_t *operation,
                                               uint8_t *output, size_t output_size,
                                               size_t *output_len);
psa_status_t outwork_transparent_cipher_abort(outwork_transparent_cipher_operation_t *operation);

psa_status_t outwork_transparent_aead_encrypt(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size,
                                              psa_algorithm_t alg, const uint8_t *nonce,
                                              size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                              const uint8_t *plaintext, size_t plaintext_len,
                                              uint8_t *ciphertext, size_t ciphertext_size,
                                              size_t *ciphertext_len);
psa_status_t outwork_transparent_aead_decrypt(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size,
                                              psa_algorithm_t alg, const uint8_t *nonce,
                                              size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                              const uint8_t *ciphertext, size_t ciphertext_len,
                                              uint8_t *plaintext, size_t plaintext_size,
                                              size_t *plaintext_len);

psa_status_t outwork_transparent_aead_encrypt_setup(outwork_transparent_aead_operation_t *operation,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg);
psa_status_t outwork_transparent_aead_decrypt_setup(outwork_transparent_aead_operation_t *operation,
                                                    const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg);
psa_status_t outwork_transparent_aead_set_nonce(outwork_transparent_aead_operation_t *operation,
                                                const uint8_t *nonce, size_t nonce_len);
psa_status_t outwork_transparent_aead_set_lengths(outwork_transparent_aead_operation_t *operation,
                                                  size_t aad_len, size_t plaintext_len);
psa_status_t outwork_transparent_aead_update_ad(outwork_transparent_aead_operation_t *operation,
                                                const uint8_t *aad, size_t aad_len);
psa_status_t outwork_transparent_aead_update(outwork_transparent_aead_operation_t *operation,
                                             const uint8_t *input, size_t input_len,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_len);
psa_status_t outwork_transparent_aead_finish(outwork_transparent_aead_operation_t *operation,
                                             uint8_t *ciphertext, size_t ciphertext_size,
                                             size_t *ciphertext_len, uint8_t *tag, size_t tag_size,
                                             size_t *tag_len);
psa_status_t outwork_transparent_aead_verify(outwork_transparent_aead_operation_t *operation,
                                             uint8_t *plaintext, size_t plaintext_size,
                                             size_t *plaintext_len, const uint8_t *tag,
                                             size_t tag_len);
psa_status_t outwork_transparent_aead_abort(outwork_transparent_aead_operation_t *operation);

psa_status_t outwork_transparent_signature_sign_hash(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key, size_t key_size,
                                                     psa_algorithm_t alg, const uint8_t *hash,
                                                     size_t hash_len, uint8_t *signature,
                                                     size_t signature_size, size_t *signature_len);
psa_status_t outwork_transparent_signature_verify_hash(const psa_key_attributes_t *attributes,
                                                       const uint8_t *key, size_t key_size,
                                                       psa_algorithm_t alg, const uint8_t *hash,
                                                       size_t hash_len, const uint8_t *signature,
                                                       size_t signature_len);
psa_status_t outwork_transparent_asymmetric_encrypt(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg, const uint8_t *input,
                                                    size_t input_len, const uint8_t *label,
                                                    size_t label_len, uint8_t *output,
                                                    size_t output_size, size_t *output_len);
psa_status_t outwork_transparent_asymmetric_decrypt(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key, size_t key_size,
                                                    psa_algorithm_t alg, const uint8_t *input,
                                                    size_t input_len, const uint8_t *label,
                                                    size_t label_len, uint8_t *output,
                                                    size_t output_size, size_t *output_len);
psa_status_t outwork_transparent_key_agreement(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *peer,
                                               size_t peer_len, uint8_t *secret, size_t secret_size,
                                               size_t *secret_len);

#include "outwork_psa_opaque.h"

#endif

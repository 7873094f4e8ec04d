/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The entry points for keys in the device's slots; the other half of outwork_psa_driver.h. `key`
 * has the slot number and the public part of the key, never the secret.
 */
#ifndef OUTWORK_PSA_OPAQUE_H
#define OUTWORK_PSA_OPAQUE_H

size_t outwork_opaque_size_function(psa_key_type_t type, size_t bits);
psa_status_t outwork_opaque_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_len, uint8_t *key, size_t key_size,
                                       size_t *key_len, size_t *bits);
psa_status_t outwork_opaque_generate_key(const psa_key_attributes_t *attributes, uint8_t *key,
                                         size_t key_size, size_t *key_len);
/* Always fails: a slot cannot be read. */
psa_status_t outwork_opaque_export_key(const psa_key_attributes_t *attributes, const uint8_t *key,
                                       size_t key_size, uint8_t *data, size_t data_size,
                                       size_t *data_len);
psa_status_t outwork_opaque_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key, size_t key_size, uint8_t *data,
                                              size_t data_size, size_t *data_len);
/* Zeroises the slot. Called for every key that is removed from the library's memory, in any
 * location. */
psa_status_t outwork_opaque_destroy_key(psa_key_location_t location, const uint8_t *key,
                                        size_t key_size);

psa_status_t outwork_opaque_cipher_encrypt(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                           const uint8_t *iv, size_t iv_len, const uint8_t *input,
                                           size_t input_len, uint8_t *output, size_t output_size,
                                           size_t *output_len);
psa_status_t outwork_opaque_cipher_decrypt(const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                           const uint8_t *input, size_t input_len, uint8_t *output,
                                           size_t output_size, size_t *output_len);
psa_status_t outwork_opaque_cipher_encrypt_setup(outwork_opaque_cipher_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size,
                                                 psa_algorithm_t alg);
psa_status_t outwork_opaque_cipher_decrypt_setup(outwork_opaque_cipher_operation_t *operation,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key, size_t key_size,
                                                 psa_algorithm_t alg);
psa_status_t outwork_opaque_cipher_set_iv(outwork_opaque_cipher_operation_t *operation,
                                          const uint8_t *iv, size_t iv_len);
psa_status_t outwork_opaque_cipher_update(outwork_opaque_cipher_operation_t *operation,
                                          const uint8_t *input, size_t input_len, uint8_t *output,
                                          size_t output_size, size_t *output_len);
psa_status_t outwork_opaque_cipher_finish(const outwork_opaque_cipher_operation_t *operation,
                                          uint8_t *output, size_t output_size, size_t *output_len);
psa_status_t outwork_opaque_mac_sign_setup(outwork_opaque_mac_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key, size_t key_size,
                                           psa_algorithm_t alg);
psa_status_t outwork_opaque_mac_verify_setup(outwork_opaque_mac_operation_t *operation,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key, size_t key_size,
                                             psa_algorithm_t alg);
psa_status_t outwork_opaque_mac_update(outwork_opaque_mac_operation_t *operation,
                                       const uint8_t *input, size_t input_len);
psa_status_t outwork_opaque_mac_sign_finish(outwork_opaque_mac_operation_t *operation, uint8_t *mac,
                                            size_t mac_size, size_t *mac_len);
psa_status_t outwork_opaque_mac_verify_finish(outwork_opaque_mac_operation_t *operation,
                                              const uint8_t *mac, size_t mac_len);
psa_status_t outwork_opaque_mac_abort(outwork_opaque_mac_operation_t *operation);
psa_status_t outwork_opaque_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key,
                                        size_t key_size, psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_len, uint8_t *mac, size_t mac_size,
                                        size_t *mac_len);
psa_status_t outwork_opaque_aead_encrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *plaintext, size_t plaintext_len,
                                         uint8_t *ciphertext, size_t ciphertext_size,
                                         size_t *ciphertext_len);
psa_status_t outwork_opaque_aead_decrypt(const psa_key_attributes_t *attributes, const uint8_t *key,
                                         size_t key_size, psa_algorithm_t alg, const uint8_t *nonce,
                                         size_t nonce_len, const uint8_t *aad, size_t aad_len,
                                         const uint8_t *ciphertext, size_t ciphertext_len,
                                         uint8_t *plaintext, size_t plaintext_size,
                                         size_t *plaintext_len);
psa_status_t outwork_opaque_signature_sign_hash(const psa_key_attributes_t *attributes,
                                                const uint8_t *key, size_t key_size,
                                                psa_algorithm_t alg, const uint8_t *hash,
                                                size_t hash_len, uint8_t *signature,
                                                size_t signature_size, size_t *signature_len);
psa_status_t outwork_opaque_signature_verify_hash(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key, size_t key_size,
                                                  psa_algorithm_t alg, const uint8_t *hash,
                                                  size_t hash_len, const uint8_t *signature,
                                                  size_t signature_len);
psa_status_t outwork_opaque_asymmetric_encrypt(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_len, const uint8_t *label,
                                               size_t label_len, uint8_t *output,
                                               size_t output_size, size_t *output_len);
psa_status_t outwork_opaque_asymmetric_decrypt(const psa_key_attributes_t *attributes,
                                               const uint8_t *key, size_t key_size,
                                               psa_algorithm_t alg, const uint8_t *input,
                                               size_t input_len, const uint8_t *label,
                                               size_t label_len, uint8_t *output,
                                               size_t output_size, size_t *output_len);
psa_status_t outwork_opaque_key_agreement(const psa_key_attributes_t *attributes,
                                          const uint8_t *key, size_t key_size, psa_algorithm_t alg,
                                          const uint8_t *peer, size_t peer_len, uint8_t *secret,
                                          size_t secret_size, size_t *secret_len);

#endif

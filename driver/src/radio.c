/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The radio algorithms with one call a packet: each function fills in a job and runs it.
 */
#include "outwork/radio.h"

#include "internal.h"

ow_status ow_radio_iv_make(struct ow_radio_iv *iv, const struct ow_radio_packet *packet,
                           uint64_t bits) {
  if (packet == NULL || packet->bearer > 31 || packet->direction > 1 || packet->clear_bytes > 15) {
    return OW_BAD_ARGUMENT;
  }
  *iv = (struct ow_radio_iv){
      .count = packet->count,
      .fresh = packet->fresh,
      .way = OW_PLACE(packet->bearer, OW_RADIO_IV_WAY_BEARER) |
             OW_PLACE(packet->direction, OW_RADIO_IV_WAY_DIRECTION),
      .control =
          OW_PLACE(bits & 7u, OW_RADIO_IV_CONTROL_LAST_BITS) |
          OW_PLACE(packet->clear_bytes, OW_RADIO_IV_CONTROL_CLEAR_BYTES) |
          OW_PLACE(packet->mac_of_ciphertext ? 1u : 0u, OW_RADIO_IV_CONTROL_MAC_OF_CIPHERTEXT),
  };
  return OW_OK;
}

/* A job and its radio IV; both must live until the job ends. */
static ow_status ow_radio_job(struct ow_queue *queue, struct ow_job *job, struct ow_radio_iv *iv,
                              uint8_t opcode, const struct ow_key *key,
                              const struct ow_radio_packet *packet, const void *input,
                              uint64_t bits) {
  bool radio = opcode >> 4 == OW_OP_EEA1 >> 4 || opcode == OW_OP_EEA2 || opcode == OW_OP_EIA2;
  if (key == NULL || (input == NULL && bits != 0) || !radio) {
    return OW_BAD_ARGUMENT;
  }
  if ((bits + 7u) / 8u > OW_JOB_LENGTH_MAX) {
    return ow_refuse(queue, OW_FALLBACK_LENGTH);
  }
  *job = (struct ow_job){.opcode = opcode,
                         .tag_len = OW_RADIO_MAC_BYTES,
                         .key = *key,
                         .source = input,
                         .length = (uint32_t)((bits + 7u) / 8u),
                         .iv = (const uint8_t *)iv,
                         .iv_len = sizeof(*iv)};
  return ow_radio_iv_make(iv, packet, bits);
}

ow_status ow_radio_crypt(struct ow_queue *queue, void *output, uint8_t opcode,
                         const struct ow_key *key, const struct ow_radio_packet *packet,
                         const void *input, uint64_t bits) {
  struct ow_job job;
  struct ow_radio_iv iv;
  ow_status status = ow_radio_job(queue, &job, &iv, opcode, key, packet, input, bits);
  job.destination = output;
  return status == OW_OK ? ow_queue_run(queue, &job) : status;
}

ow_status ow_radio_mac(struct ow_queue *queue, uint8_t mac[OW_RADIO_MAC_BYTES], uint8_t opcode,
                       const struct ow_key *key, const struct ow_radio_packet *packet,
                       const void *input, uint64_t bits) {
  struct ow_job job;
  struct ow_radio_iv iv;
  ow_status status = ow_radio_job(queue, &job, &iv, opcode, key, packet, input, bits);
  if (status == OW_OK) {
    status = ow_queue_run(queue, &job);
  }
  if (status == OW_OK) {
    ow_copy(mac, job.tag, OW_RADIO_MAC_BYTES);
  }
  return status;
}

ow_status ow_radio_verify(struct ow_queue *queue, uint8_t opcode, const struct ow_key *key,
                          const struct ow_radio_packet *packet, const void *input, uint64_t bits,
                          const uint8_t mac[OW_RADIO_MAC_BYTES]) {
  struct ow_job job;
  struct ow_radio_iv iv;
  ow_status status = ow_radio_job(queue, &job, &iv, opcode, key, packet, input, bits);
  if (status == OW_OK) {
    job.flags = OW_JOB_DECRYPT;
    ow_copy(job.tag, mac, OW_RADIO_MAC_BYTES);
    status = ow_queue_run(queue, &job);
  }
  return status;
}

ow_status ow_radio_protect(struct ow_queue *queue, void *output, void *mac_place, uint8_t opcode,
                           const struct ow_key *key, const struct ow_radio_packet *packet,
                           const void *input, uint64_t bits) {
  struct ow_job job;
  struct ow_radio_iv iv;
  ow_status status = ow_radio_job(queue, &job, &iv, opcode, key, packet, input, bits);
  if (status != OW_OK) {
    return status;
  }
  const struct ow_piece pieces[2] = {{output, job.length}, {mac_place, OW_RADIO_MAC_BYTES}};
  job.flags = OW_JOB_APPEND_TAG;
  job.destination = output;
  if (mac_place != NULL) {
    job.destination = NULL;
    job.destination_pieces = pieces;
    job.destination_pieces_len = 2;
  }
  return ow_queue_run(queue, &job);
}

ow_status ow_radio_unprotect(struct ow_queue *queue, void *output, uint8_t opcode,
                             const struct ow_key *key, const struct ow_radio_packet *packet,
                             const void *input, const void *mac_place, uint64_t bits) {
  struct ow_job job;
  struct ow_radio_iv iv;
  ow_status status = ow_radio_job(queue, &job, &iv, opcode, key, packet, input, bits);
  if (status != OW_OK) {
    return status;
  }
  job.destination = output;
  job.flags = OW_JOB_DECRYPT;
  if (mac_place != NULL) { /* copied by submitting */
    ow_copy(job.tag, mac_place, OW_RADIO_MAC_BYTES);
  } else {
    job.flags |= OW_JOB_TAG_IN_SOURCE;
  }
  return ow_queue_run(queue, &job);
}

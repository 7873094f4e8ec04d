// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Hostile jobs of ML-KEM and ML-DSA. Most keys of random bytes are none.
#include "fuzz.h"

#include <cstring>

namespace isolation {

void Maker::shape_lattice(ow_descriptor &d, uint8_t opcode) {
  if (opcode >= OW_OP_MLDSA_KEYGEN) {
    constexpr uint32_t kSizes[][4] = {
        {4, 2560, 1312, 2420}, {6, 4032, 1952, 3309}, {8, 4896, 2592, 4627}};
    const uint32_t *sizes = kSizes[random_.below(3)]; // k; of sk, pk, signature
    d.iv[0] = static_cast<uint8_t>(sizes[0]);
    d.aad_length = opcode == OW_OP_MLDSA_KEYGEN ? 0 : sizes[opcode == OW_OP_MLDSA_SIGN ? 1 : 2];
    d.length = opcode == OW_OP_MLDSA_KEYGEN ? 32 : opcode == OW_OP_MLDSA_SIGN ? 96 : 64 + sizes[3];
    return;
  }
  const uint32_t k = random_.between(2, 4), key_bytes = 384 * k + 32;
  const uint32_t ciphertext_bytes = k == 4 ? 1568 : 320 * k + 128;
  d.iv[0] = static_cast<uint8_t>(k);
  d.aad_length = opcode == OW_OP_MLKEM_KEYGEN        ? 0
                 : opcode == OW_OP_MLKEM_ENCAPSULATE ? key_bytes
                                                     : 2 * key_bytes + 32;
  d.length = opcode == OW_OP_MLKEM_KEYGEN        ? 64
             : opcode == OW_OP_MLKEM_ENCAPSULATE ? 32
                                                 : ciphertext_bytes;
}

void Maker::use_lattice_slot(ow_descriptor &d, uint8_t opcode) {
  if (opcode == OW_OP_MLKEM_KEYGEN || opcode == OW_OP_MLDSA_KEYGEN) {
    d.length = 0; // the public key
  }
  if (opcode == OW_OP_MLKEM_DECAPSULATE || opcode == OW_OP_MLDSA_SIGN) {
    d.aad_length = 0;
  }
  if (opcode == OW_OP_MLKEM_DECAPSULATE && random_.percent(60)) { // for a slot, mostly its own
    ow_key_handle made = target_.reserved;
    if (random_.percent(30)) {
      made = {static_cast<uint8_t>(random_.below(40)), static_cast<uint16_t>(random_.below(20))};
    }
    d.iv[1] = made.slot;
    std::memcpy(d.iv + 2, &made.generation, 2);
  }
}

} // namespace isolation

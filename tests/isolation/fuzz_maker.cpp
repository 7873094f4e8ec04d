// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Descriptors and segment lists of the fuzzer's hostile queues.
#include "fuzz.h"

#include <algorithm>
#include <cstring>

namespace isolation {

namespace {

// All opcodes; some are more frequent because they use more parts of the shell.
constexpr uint8_t kOpcodes[] = {
    OW_OP_NOP,
    OW_OP_AES_ECB,
    OW_OP_AES_CBC,
    OW_OP_AES_CTR,
    OW_OP_AES_CTR,
    OW_OP_AES_CTR,
    OW_OP_AES_GCM,
    OW_OP_AES_GCM,
    OW_OP_AES_GCM,
    OW_OP_AES_GMAC,
    OW_OP_AES_XTS,
    OW_OP_AES_CCM,
    OW_OP_AES_CMAC,
    OW_OP_EEA2,
    OW_OP_EIA2,
    OW_OP_SHA1,
    OW_OP_SHA224,
    OW_OP_SHA256,
    OW_OP_SHA384,
    OW_OP_SHA512,
    OW_OP_SHA512_224,
    OW_OP_SHA512_256,
    OW_OP_SHA3_224,
    OW_OP_SHA3_256,
    OW_OP_SHA3_384,
    OW_OP_SHA3_512,
    OW_OP_SHAKE128,
    OW_OP_SHAKE256,
    OW_OP_HMAC_SHA1,
    OW_OP_HMAC_SHA224,
    OW_OP_HMAC_SHA256,
    OW_OP_HMAC_SHA256,
    OW_OP_HMAC_SHA384,
    OW_OP_HMAC_SHA512,
    OW_OP_HMAC_SHA512_224,
    OW_OP_HMAC_SHA512_256,
    OW_OP_HMAC_SHA3_224,
    OW_OP_HMAC_SHA3_256,
    OW_OP_HMAC_SHA3_384,
    OW_OP_HMAC_SHA3_512,
    OW_OP_KMAC128,
    OW_OP_KMAC256,
    OW_OP_EEA1,
    OW_OP_ZUC256,
    OW_OP_EEA3,
    OW_OP_EIA1,
    OW_OP_EEA1_EIA1,
    OW_OP_EEA3_EIA1,
    OW_OP_ZUC256_MAC,
    OW_OP_ZUC256_BOTH,
    OW_OP_EIA3,
    OW_OP_EEA1_EIA3,
    OW_OP_EEA3_EIA3,
    OW_OP_DES_ECB,
    OW_OP_DES_CBC,
    OW_OP_TDES_ECB,
    OW_OP_TDES_CBC,
    OW_OP_MODEXP,
    OW_OP_RSA_PUBLIC,
    OW_OP_RSA_PRIVATE,
    OW_OP_RSA_LOAD,
    OW_OP_EC_MULTIPLY,
    OW_OP_EC_PUBLIC,
    OW_OP_EC_CHECK,
    OW_OP_EC_SIGN,
    OW_OP_EC_VERIFY,
    OW_OP_X25519,
    OW_OP_ED25519_PUBLIC,
    OW_OP_ED25519_SIGN,
    OW_OP_ED25519_VERIFY,
    OW_OP_AES_CBC_HMAC_SHA1,
    OW_OP_AES_CBC_HMAC_SHA256,
    OW_OP_AES_CBC_HMAC_SHA256,
    OW_OP_AES_CBC_HMAC_SHA384,
    OW_OP_AES_CBC_HMAC_SHA512,
    OW_OP_AES_CTR_HMAC_SHA1,
    OW_OP_AES_CTR_HMAC_SHA256,
    OW_OP_AES_CTR_HMAC_SHA384,
    OW_OP_AES_CTR_HMAC_SHA512,
    OW_OP_ASCON_AEAD128,
    OW_OP_ASCON_AEAD128,
    OW_OP_ASCON_HASH256,
    OW_OP_ASCON_XOF128,
    OW_OP_ASCON_CXOF128,
    OW_OP_MLKEM_KEYGEN,
    OW_OP_MLKEM_ENCAPSULATE,
    OW_OP_MLKEM_DECAPSULATE,
    OW_OP_MLDSA_KEYGEN,
    OW_OP_MLDSA_SIGN,
    OW_OP_MLDSA_VERIFY,
};

constexpr unsigned kContextCount = 16;
constexpr size_t kContextRoom = 0x180;

void words(ow_descriptor &descriptor, uint32_t first, uint32_t second) {
  std::memcpy(descriptor.iv, &first, 4);
  std::memcpy(descriptor.iv + 4, &second, 4);
}

// Key generation of no seed is that of a key in a slot.
bool is_keyless(unsigned opcode, uint32_t length) {
  return opcode == OW_OP_NOP || opcode >> 4 == OW_OP_SHA1 >> 4 ||
         (opcode == OW_OP_MLKEM_KEYGEN && length != 0) || opcode == OW_OP_MLKEM_ENCAPSULATE ||
         (opcode == OW_OP_MLDSA_KEYGEN && length != 0) || opcode == OW_OP_MLDSA_VERIFY ||
         (opcode >= OW_OP_ASCON_HASH256 && opcode <= OW_OP_ASCON_CXOF128);
}

} // namespace

uint32_t Maker::length() {
  switch (random_.below(8)) {
  case 0:
    return 0;
  case 1:
    return random_.below(600);
  case 2:
    return 16;
  default:
    return random_.below(100);
  }
}

uint64_t Maker::address() {
  const Area &own = target_.own;
  const Area &other = target_.others[random_.below(static_cast<uint32_t>(target_.others.size()))];
  switch (random_.below(40)) {
  case 0:
    return other.at(random_.below(static_cast<uint32_t>(other.size)));
  case 1:
    return own.at() - random_.between(1, 40);
  case 2:
    return own.at(own.size) - random_.below(80);
  case 3:
    return own.at(own.size) + random_.below(40);
  case 4:
    return 0 - uint64_t{random_.below(600)};
  case 5:
    return random_.next();
  default:
    return own.at(kData + random_.below(kEnd - kData - 0x400));
  }
}

ow_segment Maker::segment() {
  static constexpr uint32_t kLengths[] = {0, 0, 1, 16, 16, 48, 256};
  const uint32_t bytes =
      random_.percent(50) ? kLengths[random_.below(std::size(kLengths))] : random_.below(120);
  return {address(), random_.percent(1) ? static_cast<uint32_t>(random_.next()) : bytes,
          random_.percent(12) ? OW_SEGMENT_CONTROL_LAST_MASK : 0};
}

uint64_t Maker::list() {
  return target_.own.at(kLists + 16 * random_.below((kData - kLists) / 16)) +
         (random_.percent(2) ? random_.below(16) : 0);
}

void Maker::fill() {
  Area own = target_.own;
  for (size_t i = kContexts; i < kEnd; i += 8) {
    const uint64_t value = random_.next();
    std::memcpy(own.bytes + i, &value, 8);
  }
  for (size_t i = kLists; i < kData; i += 16) {
    *own.list(i) = segment();
  }
  // Many empty segments, which need reads but give no bytes.
  for (size_t i = 0; i < 64; i++) {
    own.list(kLists)[i].length = 0;
    own.list(kLists)[i].control = 0;
  }
}

void Maker::change_list() {
  for (unsigned i = random_.between(1, 8); i != 0; i--) {
    target_.own.list(kLists)[random_.below((kData - kLists) / 16)] = segment();
  }
}

// Sets lengths and parameters that are valid for the opcode.
void Maker::shape(ow_descriptor &d, uint8_t opcode) {
  const bool decrypt = random_.percent(40);
  uint32_t flags = decrypt ? kDecrypt : 0;
  uint32_t key = 0, tag = 0;
  d.length = length();
  switch (opcode >> 4) {
  case 1: // AES
    key = random_.below(3);
    if (opcode == OW_OP_AES_ECB || opcode == OW_OP_AES_CBC) {
      d.length &= ~15u;
    } else if (opcode == OW_OP_AES_XTS) {
      d.length += 16;
      key &= 2;
    } else if (opcode == OW_OP_AES_CCM) {
      words(d, 1, 0);
    }
    if (opcode == OW_OP_AES_GCM || opcode == OW_OP_AES_CCM) {
      d.aad_length = random_.percent(50) ? random_.below(70) : 0;
    }
    if (opcode == OW_OP_EEA2 || opcode == OW_OP_EIA2) {
      words(d, 1, 0);
      key = 0;
    }
    tag = opcode == OW_OP_EIA2 ? 4 : 16;
    if (opcode >= OW_OP_AES_GCM && !decrypt && opcode != OW_OP_AES_XTS && opcode != OW_OP_EEA2) {
      flags |= random_.percent(40) ? kAppend : 0;
    }
    break;
  case 2: // hashes
    flags = random_.percent(10) ? kSave : random_.percent(10) ? kLoad : 0;
    d.aad_length = opcode >= OW_OP_SHAKE128 ? random_.between(1, 64) : 0;
    break;
  case 3: // HMAC and KMAC
    key = random_.percent(10) ? 128 : random_.below(65);
    d.aad_length = random_.between(4, 20);
    flags |= random_.percent(10) ? kSave : random_.percent(10) ? kLoad : 0;
    break;
  case 4: // radio
    words(d, static_cast<uint32_t>(random_.next()), 0);
    tag = 4;
    if ((opcode & 0xc) != 0) {
      flags |= !decrypt && random_.percent(60) ? kAppend : 0;
    }
    if ((opcode & 3) == 2 || (opcode & 0xc) == 8) {
      const uint64_t iv = target_.own.at(kData);
      std::memcpy(d.iv, &iv, 8);
      d.iv[8] = 23;
      flags |= OW_DESCRIPTOR_CONTROL_LONG_IV_MASK;
    }
    break;
  case 5: // DES
    d.length &= ~7u;
    break;
  case 6: // public keys: numbers of a few bytes, or a curve
    flags = 0;
    if (opcode == OW_OP_MODEXP || opcode == OW_OP_RSA_PUBLIC) {
      const uint32_t bytes = random_.between(1, 8);
      words(d, 8 * bytes | 8 * bytes << 16, 0);
      d.length = bytes;
      d.aad_length = 2 * bytes;
    } else if (opcode >= OW_OP_EC_MULTIPLY && opcode <= OW_OP_ED25519_VERIFY) {
      // P-256 and Curve25519
      static constexpr uint32_t kSource[] = {104, 40, 0, 136, 96, 64, 40, 96, 128};
      static constexpr uint32_t kKey[] = {32, 32, 64, 32, 64, 32, 64, 96, 32};
      d.length = kSource[opcode - OW_OP_EC_MULTIPLY];
      d.aad_length = kKey[opcode - OW_OP_EC_MULTIPLY];
    }
    break;
  case 8: // Ascon
    tag = 16;
    if (opcode == OW_OP_ASCON_AEAD128) {
      d.aad_length = random_.percent(50) ? random_.below(70) : 0;
      flags |= !decrypt && random_.percent(40) ? kAppend : 0;
      break;
    }
    flags = random_.percent(10) ? kSave : random_.percent(10) ? kLoad : 0;
    d.length &= (flags & kSave) != 0 ? ~7u : ~0u;
    d.aad_length =
        opcode != OW_OP_ASCON_HASH256 && (flags & kSave) == 0 ? random_.between(1, 90) : 0;
    if (opcode == OW_OP_ASCON_CXOF128 && random_.percent(70)) {
      const uint64_t string = target_.own.at(kData);
      std::memcpy(d.iv, &string, 8);
      d.iv[8] = static_cast<uint8_t>(random_.between(1, 99));
      flags |= OW_DESCRIPTOR_CONTROL_LONG_IV_MASK;
    }
    break;
  case 10:
    flags = 0;
    shape_lattice(d, opcode);
    break;
  default: // AES with HMAC
    d.aad_length = random_.below(40);
    d.length &= ~15u;
    tag = 4;
    flags |= !decrypt ? kAppend : 0;
    break;
  }
  const bool slot = opcode >> 4 == 7 || random_.percent(30);
  if (slot && opcode >> 4 == OW_OP_MLKEM_KEYGEN >> 4) {
    use_lattice_slot(d, opcode);
  }
  if (!slot) {
    flags |= is_keyless(opcode, d.length) ? 0 : kInline;
  } else if (random_.percent(70)) {
    const auto &slots = target_.slots;
    key = slots[random_.below(static_cast<uint32_t>(slots.size()))];
  } else {
    key = random_.below(40);
  }
  if (is_keyless(opcode, d.length) || opcode == OW_OP_EC_CHECK || opcode == OW_OP_EC_VERIFY) {
    key = 0;
  }
  d.control |= flags | key_slot(key) | tag_bytes(tag);
}

// Makes one field invalid.
void Maker::spoil(ow_descriptor &d) {
  switch (random_.below(6)) {
  case 0:
    d.control ^= 1u << random_.below(32);
    break;
  case 1:
    d.length ^= 1u << random_.below(10);
    break;
  case 2:
    d.aad_length = random_.below(200);
    break;
  case 3:
    d.iv[random_.below(16)] = static_cast<uint8_t>(random_.next());
    break;
  case 4:
    d.length = random_.percent(50) ? ~0u - random_.below(64) : 0x10000 + random_.below(64);
    break;
  default:
    d.context += random_.below(16);
    break;
  }
}

bool Maker::foreign(const ow_descriptor &d) const {
  const unsigned opcode = d.control & OW_DESCRIPTOR_CONTROL_OPCODE_MASK;
  const auto key = static_cast<uint8_t>(d.control >> OW_DESCRIPTOR_CONTROL_KEY_SHIFT);
  if ((d.control & kInline) != 0 || is_keyless(opcode, d.length)) {
    return false;
  }
  if (opcode == OW_OP_MODEXP || opcode == OW_OP_RSA_PUBLIC || opcode == OW_OP_EC_CHECK ||
      opcode == OW_OP_EC_VERIFY) {
    return false;
  }
  const auto &slots = target_.slots;
  return std::find(slots.begin(), slots.end(), key) == slots.end();
}

ow_descriptor Maker::descriptor() {
  ow_descriptor d{};
  const Area &own = target_.own;
  if (random_.percent(3)) {
    for (size_t i = 0; i < sizeof d; i += 8) {
      const uint64_t value = random_.next();
      std::memcpy(reinterpret_cast<uint8_t *>(&d) + i, &value, 8);
    }
  } else {
    const uint8_t opcode = random_.percent(2) ? static_cast<uint8_t>(random_.next())
                                              : kOpcodes[random_.below(std::size(kOpcodes))];
    d.control = opcode;
    d.source = address();
    d.destination = random_.percent(20) ? d.source : address();
    d.aad = address();
    d.context = own.at(kContexts + kContextRoom * random_.below(kContextCount));
    shape(d, opcode);
    if (random_.percent(25)) {
      d.control |= kSourceList;
      d.source = list();
    }
    if (random_.percent(25)) {
      d.control |= kDestinationList;
      d.destination = list();
    }
    d.control |= random_.percent(5) ? kFence : 0;
    d.control |= random_.percent(5) ? OW_DESCRIPTOR_CONTROL_INTERRUPT_MASK : 0;
    if (random_.percent(15)) {
      spoil(d);
    }
  }
  d.cookie = foreign(d) ? kForeign : 0;
  d.cookie |= (d.control & OW_DESCRIPTOR_CONTROL_OPCODE_MASK) == OW_OP_NOP ? kTagless : 0;
  return d;
}

} // namespace isolation

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The scalar crypto instructions (RISC-V scalar cryptography 1.0, RV32) as functions. They are
 * written as numbers, so that any assembler takes them.
 */
#ifndef ZKN_H
#define ZKN_H

#include <stdint.h>

#define ZKN_R(name, funct3, funct7)                                                                \
  static inline uint32_t name(uint32_t rs1, uint32_t rs2) {                                        \
    uint32_t rd;                                                                                   \
    __asm__(".insn r 0x33, " #funct3 ", " #funct7 ", %0, %1, %2" : "=r"(rd) : "r"(rs1), "r"(rs2)); \
    return rd;                                                                                     \
  }

/* rs1 ^ the contribution of byte n of rs2; m: with MixColumns, as in all rounds but the last. */
ZKN_R(aes32esi0, 0, 0x11)
ZKN_R(aes32esi1, 0, 0x31)
ZKN_R(aes32esi2, 0, 0x51)
ZKN_R(aes32esi3, 0, 0x71)
ZKN_R(aes32esmi0, 0, 0x13)
ZKN_R(aes32esmi1, 0, 0x33)
ZKN_R(aes32esmi2, 0, 0x53)
ZKN_R(aes32esmi3, 0, 0x73)
/* Product of polynomials over GF(2): its lower and its upper word. */
ZKN_R(clmul, 1, 0x05)
ZKN_R(clmulh, 3, 0x05)

/* rs1 & ~rs2 */
ZKN_R(andn, 7, 0x20)

/* Reverses the bits of each byte. */
static inline uint32_t brev8(uint32_t rs1) {
  uint32_t rd;
  __asm__(".insn i 0x13, 5, %0, %1, 0x687" : "=r"(rd) : "r"(rs1));
  return rd;
}

static inline uint32_t rev8(uint32_t rs1) {
  uint32_t rd;
  __asm__(".insn i 0x13, 5, %0, %1, 0x698" : "=r"(rd) : "r"(rs1));
  return rd;
}

static inline uint32_t rori8(uint32_t rs1) {
  uint32_t rd;
  __asm__(".insn i 0x13, 5, %0, %1, 0x608" : "=r"(rd) : "r"(rs1));
  return rd;
}

/* Rotates right by a constant. */
static inline __attribute__((always_inline)) uint32_t rori(uint32_t rs1, unsigned n) {
  uint32_t rd;
  __asm__(".insn i 0x13, 5, %0, %1, %2" : "=r"(rd) : "r"(rs1), "i"(0x600u + n));
  return rd;
}

/* The sums and sigmas of SHA-256 (FIPS 180-4, 4.1.2). */
#define ZKN_SHA256(name, immediate)                                                                \
  static inline uint32_t name(uint32_t rs1) {                                                      \
    uint32_t rd;                                                                                   \
    __asm__(".insn i 0x13, 1, %0, %1, " #immediate : "=r"(rd) : "r"(rs1));                         \
    return rd;                                                                                     \
  }

ZKN_SHA256(sha256sum0, 0x100)
ZKN_SHA256(sha256sum1, 0x101)
ZKN_SHA256(sha256sig0, 0x102)
ZKN_SHA256(sha256sig1, 0x103)

#endif

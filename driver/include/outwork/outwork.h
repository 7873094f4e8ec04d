/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Includes the whole driver.
 *
 *   platform.h  functions that you provide  device.h  capabilities, key slots, grants
 *   queue.h     jobs, rings, counters     aes.h     one call a message
 *   hash.h      hashes and MACs           combined.h  AES and HMAC in one pass
 *   hash_state.h  hashes in software on the device's states
 *   radio.h     ZUC, SNOW 3G, AES for LTE and 5G
 *   des.h       legacy: DES and TDES      pka.h     RSA and curves
 *   ascon.h     Ascon
 *   mldsa.h     ML-DSA                    mldsa_message.h  ML-DSA of messages in pieces
 *   mlkem.h     ML-KEM
 *   pka_schemes.h  these with padding, on digests
 *   curve25519.h  X25519, Ed25519
 *   policy.h    which jobs the device does faster
 *   status.h    status codes              spec.h    generated from spec/outwork.rdl
 */
#ifndef OUTWORK_OUTWORK_H
#define OUTWORK_OUTWORK_H

#include "outwork/aes.h"
#include "outwork/ascon.h"
#include "outwork/combined.h"
#include "outwork/curve25519.h"
#include "outwork/des.h"
#include "outwork/device.h"
#include "outwork/hash.h"
#include "outwork/hash_state.h"
#include "outwork/mldsa.h"
#include "outwork/mldsa_message.h"
#include "outwork/mlkem.h"
#include "outwork/pka.h"
#include "outwork/pka_schemes.h"
#include "outwork/platform.h"
#include "outwork/policy.h"
#include "outwork/queue.h"
#include "outwork/radio.h"
#include "outwork/status.h"

#endif

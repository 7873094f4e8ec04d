// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the stages of the AES engine say to each other: a job becomes micro-operations ("uops"), at most one a cycle.
//
// A uop is picked, passes ENTRY one cycle later, and acts at EXIT 15 cycles after that, always, whether it went
// through the rounds or not. So what a stream's uops do to its state happens in the order they were picked in.
package aes_uop_pkg;
  import ow_engine_pkg::*;

  localparam int unsigned Rounds    = 14;  // of the longest key, and cycles in the rounds of every key
  localparam int unsigned BaseWidth = 6;   // key contexts: slots first, then one for the inline key of each stream

  // The low bits of the opcode; EEA2 is a counter mode, EIA2 a CMAC, with bit 3 set ("radio").
  typedef enum logic [2:0] {
    ModeEcb, ModeCbc, ModeCtr, ModeGcm, ModeGmac, ModeXts, ModeCcm, ModeCmac
  } aes_mode_e;

  // What a stream does next. Most phases are one uop; those with a word count repeat.
  typedef enum logic [4:0] {
    PhIdle,
    PhKey,       // inline key words to the key unit
    PhTweakKey,  // the same for the second key of XTS
    PhHashKey,   // H = E(0) into the key context
    PhState0,    // a saved state comes in
    PhState1,
    PhState2,
    PhIv,        // GHASH over a long IV
    PhIvLength,
    PhIvWait0,   // GHASH ends two cycles behind EXIT
    PhIvWait1,
    PhIvDone,    // J0 = the hash
    PhJ0,        // E(J0), E(Ctr_0)
    PhTweak,     // XTS: E_2(i)
    PhSubkey,    // CMAC: L = E(0)
    PhB0,        // CCM: first block of the MAC
    PhAad,
    PhPay,
    PhPayMac,    // CCM: the MAC's share of a payload block
    PhStealA,    // XTS: last full block
    PhStealB,    // XTS: partial block filled up with what the one before left over
    PhStealC,    // XTS: the partial block goes out
    PhFinal,
    PhSave0,     // the state goes out
    PhSave1,
    PhSave2
  } aes_phase_e;

  // What ENTRY does. `x` is the block that goes through the rounds, `data` what travels beside them, V the stream's
  // counter, tweak or last ciphertext block, C its chaining value, D the block it holds, S its E(J0).
  typedef enum logic [4:0] {
    EnNop,
    EnStart,     // V = IV; data = lengths
    EnKey,       // the word goes to the key unit
    EnZero,      // x = 0
    EnState0,    // V = word
    EnData,      // data = word
    EnState2,    // data = word; GCM: x = J0 again
    EnIv12,      // V = word || 1
    EnIvLength,  // data = length of the IV
    EnIvDone,    // V = GHASH
    EnCounter,   // x = V, V + 1
    EnTweak,     // x = V
    EnB0,        // x = B_0 of CCM
    EnMac,       // x = word ^ C
    EnPay,       // by mode
    EnPayMac,    // x = D ^ C
    EnStealA,
    EnStealB,
    EnStealC,    // data = D
    EnSave0,     // data = V
    EnFinal      // data = word or V; V = 0
  } aes_entry_e;

  typedef enum logic [2:0] {
    TagNone, TagData, TagChain, TagHash, TagChainMask
  } aes_tag_e;

  // What EXIT does. `y` is the block from the rounds or, without `cipher`, the data.
  typedef struct packed {
    ow_stream_t           stream;
    logic [BaseWidth-1:0] base;
    logic                 wakes;         // the stream's next uop waited for this one
    logic                 cipher;
    logic                 add;           // y ^= data
    logic                 out;           // y goes out
    logic [4:0]           bytes;         // of y that count; of the tag
    logic [2:0]           last_bits;     // of the last of these bytes; 0: all
    logic                 to_chain;      // C = y
    logic                 to_hold;       // D = y
    logic                 hold_data;     // D = data
    logic                 to_mask;       // S = y
    logic                 to_hash_key;   // H = y
    logic                 to_length;     // L = data
    logic                 add_length;    // L += data
    logic                 hash;          // GHASH takes y
    logic                 hash_data;     // GHASH takes the data
    logic                 hash_length;   // GHASH takes L
    logic                 hash_first;    // the accumulator counts as 0
    logic                 hash_load;     // the accumulator = data
    logic                 out_hash;      // the accumulator goes out (state)
    logic                 out_chain;     // C goes out (state)
    logic                 out_length;    // L goes out (state)
    aes_tag_e             tag;
    logic                 verify;        // data = the tag to compare with
    logic                 done;          // the stream's last uop: wipe, say so
    logic                 aborted;
    logic                 wipe_key;      // the job had an inline key
    logic                 wipe_all_keys; // with inverse or tweak keys
    logic                 key_unit;      // the key unit waits for this one
  } aes_exit_t;

  typedef struct packed {
    aes_entry_e           entry;
    aes_mode_e            mode;
    logic                 decrypt;
    logic                 first;         // no chaining value yet
    logic                 last;          // last payload block
    logic                 shift;         // the message starts in the middle of a block, behind EIA2's first 64 bits
    logic [1:0]           key_length;
    logic                 tweak_key;
    logic                 inverse;
  } aes_uop_t;

  // What the scheduler keeps of a command.
  typedef struct packed {
    aes_mode_e            mode;
    logic                 decrypt;
    logic                 inline_key;
    logic [1:0]           key_length;
    logic [BaseWidth-1:0] base;
    logic                 load;
    logic                 save;
    logic                 append;
    logic                 verify;
    logic [4:0]           tag_length;
    logic                 has_iv;        // a long one
    logic                 iv12;          // of 96 bits
    logic                 has_aad;
    logic                 has_payload;
    logic [3:0]           aad_skew;
    logic                 radio;
    logic [2:0]           last_bits;     // of the last byte of a radio message; 0: all
  } aes_job_t;

  function automatic logic is_gcm(aes_mode_e mode);
    return mode == ModeGcm || mode == ModeGmac;
  endfunction

endpackage

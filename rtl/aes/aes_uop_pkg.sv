// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The signals between the stages of the AES engine: a job is a sequence of micro-operations ("uops"), at most one per
// cycle.
//
// A uop is picked, made in STEP, passes WORD and ENTRY in the two cycles after that, and takes effect at EXIT 15 cycles
// after ENTRY, even if its block does not pass the rounds. So a stream's uops change its state in the order in which they
// were picked.
package aes_uop_pkg;
  import ow_engine_pkg::*;

  localparam int unsigned Rounds    = 14;  // of the longest key; cycles in the rounds with every key
  localparam int unsigned PopToOut  = 19;  // cycles from the pop of a word to the output word made of it
  localparam int unsigned BaseWidth = 6;   // key contexts: slots first, then one for the inline key of each stream

  // The low bits of the opcode; EEA2 is a counter mode, EIA2 a CMAC, with bit 3 set ("radio").
  typedef enum logic [2:0] {
    ModeEcb, ModeCbc, ModeCtr, ModeGcm, ModeGmac, ModeXts, ModeCcm, ModeCmac
  } aes_mode_e;

  // The next step of a stream. Most phases have one uop; those that process words repeat.
  typedef enum logic [4:0] {
    PhIdle,
    PhKey,       // send inline key words to the key unit
    PhTweakKey,  // the same for the second key of XTS
    PhHashKey,   // write H = E(0) to the key context
    PhState0,    // load a saved state
    PhState1,
    PhState2,
    PhIv,        // GHASH over a long IV
    PhIvLength,
    PhIvWait0,   // GHASH ends three cycles after EXIT
    PhIvWait1,
    PhIvDone,    // J0 = the hash
    PhJ0,        // E(J0), E(Ctr_0)
    PhTweak,     // XTS: E_2(i)
    PhSubkey,    // CMAC: L = E(0)
    PhB0,        // CCM: first block of the MAC
    PhAad,
    PhLengths,   // GHASH over the lengths
    PhPay,       // the number of PhAad and PhPay is even, that of PhPayMac one more: see aes_store
    PhPayMac,    // CCM: add a payload block to the MAC
    PhStealA,    // XTS: last full block
    PhStealB,    // XTS: partial block, completed with bytes of the one before
    PhStealC,    // XTS: output the partial block
    PhFinal,
    PhSave0,     // output the state
    PhSave1,
    PhSave2
  } aes_phase_e;

  // The operations of ENTRY. `x` is the block that passes the rounds, `data` bypasses them; V is the stream's counter,
  // tweak or last ciphertext block, C its chaining value, D the block it holds, S its E(J0).
  typedef enum logic [4:0] {
    EnNop,
    EnStart,     // V = IV; data = lengths
    EnKey,       // send the word to the key unit
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

  // The operations of EXIT. `y` is the block from the rounds or, without `cipher`, the data.
  typedef struct packed {
    ow_stream_t           stream;
    logic [BaseWidth-1:0] base;
    logic                 wakes;         // the stream's next uop waits for this one
    logic                 wakes_late;    // and uses S, which it reads two cycles before ENTRY would
    logic                 cipher;
    logic                 add;           // y ^= data
    logic                 out;           // output y
    logic [4:0]           bytes;         // valid bytes of y; bytes of the tag
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
    logic                 hash_last;     // the last one before Y is read
    logic                 hash_load;     // Y = data
    logic                 hash_wipe;     // Y = 0
    logic                 out_hash;      // output Y (state)
    logic                 out_chain;     // output C (state)
    logic                 out_length;    // output L (state)
    aes_tag_e             tag;
    logic                 verify;        // data = the tag to compare with
    logic                 done;          // the stream's last uop: wipe its state, signal the end
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
    logic                 shift;         // EIA2: the message starts in the middle of a block, after 64 bits
    logic [1:0]           key_length;
    logic                 tweak_key;
    logic                 inverse;
  } aes_uop_t;

  // What goes into the rounds beside a block.
  typedef struct packed {
    logic [BaseWidth:0]   context_index;
    logic                 inverse;
    logic [1:0]           key_length;
  } aes_enter_t;

  // The part of a command that the scheduler stores.
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
    logic                 has_iv;        // a long IV
    logic                 iv12;          // an IV of 96 bits
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

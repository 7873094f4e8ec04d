// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of the Ascon engine tell each other: a job, and how far it is.
package ascon_job_pkg;
  import ascon_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;

  localparam logic [63:0] IvHash256 = 64'h0000080100cc0002;   // SP 800-232 appendix B
  localparam logic [63:0] IvXof128  = 64'h0000080000cc0003;
  localparam logic [63:0] IvCxof128 = 64'h0000080000cc0004;

  localparam logic [31:0] AeadRate = 32'd16;   // bytes of a block
  localparam logic [31:0] HashRate = 32'd8;
  localparam logic [31:0] CustomizationMax = 32'd256;   // bytes, 5.3
  localparam logic [31:0] Hash256Bytes = 32'd32;

  function automatic logic known(logic [7:0] opcode);
    return opcode inside {OpAsconAead128, OpAsconHash256, OpAsconXof128, OpAsconCxof128};
  endfunction

  // What comes next for a job. AEAD: Key, Init, Mix, Aad, Separate, Text, Tag. The others: Init, Length and Custom
  // (CXOF), Message, Squeeze. Load stands in place of all that is before Text or Message, Save of all that is behind.
  typedef enum logic [3:0] {
    PhKey,        // the key comes in, or from its slot
    PhLoad,
    PhInit,
    PhMix,        // the key is added behind the initialization
    PhAad,
    PhSeparate,   // the bit between associated data and text is added
    PhText,
    PhTag,
    PhLength,     // of the customization string
    PhCustom,
    PhMessage,
    PhSqueeze,
    PhSave
  } ascon_phase_e;

  typedef struct packed {
    logic [7:0]  opcode;
    logic        decrypt;
    logic        load;
    logic        save;
    logic        append_tag;
    logic        inline_key;
    logic [7:0]  slot;
    logic [4:0]  tag_bytes;
    logic [8:0]  custom_bytes;
    logic [31:0] aad_bytes;
    logic [31:0] payload_bytes;
    logic [31:0] out_bytes;       // of a hash or an extendable output
  } ascon_job_t;

  // A job and how far it is: between two blocks all that is known of it.
  typedef struct packed {
    ascon_job_t   job;
    ascon_phase_e phase;
    logic [1:0]   step;           // words of a state, or of a result, so far
    logic [31:0]  left;           // bytes left of the section
    logic [127:0] key;            // AEAD: the key; others: the first 16 bytes of the result
    ascon_state_t s;
  } ascon_context_t;

  // A job that has just been given, with its nonce where the initialization wants it.
  function automatic ascon_context_t start(ow_command_t cmd, ow_plan_t plan);
    logic aead;
    aead = cmd.opcode == OpAsconAead128;
    start = '0;
    start.job = '{
      opcode: cmd.opcode, decrypt: cmd.decrypt, load: cmd.load_state, save: cmd.save_state,
      append_tag: cmd.append_tag, inline_key: cmd.inline_key, slot: cmd.key, tag_bytes: cmd.tag_length,
      custom_bytes: plan.iv_bytes[8:0], aad_bytes: plan.aad_bytes, payload_bytes: plan.payload_bytes,
      out_bytes: plan.out_bytes[31:0]
    };
    start.phase = aead ? PhKey : cmd.load_state ? PhLoad : PhInit;
    if (aead) {start.s[4], start.s[3]} = cmd.iv;
  endfunction

  // What is known of a step before it is made (ascon_decide).
  typedef struct packed {
    logic [15:0] at;              // a bit for each phase
    logic        aead;
    logic        aad;             // the message has associated data
    logic [63:0] iv;              // the first word of the state
    logic        needs_word;
    logic        takes_word;      // nothing of the word is left
    logic        needs_room;      // in the shell's output buffer
    logic        reads_key;       // from its slot
    logic        absorbs;         // a block
    logic        deciphers;       // it
    logic        saves;           // the message goes on in another job
    logic        ends_text;       // of AEAD
    logic [2:0]  loads;           // this word of a state
    logic [4:0]  keeps;           // words of the state in which nothing is put
    logic        last;            // the block is not full
    logic        ends;            // the job
    logic [4:0]  bytes;           // of the block
    logic [15:0] in_block;        // these bytes
    logic [15:0] padded;          // the byte behind them, of a block that is not full
    logic [4:0]  out_bytes;       // 0: nothing leaves
    logic [3:0]  rounds;          // that follow: 0, 8 or 12
  } ascon_decision_t;

  // The lowest `bytes` bytes of a word, a bit each.
  function automatic logic [15:0] low_bytes(logic [4:0] bytes);
    for (int unsigned i = 0; i < 16; i++) low_bytes[i] = 5'(i) < bytes;
  endfunction

  // A bit for each byte, as the bits of the bytes.
  function automatic logic [127:0] spread(logic [15:0] bytes);
    for (int unsigned i = 0; i < 16; i++) spread[8*i+:8] = {8{bytes[i]}};
  endfunction
endpackage

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

  // Of each word of the state: which bytes, or whether it, stays in a step, and what is added to that.
  typedef struct packed {
    logic [7:0]  keeps0;
    logic [7:0]  keeps1;
    logic        keeps2;
    logic        keeps3;
    logic        keeps4;
    logic [7:0]  low0;            // these bytes of the input word's first half,
    logic [7:0]  high0;           // of its second half,
    logic [7:0]  high1;
    logic [63:0] adds0;           // and what no word has: a first word, a length, the bit behind the data
    logic [7:0]  pads1;           // that bit
    logic        starts;          // the key comes into words 1 and 2,
    logic        mixes;           // is added to 3 and 4,
    logic        ends_text;       // to 2 and 3
    logic        separates;       // the bit between associated data and text is added
    logic        low2;            // words of a state that comes in
    logic        high3;
    logic        low4;
  } ascon_mix_t;

  function automatic ascon_mix_t no_change();
    no_change = '0;
    {no_change.keeps0, no_change.keeps1, no_change.keeps2, no_change.keeps3, no_change.keeps4} = '1;
  endfunction

  // What is known of a step before it is made (ascon_decide).
  typedef struct packed {
    logic        aead;
    logic        aad;             // the message has associated data
    logic        needs_word;
    logic        takes_word;      // nothing of the word is left
    logic        needs_room;      // in the shell's output buffer
    logic        reads_key;       // from its slot
    logic        absorbs;         // a block
    logic        saves;           // the message goes on in another job
    logic        last;            // the block is not full
    logic        ends;            // the job
    logic [4:0]  bytes;           // of the block
    logic [15:0] in_block;        // these bytes, or those of the tag
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

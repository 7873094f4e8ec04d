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
    PhKey,        // the key comes in, or is asked for in its slot
    PhKeyRead,    // the slot's key comes
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

  // The lowest `bytes` bytes.
  function automatic logic [127:0] low_bytes(logic [4:0] bytes);
    for (int unsigned i = 0; i < 16; i++) low_bytes[8*i+:8] = {8{5'(i) < bytes}};
  endfunction
endpackage

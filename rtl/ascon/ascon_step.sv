// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What a job does between two permutations, in the words of SP 800-232 4.1 and 5: combinational.
//
// `decision_i` is what ascon_decide says of the same context; `context_o` is the job behind the step, its state to be
// permuted by as many rounds as that says. The step may be done when what it needs is there: a word, room in the shell's
// output buffer, a place for the bytes that it gives.
module ascon_step
  import ascon_job_pkg::*;
  import ascon_pkg::*;
  import ow_spec_pkg::*;
(
  input  ascon_context_t  context_i,
  input  ascon_decision_t decision_i,
  input  ascon_mix_t      mix_i,           // what it makes of the state
  input  logic [127:0]    word_i,
  input  logic [127:0]    slot_key_i,
  output ascon_context_t  context_o,
  output logic [127:0]    out_data_o,
  output logic [7:0]      status_o,        // of a job that ends
  output logic [127:0]    tag_o
);
  ascon_job_t   job;
  ascon_state_t s;
  logic         aead;
  assign job  = context_i.job;
  assign s    = context_i.s;
  assign aead = decision_i.aead;

  logic [127:0] mask, squeezed;
  assign mask     = spread(decision_i.in_block);
  assign squeezed = 128'(s[0]) & mask;

  // ---- The tag: what is made, and whether it is the one that comes in.
  logic [127:0] tag;
  assign tag = ({s[4], s[3]} ^ context_i.key) & mask;

  logic        saves, last;
  logic [31:0] left;
  assign saves = decision_i.saves;
  assign last  = decision_i.last;

  // ---- The state. Each bit is a sum of ANDs of registers.
  logic [63:0]  low, high, key_low, key_high;
  ascon_state_t moved;
  assign {high, low}         = word_i;
  assign {key_high, key_low} = context_i.key;
  function automatic logic [63:0] on(logic condition, logic [63:0] value);
    return value & {64{condition}};
  endfunction
  function automatic logic [63:0] of(logic [7:0] bytes, logic [63:0] value);
    return value & 64'(spread(16'(bytes)));
  endfunction
  always_comb begin
    moved[0] = of(mix_i.keeps0, s[0]) ^ of(mix_i.low0, low) ^ of(mix_i.high0, high) ^ mix_i.adds0;
    moved[1] = of(mix_i.keeps1, s[1]) ^ of(mix_i.high1, high) ^ on(mix_i.starts, key_low);
    for (int unsigned i = 0; i < 8; i++) moved[1][8*i] ^= mix_i.pads1[i];
    moved[2] = on(mix_i.keeps2, s[2]) ^ on(mix_i.low2, low) ^ on(mix_i.starts, key_high)
               ^ on(mix_i.ends_text, key_low);
    moved[3] = on(mix_i.keeps3, s[3]) ^ on(mix_i.high3, high) ^ on(mix_i.ends_text, key_high)
               ^ on(mix_i.mixes, key_low);
    moved[4] = on(mix_i.keeps4, s[4]) ^ on(mix_i.low4, low) ^ on(mix_i.mixes, key_high);
    moved[4][63] ^= mix_i.separates;
  end

  // ---- How far the job is then.
  function automatic ascon_phase_e text_phase(logic is_aead);
    return is_aead ? PhText : PhMessage;
  endfunction
  always_comb begin
    context_o   = context_i;
    context_o.s = moved;
    left        = context_i.left - 32'(decision_i.bytes);
    if (decision_i.absorbs) context_o.left = left;
    unique case (context_i.phase)
      PhKey: begin
        context_o.phase = job.load ? PhLoad : PhInit;
        context_o.key   = job.inline_key ? word_i : slot_key_i;
      end
      PhLoad: begin
        context_o.step = context_i.step + 2'd1;
        if (context_i.step == 2'd2) begin
          context_o.step  = '0;
          context_o.phase = text_phase(aead);
          context_o.left  = job.payload_bytes;
        end
      end
      PhInit: begin
        context_o.phase = aead ? PhMix : job.opcode == OpAsconCxof128 ? PhLength : PhMessage;
        context_o.left  = job.payload_bytes;
      end
      PhMix: begin
        context_o.phase = decision_i.aad ? PhAad : PhText;
        context_o.left  = decision_i.aad ? job.aad_bytes : job.payload_bytes;
      end
      PhAad: if (last) context_o.phase = PhSeparate;
      PhSeparate: begin
        context_o.phase = PhText;
        context_o.left  = job.payload_bytes;
      end
      PhText: begin
        if (saves) context_o.phase = PhSave;
        else if (last) context_o.phase = PhTag;
      end
      PhLength: begin
        context_o.phase = PhCustom;
        context_o.left  = 32'(job.custom_bytes);
      end
      PhCustom: if (last) begin
        context_o.phase = PhMessage;
        context_o.left  = job.payload_bytes;
      end
      PhMessage: begin
        if (saves) context_o.phase = PhSave;
        else if (last) begin
          context_o.phase = PhSqueeze;
          context_o.left  = job.out_bytes;
        end
      end
      PhSqueeze: begin
        context_o.left = left;
        if (!context_i.step[1]) begin
          context_o.step = context_i.step + 2'd1;
          if (context_i.step[0]) context_o.key[127:64] = squeezed[63:0];
          else context_o.key = squeezed;
        end
      end
      PhSave:  context_o.step = context_i.step + 2'd1;
      default: ;
    endcase
  end

  // ---- What leaves, and the end.
  always_comb begin
    out_data_o = ({s[1], s[0]} ^ word_i) & mask;
    status_o   = StOk;
    tag_o      = '0;
    unique case (context_i.phase)
      PhTag: begin
        out_data_o = tag;
        if (job.decrypt && (word_i & mask) != tag) status_o = StAuthFailed;
        else tag_o = tag;
      end
      PhSqueeze: begin
        out_data_o = squeezed;
        tag_o      = context_o.key;
      end
      PhSave: unique case (context_i.step)
        2'd0:    out_data_o = {s[1], s[0]};
        2'd1:    out_data_o = {s[3], s[2]};
        default: out_data_o = 128'(s[4]);
      endcase
      default: ;
    endcase
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What a job's next step needs, takes and gives, but for the words themselves: combinational. The unit registers it, so
// that the step behind it (ascon_step) has no length to compare and no phase to decode.
module ascon_decide
  import ascon_job_pkg::*;
  import ascon_pkg::*;
  import ow_spec_pkg::*;
(
  input  ascon_context_t  context_i,
  input  logic            half_i,       // the upper 8 bytes of the word are next
  output ascon_decision_t decision_o,
  output ascon_mix_t      mix_o         // what the step makes of the state
);
  ascon_job_t   job;
  ascon_phase_e phase;
  logic         aead;
  assign job   = context_i.job;
  assign phase = context_i.phase;
  assign aead  = job.opcode == OpAsconAead128;

  // The next block of a section: up to 16 bytes for AEAD128, up to 8 for the others. One that is not full is padded.
  logic [31:0] left, rate;
  logic        blocks, saves, last;
  logic [4:0]  bytes;
  assign left   = context_i.left;
  assign rate   = aead ? AeadRate : HashRate;
  assign last   = left < rate;
  assign bytes  = last ? left[4:0] : rate[4:0];
  assign blocks = phase inside {PhAad, PhText, PhCustom, PhMessage};
  assign saves  = phase inside {PhText, PhMessage} && job.save && left == '0;

  logic        absorbs, loads, loads_first, deciphers, starts;
  logic [15:0] in_block, padded;
  logic [63:0] iv;
  assign absorbs     = blocks && !saves;
  assign loads       = phase == PhLoad;
  assign loads_first = loads && context_i.step == 2'd0;
  assign deciphers   = absorbs && phase == PhText && job.decrypt;
  assign starts      = phase == PhInit && aead;
  assign in_block    = low_bytes(phase == PhTag ? job.tag_bytes : bytes);
  assign padded      = absorbs && last ? 16'd1 << bytes[3:0] : '0;
  always_comb begin
    unique case (job.opcode)
      OpAsconAead128: iv = IvAead128;
      OpAsconHash256: iv = IvHash256;
      OpAsconXof128:  iv = IvXof128;
      default:        iv = IvCxof128;
    endcase
  end

  // Ciphertext that comes in replaces the bytes of the state, plaintext and other data are added to them.
  always_comb begin
    mix_o = '0;
    {mix_o.keeps1, mix_o.keeps0} = deciphers ? ~in_block : '1;
    if (loads_first) {mix_o.keeps1, mix_o.keeps0} = '0;
    if (phase == PhInit) mix_o.keeps0 = '0;
    if (starts) mix_o.keeps1 = '0;
    mix_o.low2 = loads && context_i.step == 2'd1;
    mix_o.high3 = mix_o.low2;
    mix_o.low4 = loads && context_i.step == 2'd2;
    mix_o.keeps2 = !starts && !mix_o.low2;
    mix_o.keeps3 = !mix_o.high3;
    mix_o.keeps4 = !mix_o.low4;
    if (absorbs && half_i) mix_o.high0 = in_block[7:0];
    else if (absorbs) {mix_o.high1, mix_o.low0} = in_block;
    else if (loads_first) {mix_o.high1, mix_o.low0} = '1;
    for (int unsigned i = 0; i < 8; i++) mix_o.adds0[8*i] = padded[i];
    if (phase == PhInit) mix_o.adds0 = iv;
    if (phase == PhLength) mix_o.adds0 = 64'({job.custom_bytes, 3'd0});
    mix_o.pads1 = padded[15:8];
    mix_o.starts = starts;
    mix_o.mixes = phase == PhMix;
    mix_o.ends_text = phase == PhText && last && !saves;
    mix_o.separates = phase == PhSeparate || (phase == PhMix && job.aad_bytes == '0);
  end

  always_comb begin
    decision_o = '0;
    decision_o.aead       = aead;
    decision_o.aad        = job.aad_bytes != '0;
    decision_o.needs_word = (blocks && left != '0) || loads || (phase == PhKey && job.inline_key)
                            || (phase == PhTag && job.decrypt);
    decision_o.takes_word = decision_o.needs_word && (aead || !blocks || half_i || left <= HashRate);
    decision_o.needs_room = phase == PhSqueeze;
    decision_o.reads_key  = phase == PhKey && !job.inline_key;
    decision_o.absorbs    = absorbs;
    decision_o.saves      = saves;
    decision_o.last       = last;
    decision_o.bytes      = bytes;
    decision_o.in_block   = in_block;
    if (absorbs) decision_o.rounds = aead ? 4'd8 : 4'd12;
    unique case (phase)
      PhInit, PhLength: decision_o.rounds = 4'd12;
      PhText: if (!saves) begin
        decision_o.out_bytes = bytes;
        if (last) decision_o.rounds = 4'd12;
      end
      PhTag: begin
        decision_o.ends = 1'b1;
        if (job.append_tag) decision_o.out_bytes = job.tag_bytes;
      end
      PhSqueeze: begin
        decision_o.rounds    = 4'd12;
        decision_o.out_bytes = bytes;
        decision_o.ends      = left <= HashRate;
      end
      PhSave: begin
        decision_o.out_bytes = 5'd16;
        decision_o.ends      = context_i.step == 2'd2;
      end
      default: ;
    endcase
  end
endmodule

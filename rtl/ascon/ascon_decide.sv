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
  output ascon_decision_t decision_o
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

  logic       absorbs, starts;
  logic [2:0] loads;
  assign absorbs = blocks && !saves;
  assign starts  = phase == PhInit && aead;
  assign loads   = phase == PhLoad ? 3'd1 << context_i.step : '0;

  always_comb begin
    decision_o = '0;
    decision_o.at[phase]  = 1'b1;
    decision_o.aead       = aead;
    decision_o.aad        = job.aad_bytes != '0;
    decision_o.needs_word = (blocks && left != '0) || phase == PhLoad || (phase == PhKey && job.inline_key)
                            || (phase == PhTag && job.decrypt);
    decision_o.takes_word = decision_o.needs_word && (aead || !blocks || half_i || left <= HashRate);
    decision_o.needs_room = phase == PhSqueeze;
    decision_o.reads_key  = phase == PhKey && !job.inline_key;
    decision_o.absorbs    = absorbs;
    decision_o.deciphers  = job.decrypt && phase == PhText;
    decision_o.saves      = saves;
    decision_o.ends_text  = phase == PhText && last && !saves;
    decision_o.loads      = loads;
    decision_o.keeps      = {
      !loads[2], !loads[1], !(loads[1] || starts), !(absorbs || loads[0] || starts),
      !(absorbs || loads[0] || phase == PhInit)
    };
    decision_o.last       = last;
    decision_o.bytes      = bytes;
    decision_o.in_block   = low_bytes(bytes);
    decision_o.padded     = last ? 16'd1 << bytes[3:0] : '0;
    if (absorbs) decision_o.rounds = aead ? 4'd8 : 4'd12;
    unique case (job.opcode)
      OpAsconAead128: decision_o.iv = IvAead128;
      OpAsconHash256: decision_o.iv = IvHash256;
      OpAsconXof128:  decision_o.iv = IvXof128;
      default:        decision_o.iv = IvCxof128;
    endcase
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

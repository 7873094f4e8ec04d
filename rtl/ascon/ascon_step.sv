// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What a job does between two permutations, in the words of SP 800-232 4.1 and 5: combinational.
//
// `context_o` is the job behind the step, its state to be permuted by `rounds_o` rounds. The step may be done when what
// it needs is there: a word, room in the shell's output buffer, a place for the `out_bytes_o` bytes that it gives.
module ascon_step
  import ascon_job_pkg::*;
  import ascon_pkg::*;
  import ow_spec_pkg::*;
(
  input  ascon_context_t context_i,
  input  logic           half_i,          // the upper 8 bytes of the word are next
  input  logic [127:0]   word_i,
  input  logic [127:0]   slot_key_i,
  output ascon_context_t context_o,
  output logic [3:0]     rounds_o,        // 0, 8 or 12
  output logic           needs_word_o,
  output logic           takes_word_o,    // nothing of the word is left
  output logic           needs_room_o,
  output logic [4:0]     out_bytes_o,     // 0: nothing leaves
  output logic [127:0]   out_data_o,
  output logic           ends_o,
  output logic [7:0]     status_o,
  output logic [127:0]   tag_o
);
  ascon_job_t   job;
  ascon_state_t s;
  logic         aead;
  assign job  = context_i.job;
  assign s    = context_i.s;
  assign aead = job.opcode == OpAsconAead128;

  // ---- The next block of a section: up to 16 bytes for AEAD128, up to 8 for the others. One that is not full is padded.
  logic [31:0]  left, rate;
  logic         last;
  logic [4:0]   bytes;
  logic [127:0] mask, block, padding, sum, squeezed, absorbed;
  logic         deciphers;
  assign left      = context_i.left;
  assign rate      = aead ? AeadRate : HashRate;
  assign last      = left < rate;
  assign bytes     = last ? left[4:0] : rate[4:0];
  assign mask      = low_bytes(bytes);
  assign block     = (half_i ? 128'(word_i[127:64]) : word_i) & mask;
  assign padding   = last ? 128'd1 << {bytes[3:0], 3'd0} : '0;
  assign sum       = {s[1], s[0]} ^ block;
  assign deciphers = job.decrypt && context_i.phase == PhText;
  assign squeezed  = 128'(s[0]) & mask;
  assign absorbed  = (deciphers ? ({s[1], s[0]} & ~mask) ^ block : sum) ^ padding;

  // ---- The tag: what is made, and whether it is the one that comes in.
  logic [127:0] tag_mask, tag;
  assign tag_mask = low_bytes(job.tag_bytes);
  assign tag      = ({s[4], s[3]} ^ context_i.key) & tag_mask;

  logic blocks, saves, key_is_here;
  assign blocks      = context_i.phase inside {PhAad, PhText, PhCustom, PhMessage};
  assign saves       = context_i.phase inside {PhText, PhMessage} && job.save && left == '0;
  assign key_is_here = context_i.phase == PhKeyRead || (context_i.phase == PhKey && job.inline_key);

  assign needs_word_o = (blocks && left != '0) || context_i.phase == PhLoad
                        || (context_i.phase == PhKey && job.inline_key)
                        || (context_i.phase == PhTag && job.decrypt);
  assign takes_word_o = needs_word_o && (aead || !blocks || half_i || left <= HashRate);
  assign needs_room_o = context_i.phase == PhSqueeze;

  function automatic ascon_phase_e text_phase(logic is_aead);
    return is_aead ? PhText : PhMessage;
  endfunction

  always_comb begin
    context_o   = context_i;
    rounds_o    = 4'd0;
    if (blocks && !saves) begin
      {context_o.s[1], context_o.s[0]} = absorbed;
      context_o.left = left - 32'(bytes);
      rounds_o       = aead ? 4'd8 : 4'd12;
    end
    unique case (context_i.phase)
      PhKey, PhKeyRead: begin
        context_o.phase = !key_is_here ? PhKeyRead : job.load ? PhLoad : PhInit;
        if (key_is_here) context_o.key = job.inline_key ? word_i : slot_key_i;
      end
      PhLoad: begin
        context_o.step = context_i.step + 2'd1;
        unique case (context_i.step)
          2'd0:    {context_o.s[1], context_o.s[0]} = word_i;
          2'd1:    {context_o.s[3], context_o.s[2]} = word_i;
          default: context_o.s[4]                   = word_i[63:0];
        endcase
        if (context_i.step == 2'd2) begin
          context_o.step  = '0;
          context_o.phase = text_phase(aead);
          context_o.left  = job.payload_bytes;
        end
      end
      PhInit: begin
        rounds_o        = 4'd12;
        context_o.phase = aead ? PhMix : job.opcode == OpAsconCxof128 ? PhLength : PhMessage;
        context_o.left  = job.payload_bytes;
        if (aead) {context_o.s[2], context_o.s[1]} = context_i.key;
        unique case (job.opcode)
          OpAsconAead128: context_o.s[0] = IvAead128;
          OpAsconHash256: context_o.s[0] = IvHash256;
          OpAsconXof128:  context_o.s[0] = IvXof128;
          default:        context_o.s[0] = IvCxof128;
        endcase
      end
      PhMix: begin
        {context_o.s[4], context_o.s[3]} = {s[4], s[3]} ^ context_i.key;
        context_o.phase = job.aad_bytes != '0 ? PhAad : PhText;
        context_o.left  = job.aad_bytes != '0 ? job.aad_bytes : job.payload_bytes;
        if (job.aad_bytes == '0) context_o.s[4][63] = s[4][63] ^ context_i.key[127] ^ 1'b1;
      end
      PhAad: if (last) context_o.phase = PhSeparate;
      PhSeparate: begin
        context_o.s[4][63] = !s[4][63];
        context_o.phase    = PhText;
        context_o.left     = job.payload_bytes;
      end
      PhText: begin
        if (saves) context_o.phase = PhSave;
        else if (last) begin
          {context_o.s[3], context_o.s[2]} = {s[3], s[2]} ^ context_i.key;
          rounds_o        = 4'd12;
          context_o.phase = PhTag;
        end
      end
      PhLength: begin
        context_o.s[0]  = s[0] ^ 64'({job.custom_bytes, 3'd0});
        rounds_o        = 4'd12;
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
        context_o.left = left - 32'(bytes);
        rounds_o       = 4'd12;
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
    out_bytes_o = '0;
    out_data_o  = sum & mask;
    ends_o      = 1'b0;
    status_o    = StOk;
    tag_o       = '0;
    unique case (context_i.phase)
      PhText: if (!saves) out_bytes_o = bytes;
      PhTag: begin
        ends_o     = 1'b1;
        out_data_o = tag;
        if (job.append_tag) out_bytes_o = job.tag_bytes;
        if (job.decrypt && (word_i & tag_mask) != tag) status_o = StAuthFailed;
        else tag_o = tag;
      end
      PhSqueeze: begin
        out_data_o  = squeezed;
        out_bytes_o = bytes;
        ends_o      = left <= HashRate;
        tag_o       = context_o.key;
      end
      PhSave: begin
        out_bytes_o = 5'd16;
        ends_o      = context_i.step == 2'd2;
        unique case (context_i.step)
          2'd0:    out_data_o = {s[1], s[0]};
          2'd1:    out_data_o = {s[3], s[2]};
          default: out_data_o = 128'(s[4]);
        endcase
      end
      default: ;
    endcase
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An engine for the shell's bench: it inverts the payload and returns the exclusive-or of every word it was given.
//
// It takes one word of any stream a cycle, in every section the contract has, so that the bench sees exactly what the
// shell delivers. A tag section whose first byte is 0xee is a wrong tag. Opcodes 0x10 (copy), 0x11 (swallow) and 0x12
// (copy with a slot's key of 128 bits that may encrypt).
module copy_engine
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumStreams = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  pause_i,           // take nothing now

  input  ow_command_t           plan_command_i,
  input  ow_key_info_t          plan_key_i,
  output ow_plan_t              plan_o,
  output logic [NumStreams-1:0] keyed_o,           // jobs at work with a slot's key

  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  ow_stream_t            cmd_stream_i,
  input  ow_plan_t              cmd_plan_i,
  input  logic [NumStreams-1:0] in_available_i,
  output logic                  in_pop_o,
  output ow_stream_t            in_pop_stream_o,
  input  logic [127:0]          in_word_i,
  input  logic [NumStreams-1:0] out_room_i,
  output logic                  out_valid_o,
  output ow_stream_t            out_stream_o,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,
  output logic                  done_valid_o,
  output ow_stream_t            done_stream_o,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,
  input  logic [NumStreams-1:0] abort_i
);
  always_comb begin
    plan_o               = '0;
    plan_o.uses_key      = plan_command_i.opcode == 8'h12 && !plan_command_i.inline_key;
    if (plan_o.uses_key) begin
      if (!plan_key_i.valid || plan_key_i.length != KeyBits128) plan_o.status = StBadKey;
      else if (!plan_key_i.encrypt) plan_o.status = StKeyDenied;
    end
    plan_o.key_words     = plan_command_i.inline_key ? 4'(plan_command_i.key[1:0]) + 4'd1 : '0;
    plan_o.state_in      = plan_command_i.load_state;
    plan_o.state_out     = plan_command_i.save_state;
    plan_o.state_at      = 4'd4;
    plan_o.state_words   = 5'd3;
    plan_o.iv_bytes      = plan_command_i.long_iv ? plan_command_i.long_iv_bytes : '0;
    plan_o.aad_bytes     = plan_command_i.aad_length;
    plan_o.aad_skew      = plan_command_i.iv[127:124];
    plan_o.payload_bytes = plan_command_i.length;
    plan_o.tag_in_bytes  = plan_command_i.decrypt ? 7'(plan_command_i.tag_length) : '0;
    plan_o.out_bytes     = plan_command_i.opcode != 8'h11 ? 33'(plan_command_i.length)
                           + (plan_command_i.append_tag ? 33'(plan_command_i.tag_length) : '0) : '0;
  end

  typedef struct packed {
    logic        owned;
    logic        keyed;
    logic [32:0] ahead;    // words before the payload
    logic [32:0] payload;   // payload words left
    logic [4:0]  last;      // bytes of the last payload word
    logic        copy;
    logic [1:0]  tag;       // tag words left
    logic [4:0]  append;    // bytes of the tag to append
    logic [1:0]  states;    // state words still to push
    logic [127:0] sum;
    logic        wrong;
  } job_t;
  job_t job_q [NumStreams];
  for (genvar s = 0; s < NumStreams; s++) begin : gen_keyed
    assign keyed_o[s] = job_q[s].owned && job_q[s].keyed;
  end

  function automatic logic [32:0] words(logic [32:0] bytes);
    return (bytes + 33'd15) >> 4;
  endfunction

  ow_stream_t scan_q;
  logic       popped_q, flip_q;
  ow_stream_t popped_stream_q;
  assign cmd_ready_o = flip_q && !popped_q && !in_pop_o;
  always_comb begin
    in_pop_o        = 1'b0;
    in_pop_stream_o = scan_q;
    for (int i = 0; i < NumStreams; i++) begin
      automatic ow_stream_t s = scan_q + ow_stream_t'(i);
      if (!in_pop_o && !pause_i && job_q[s].owned && in_available_i[s] && out_room_i[s] && !abort_i[s]) begin
        in_pop_o        = 1'b1;
        in_pop_stream_o = s;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    out_valid_o  <= 1'b0;
    done_valid_o <= 1'b0;
    flip_q       <= !flip_q;
    scan_q       <= scan_q + 4'd1;
    popped_q     <= in_pop_o;
    popped_stream_q <= in_pop_stream_o;
    if (!rst_ni) begin
      flip_q   <= 1'b0;
      scan_q   <= '0;
      popped_q <= 1'b0;
      for (int s = 0; s < NumStreams; s++) job_q[s] <= '0;
    end else begin
      if (cmd_valid_i && cmd_ready_o) begin
        job_q[cmd_stream_i] <= '{
          owned: 1'b1, keyed: cmd_plan_i.uses_key,
          ahead: 33'(cmd_plan_i.key_words) + (cmd_plan_i.state_in ? 33'd3 : 33'd0) + words(33'(cmd_plan_i.iv_bytes))
                  + (cmd_plan_i.aad_bytes == '0 ? '0 : words(33'(cmd_plan_i.aad_bytes) + 33'(cmd_plan_i.aad_skew))),
          payload: words(33'(cmd_plan_i.payload_bytes)),
          last: cmd_plan_i.payload_bytes[3:0] == '0 ? 5'd16 : 5'(cmd_plan_i.payload_bytes[3:0]),
          copy: cmd_plan_i.out_bytes != '0,
          tag: 2'(cmd_plan_i.tag_in_bytes != '0),
          append: 5'(cmd_plan_i.out_bytes - 33'(cmd_plan_i.payload_bytes)),
          states: cmd_plan_i.state_out ? 2'd3 : 2'd0, sum: '0, wrong: 1'b0
        };
      end
      if (popped_q) begin
        job_q[popped_stream_q].sum <= job_q[popped_stream_q].sum ^ in_word_i;
        if (job_q[popped_stream_q].ahead != '0) begin
          job_q[popped_stream_q].ahead <= job_q[popped_stream_q].ahead - 33'd1;
        end else if (job_q[popped_stream_q].payload != '0) begin
          job_q[popped_stream_q].payload <= job_q[popped_stream_q].payload - 33'd1;
          out_valid_o  <= job_q[popped_stream_q].copy;
          out_stream_o <= popped_stream_q;
          out_data_o   <= ~in_word_i;
          out_bytes_o  <= job_q[popped_stream_q].payload == 33'd1 ? job_q[popped_stream_q].last : 5'd16;
        end else begin
          job_q[popped_stream_q].tag   <= 2'd0;
          job_q[popped_stream_q].wrong <= in_word_i[7:0] == 8'hee;
        end
      end else if (!cmd_valid_i && !in_pop_o) begin
        // Finish the jobs that have had all their words.
        for (int s = 0; s < NumStreams; s++) begin
          if (s == int'(scan_q) && job_q[s].owned) begin
            if (abort_i[s]) begin
              job_q[s].owned <= 1'b0;
              done_valid_o   <= 1'b1;
              done_stream_o  <= ow_stream_t'(s);
              done_status_o  <= '0;
            end else if (job_q[s].ahead == '0 && job_q[s].payload == '0 && job_q[s].tag == '0) begin
              if (job_q[s].append != '0 && job_q[s].copy) begin
                out_valid_o     <= 1'b1;
                out_stream_o    <= ow_stream_t'(s);
                out_data_o      <= job_q[s].sum;
                out_bytes_o     <= job_q[s].append;
                job_q[s].append <= '0;
              end else if (job_q[s].states != '0) begin
                out_valid_o     <= 1'b1;
                out_stream_o    <= ow_stream_t'(s);
                out_data_o      <= job_q[s].sum + 128'(job_q[s].states);
                out_bytes_o     <= 5'd16;
                job_q[s].states <= job_q[s].states - 2'd1;
              end else begin
                job_q[s].owned <= 1'b0;
                done_valid_o   <= 1'b1;
                done_stream_o  <= ow_stream_t'(s);
                done_status_o  <= job_q[s].wrong ? 8'h01 : 8'h00;
                done_tag_o     <= job_q[s].sum;
              end
            end
          end
        end
      end
    end
  end
endmodule

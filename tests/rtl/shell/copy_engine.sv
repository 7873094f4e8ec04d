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
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        pause_i,         // take nothing now
  input  logic        key_ready_i,     // answer loads and zeroises
  input  logic        key_refused_i,
  input  logic        made_valid_i,    // offer this key
  input  ow_made_key_t made_i,
  output ow_streams_t keyed_o,         // jobs at work with a slot's key
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  ow_command_t  plan_command;
  ow_key_info_t plan_key;
  ow_plan_t     plan, cmd_plan;
  logic         cmd_valid, cmd_ready, in_pop, out_valid, done_valid;
  ow_stream_t   cmd_stream, in_pop_stream, out_stream, done_stream;
  ow_streams_t  in_available, out_room, abort;
  logic [127:0] in_word, out_data, done_tag;
  logic [4:0]   out_bytes;
  logic [7:0]   done_status;
  assign plan_command = req_i.plan_command;
  assign plan_key     = req_i.plan_key;
  assign cmd_valid    = req_i.cmd_valid;
  assign cmd_stream   = req_i.cmd_stream;
  assign cmd_plan     = req_i.cmd_plan;
  assign in_available = req_i.in_available;
  assign in_word      = req_i.in_word;
  assign out_room     = req_i.out_room;
  assign abort        = req_i.abort;
  assign rsp_o = '{
    plan: plan, cmd_ready: cmd_ready, in_pop: in_pop, in_pop_stream: in_pop_stream, pop_wanted: '0,
    out_valid: out_valid, out_stream: out_stream, out_data: out_data, out_bytes: out_bytes,
    done_valid: done_valid, done_stream: done_stream, done_status: done_status, done_tag: done_tag,
    key_load_ready: req_i.key_load_valid && key_ready_i, key_load_refused: key_refused_i,
    made_valid: made_valid_i, made: made_i, zeroise_ready: req_i.zeroise_valid && key_ready_i, busy: 1'b1
  };

  always_comb begin
    plan               = '0;
    plan.uses_key      = plan_command.opcode == 8'h12 && !plan_command.inline_key;
    if (plan.uses_key) begin
      if (!plan_key.valid || plan_key.length != KeyBits128) plan.status = StBadKey;
      else if (!plan_key.encrypt) plan.status = StKeyDenied;
    end
    plan.key_words     = plan_command.inline_key ? 4'(plan_command.key[1:0]) + 4'd1 : '0;
    plan.state_in      = plan_command.load_state;
    plan.state_out     = plan_command.save_state;
    plan.state_at      = 4'd4;
    plan.state_words   = 5'd3;
    plan.iv_bytes      = plan_command.long_iv ? plan_command.long_iv_bytes : '0;
    plan.aad_bytes     = plan_command.aad_length;
    plan.aad_skew      = plan_command.iv[127:124];
    plan.payload_bytes = plan_command.length;
    plan.tag_in_bytes  = plan_command.decrypt ? 7'(plan_command.tag_length) : '0;
    plan.out_bytes     = plan_command.opcode != 8'h11 ? 33'(plan_command.length)
                           + (plan_command.append_tag ? 33'(plan_command.tag_length) : '0) : '0;
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
  assign cmd_ready = flip_q && !popped_q && !in_pop;
  always_comb begin
    in_pop        = 1'b0;
    in_pop_stream = scan_q;
    for (int i = 0; i < NumStreams; i++) begin
      automatic ow_stream_t s = scan_q + ow_stream_t'(i);
      if (!in_pop && !pause_i && job_q[s].owned && in_available[s] && out_room[s] && !abort[s]) begin
        in_pop        = 1'b1;
        in_pop_stream = s;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    out_valid  <= 1'b0;
    done_valid <= 1'b0;
    flip_q       <= !flip_q;
    scan_q       <= scan_q + 4'd1;
    popped_q     <= in_pop;
    popped_stream_q <= in_pop_stream;
    if (!rst_ni) begin
      flip_q   <= 1'b0;
      scan_q   <= '0;
      popped_q <= 1'b0;
      for (int s = 0; s < NumStreams; s++) job_q[s] <= '0;
    end else begin
      if (cmd_valid && cmd_ready) begin
        job_q[cmd_stream] <= '{
          owned: 1'b1, keyed: cmd_plan.uses_key,
          ahead: 33'(cmd_plan.key_words) + (cmd_plan.state_in ? 33'd3 : 33'd0) + words(33'(cmd_plan.iv_bytes))
                  + (cmd_plan.aad_bytes == '0 ? '0 : words(33'(cmd_plan.aad_bytes) + 33'(cmd_plan.aad_skew))),
          payload: words(33'(cmd_plan.payload_bytes)),
          last: cmd_plan.payload_bytes[3:0] == '0 ? 5'd16 : 5'(cmd_plan.payload_bytes[3:0]),
          copy: cmd_plan.out_bytes != '0,
          tag: 2'(cmd_plan.tag_in_bytes != '0),
          append: 5'(cmd_plan.out_bytes - 33'(cmd_plan.payload_bytes)),
          states: cmd_plan.state_out ? 2'd3 : 2'd0, sum: '0, wrong: 1'b0
        };
      end
      if (popped_q) begin
        job_q[popped_stream_q].sum <= job_q[popped_stream_q].sum ^ in_word;
        if (job_q[popped_stream_q].ahead != '0) begin
          job_q[popped_stream_q].ahead <= job_q[popped_stream_q].ahead - 33'd1;
        end else if (job_q[popped_stream_q].payload != '0) begin
          job_q[popped_stream_q].payload <= job_q[popped_stream_q].payload - 33'd1;
          out_valid  <= job_q[popped_stream_q].copy;
          out_stream <= popped_stream_q;
          out_data   <= ~in_word;
          out_bytes  <= job_q[popped_stream_q].payload == 33'd1 ? job_q[popped_stream_q].last : 5'd16;
        end else begin
          job_q[popped_stream_q].tag   <= 2'd0;
          job_q[popped_stream_q].wrong <= in_word[7:0] == 8'hee;
        end
      end else if (!cmd_valid && !in_pop) begin
        // Finish the jobs that have had all their words.
        for (int s = 0; s < NumStreams; s++) begin
          if (s == int'(scan_q) && job_q[s].owned) begin
            if (abort[s]) begin
              job_q[s].owned <= 1'b0;
              done_valid   <= 1'b1;
              done_stream  <= ow_stream_t'(s);
              done_status  <= '0;
            end else if (job_q[s].ahead == '0 && job_q[s].payload == '0 && job_q[s].tag == '0) begin
              if (job_q[s].append != '0 && job_q[s].copy) begin
                out_valid     <= 1'b1;
                out_stream    <= ow_stream_t'(s);
                out_data      <= job_q[s].sum;
                out_bytes     <= job_q[s].append;
                job_q[s].append <= '0;
              end else if (job_q[s].states != '0) begin
                out_valid     <= 1'b1;
                out_stream    <= ow_stream_t'(s);
                out_data      <= job_q[s].sum + 128'(job_q[s].states);
                out_bytes     <= 5'd16;
                job_q[s].states <= job_q[s].states - 2'd1;
              end else begin
                job_q[s].owned <= 1'b0;
                done_valid   <= 1'b1;
                done_stream  <= ow_stream_t'(s);
                done_status  <= job_q[s].wrong ? 8'h01 : 8'h00;
                done_tag     <= job_q[s].sum;
              end
            end
          end
        end
      end
    end
  end
endmodule

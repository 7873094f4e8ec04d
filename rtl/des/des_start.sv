// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Fetches the key of each new job, from its context or from its slot, one job at a time; queues take turns.
//
// A job is started when all words of its key are available, so that no job waits for another job's words.
// `keys_valid_o` is high with a job's keys when they are complete. A job that is aborted before that is dropped here;
// `waiting_o` has the streams that wait for their start. No output depends combinationally on an input.
module des_start
  import des_job_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  cmd_valid_i,
  input  ow_stream_t            cmd_stream_i,
  input  ow_command_t           cmd_i,
  input  logic [NumOwners-1:0][NumStreams-1:0] members_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] abort_i,

  output logic                  pop_o,
  output ow_stream_t            stream_o,
  input  logic                  pop_ready_i,
  input  logic [127:0]          in_word_i,
  output logic                  key_read_o,
  output logic [7:0]            key_slot_o,
  output logic                  key_word_o,
  input  logic [127:0]          key_i,

  output logic                  keys_valid_o,
  output des_keys_t             keys_o,
  output logic [NumStreams-1:0] waiting_o
);
  logic [NumStreams-1:0] waiting_q, ready_q, in_slot_q, tdes_q;
  logic [7:0]            slots_q [NumStreams];

  typedef enum logic [2:0] {Idle, First, FirstHere, Second, SecondHere, Ready} state_e;
  state_e     state_q;
  ow_stream_t stream_q, pick;
  logic       pick_valid, asking_q, in_slot, tdes;
  des_keys_t  keys_q;

  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni,
    .request_i(waiting_q & ready_q),
    .member_i (members_i),
    .take_i   (state_q == Idle),
    .valid_o  (pick_valid),
    .index_o  (pick)
  );
  assign in_slot      = in_slot_q[stream_q];
  assign tdes         = tdes_q[stream_q];
  assign stream_o     = stream_q;
  assign pop_o        = asking_q && !in_slot;
  assign key_read_o   = asking_q && in_slot;
  assign key_slot_o   = slots_q[stream_q];
  assign key_word_o   = state_q == Second;
  assign keys_valid_o = state_q == Ready;
  assign keys_o       = keys_q;
  always_comb begin
    waiting_o = waiting_q;
    if (state_q != Idle) waiting_o[stream_q] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (cmd_valid_i) begin
      in_slot_q[cmd_stream_i] <= !cmd_i.inline_key;
      tdes_q[cmd_stream_i]    <= is_tdes(cmd_i.opcode);
      slots_q[cmd_stream_i]   <= cmd_i.key;
    end
    if (!rst_ni) begin
      waiting_q <= '0;
      ready_q   <= '0;
      state_q   <= Idle;
      keys_q    <= '0;
      asking_q  <= 1'b0;
    end else begin
      ready_q   <= waiting_q & ((in_available_i & (in_enough_i | ~tdes_q)) | in_slot_q) & ~abort_i;
      waiting_q <= (waiting_q & ~abort_i) | (cmd_valid_i ? NumStreams'(1) << cmd_stream_i : '0);
      unique case (state_q)
        Idle: if (pick_valid) begin
          state_q         <= First;
          stream_q        <= pick;
          waiting_q[pick] <= 1'b0;
          asking_q        <= 1'b1;
        end
        First, Second: begin
          if (!asking_q) begin
            asking_q <= in_slot || in_available_i[stream_q];
          end else if (in_slot || pop_ready_i) begin
            asking_q <= 1'b0;
            state_q  <= state_q == First ? FirstHere : SecondHere;
          end
        end
        FirstHere: begin
          keys_q[0] <= des_pkg::pc1(aes_pkg::swap64(in_slot ? key_i[63:0] : in_word_i[63:0]));
          if (tdes) keys_q[1] <= des_pkg::pc1(aes_pkg::swap64(in_slot ? key_i[127:64] : in_word_i[127:64]));
          state_q   <= tdes ? Second : Ready;
        end
        SecondHere: begin
          keys_q[2] <= des_pkg::pc1(aes_pkg::swap64(in_slot ? key_i[63:0] : in_word_i[63:0]));
          state_q   <= Ready;
        end
        default: begin
          state_q <= Idle;
          keys_q  <= '0;
        end
      endcase
      if (state_q != Idle && abort_i[stream_q]) begin
        state_q  <= Idle;
        keys_q   <= '0;
        asking_q <= 1'b0;
      end
    end
  end
endmodule

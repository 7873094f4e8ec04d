// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Several engines behind one shell: hands out commands, keys and zeroises, and gives the shared ports to one at a time.
//
// The opcode's high digit names the engine, and so does that of a key's kind; keys of kind 0 are engine 0's. Engine 0
// has a port in every cycle in which it asks for it; the others hold what they ask until `ready`, and their queues take
// turns (ow_fair_pick). What the shell tells every stream (words, room, aborts) goes past here to all engines.
//
// Engine 0 can use the port of input words in every cycle, and that of output words 18 cycles later. So while another
// engine waits for either, the queues take turns at input words: `pop_queues_o` names the one that may have a word of
// engine 0 in this cycle, or none: a queue that waits elsewhere has its turn there. A request waits for at most
// NumOwners turns, and for an output word 18 cycles more, until the gap that a turn leaves has come through engine 0.
module ow_engine_mux
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumEngines = 2,
  // The high digits of each engine's opcodes, a bit a digit.
  parameter logic [NumEngines-1:0][15:0] Digits = '0
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  ow_owners_t                 owners_i,

  // The shell's side.
  input  logic                       cmd_valid_i,
  output logic                       cmd_ready_o,
  input  logic [7:0]                 cmd_opcode_i,
  output logic                       in_pop_o,
  output ow_stream_t                 in_pop_stream_o,
  output logic                       out_valid_o,
  output ow_stream_t                 out_stream_o,
  output logic [127:0]               out_data_o,
  output logic [4:0]                 out_bytes_o,
  output logic                       done_valid_o,
  output ow_stream_t                 done_stream_o,
  output logic [7:0]                 done_status_o,
  output logic [127:0]               done_tag_o,
  input  logic                       key_load_valid_i,
  input  logic [7:0]                 key_load_kind_i,
  output logic                       key_load_ready_o,
  output logic                       key_load_refused_o,
  input  logic                       zeroise_valid_i,
  output logic                       zeroise_ready_o,

  // The engines' side.
  output logic [NumEngines-1:0]      cmd_valid_o,
  input  logic [NumEngines-1:0]      cmd_ready_i,
  input  logic [NumEngines-1:0]      in_pop_i,
  output logic [NumEngines-1:0]      in_pop_ready_o,
  output logic [NumOwners-1:0]       pop_queues_o,   // engine 0: whose words it may pop in this cycle
  input  logic [NumOwners-1:0]       pop_wanted_i,   // ... and whose it would pop
  input  ow_stream_t                 in_pop_stream_i [NumEngines],
  input  logic [NumEngines-1:0]      out_valid_i,
  output logic [NumEngines-1:0]      out_ready_o,
  input  ow_stream_t                 out_stream_i [NumEngines],
  input  logic [127:0]               out_data_i [NumEngines],
  input  logic [4:0]                 out_bytes_i [NumEngines],
  input  logic [NumEngines-1:0]      done_valid_i,
  output logic [NumEngines-1:0]      done_ready_o,
  input  ow_stream_t                 done_stream_i [NumEngines],
  input  logic [7:0]                 done_status_i [NumEngines],
  input  logic [127:0]               done_tag_i [NumEngines],
  output logic [NumEngines-1:0]      key_load_valid_o,
  input  logic [NumEngines-1:0]      key_load_ready_i,
  input  logic [NumEngines-1:0]      key_load_refused_i,
  output logic [NumEngines-1:0]      zeroise_valid_o,
  input  logic [NumEngines-1:0]      zeroise_ready_i
);
  typedef logic [NumEngines-1:0] mask_t;

  typedef logic [NumOwners-1:0] queues_t;
  typedef logic [NumOwners-1:0][NumEngines-1:0] by_queue_t;

  // Where the queues' requests are, engine 0 aside.
  function automatic by_queue_t others(ow_owners_t owners, mask_t asking, ow_stream_t stream [NumEngines]);
    others = '0;
    for (int e = 1; e < NumEngines; e++) begin
      for (int q = 0; q < NumOwners; q++) others[q][e] = asking[e] && owners[q][stream[e]];
    end
  endfunction

  // ---- To one engine.
  mask_t cmd_for, key_for;
  always_comb begin
    for (int e = 0; e < NumEngines; e++) begin
      cmd_for[e] = cmd_valid_i && Digits[e][cmd_opcode_i[7:4]];
      key_for[e] = key_load_valid_i && (key_load_kind_i == '0 ? e == 0 : Digits[e][key_load_kind_i[7:4]]);
    end
  end
  assign cmd_valid_o        = cmd_for;
  assign cmd_ready_o        = |(cmd_for & cmd_ready_i);
  assign key_load_valid_o   = key_for;
  assign key_load_ready_o   = key_load_valid_i && (key_for == '0 || |(key_for & key_load_ready_i));
  assign key_load_refused_o = key_for == '0 || |(key_for & key_load_refused_i);

  // ---- To all engines: over when each has answered.
  mask_t zeroised_q, zeroised;
  assign zeroised        = zeroised_q | zeroise_ready_i;
  assign zeroise_valid_o = zeroise_valid_i ? ~zeroised_q : '0;
  assign zeroise_ready_o = zeroise_valid_i && &zeroised;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !zeroise_valid_i || zeroise_ready_o) zeroised_q <= '0;
    else zeroised_q <= zeroised;
  end

  // ---- From one engine at a time.
  localparam int unsigned Width = NumEngines > 1 ? $clog2(NumEngines) : 1;
  by_queue_t pop_by_queue, out_by_queue;
  always_comb begin
    pop_by_queue = '0;
    out_by_queue = '0;
    if (in_pop_i[NumEngines-1:1] != '0) pop_by_queue = others(owners_i, in_pop_i, in_pop_stream_i);
    if (out_valid_i[NumEngines-1:1] != '0) out_by_queue = others(owners_i, out_valid_i, out_stream_i);
  end
  logic             pop_other, out_other, done_other;
  logic [Width-1:0] pop_engine, out_engine, done_engine;
  ow_fair_pick #(.Count(NumEngines), .Groups(NumOwners)) u_pop (
    .clk_i, .rst_ni, .request_i('1), .member_i(pop_by_queue), .take_i(!in_pop_i[0]),
    .valid_o(pop_other), .index_o(pop_engine)
  );
  ow_fair_pick #(.Count(NumEngines), .Groups(NumOwners)) u_out (
    .clk_i, .rst_ni, .request_i('1), .member_i(out_by_queue), .take_i(!out_valid_i[0]),
    .valid_o(out_other), .index_o(out_engine)
  );
  // Results are one a job, and a job takes every engine several cycles: no engine can fill this port.
  ow_round_robin #(.Count(NumEngines)) u_done (
    .clk_i, .rst_ni, .request_i(done_valid_i & ~mask_t'(1)), .take_i(!done_valid_i[0]),
    .valid_o(done_other), .index_o(done_engine)
  );
  assign in_pop_ready_o = in_pop_i[0] ? mask_t'(1) : pop_other ? mask_t'(1) << pop_engine : '0;
  assign out_ready_o    = out_valid_i[0] ? mask_t'(1) : out_other ? mask_t'(1) << out_engine : '0;
  assign done_ready_o   = done_valid_i[0] ? mask_t'(1) : done_other ? mask_t'(1) << done_engine : '0;

  // ---- Turns at input words. What is known of the cycle before decides; a word that engine 0 does not take then is
  // the others', so that no cycle is lost by it. An engine that has just been served soon asks again: turns are
  // counted until none has waited for a few cycles.
  localparam logic [2:0] Calm = 3'd7;
  queues_t    waiting_q, wanted_q, after_q, asking, preferred, turn, taken;
  logic [2:0] calm_q;
  logic       odd_q;
  assign asking       = waiting_q | wanted_q;
  assign preferred    = (asking & after_q) != '0 ? asking & after_q : asking;
  assign turn         = preferred & (~preferred + queues_t'(1));
  assign pop_queues_o = calm_q == Calm ? '1 : turn & ~waiting_q;
  always_comb begin
    taken = '0;
    if (in_pop_o) for (int q = 0; q < NumOwners; q++) taken[q] = owners_i[q][in_pop_stream_o];
    else if (waiting_q != '0) taken = turn;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      wanted_q  <= '0;
      after_q   <= '0;
      calm_q    <= Calm;
      odd_q     <= 1'b0;
    end else begin
      odd_q    <= !odd_q;
      wanted_q <= pop_wanted_i;
      for (int q = 0; q < NumOwners; q++) begin
        // A gap among the words out comes late, and then those behind it too: every second cycle is enough.
        waiting_q[q] <= |(pop_by_queue[q] & ~in_pop_ready_o) || (odd_q && |(out_by_queue[q] & ~out_ready_o));
      end
      if (waiting_q != '0) calm_q <= '0;
      else if (calm_q != Calm) calm_q <= calm_q + 3'd1;
      if (taken != '0) after_q <= ~(taken | (taken - queues_t'(1)));
    end
  end
  assign in_pop_o       = |in_pop_i;
  assign out_valid_o    = |out_valid_i;
  assign done_valid_o   = |done_valid_i;
  always_comb begin
    in_pop_stream_o = in_pop_stream_i[0];
    out_stream_o    = out_stream_i[0];
    out_data_o      = out_data_i[0];
    out_bytes_o     = out_bytes_i[0];
    done_stream_o   = done_stream_i[0];
    done_status_o   = done_status_i[0];
    done_tag_o      = done_tag_i[0];
    for (int e = 1; e < NumEngines; e++) begin
      if (in_pop_ready_o[e]) in_pop_stream_o = in_pop_stream_i[e];
      if (out_ready_o[e]) begin
        out_stream_o = out_stream_i[e];
        out_data_o   = out_data_i[e];
        out_bytes_o  = out_bytes_i[e];
      end
      if (done_ready_o[e]) begin
        done_stream_o = done_stream_i[e];
        done_status_o = done_status_i[e];
        done_tag_o    = done_tag_i[e];
      end
    end
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Several engines behind one shell: hands out commands, keys and zeroises, and gives the shared ports to one at a time.
//
// The opcode's high digit names the engine, and so does that of a key's kind; keys of kind 0 are the first engine's. The
// first engine has a port in every cycle in which it asks for it; the others hold what they ask until `ready`, and
// their queues take turns (ow_port_turn). What the shell tells every stream (words, room, aborts) goes to all engines.
//
// The first engine can use the port of input words in every cycle, and that of output words 18 cycles later. So while
// another engine waits for either, the queues take turns at input words: `pop_queues` names the one that may have a
// word of the first engine in the next cycle, or none: a queue that waits elsewhere has its turn there. A request waits
// for at most NumOwners turns and the few cycles in which a turn is chosen, and for an output word 18 cycles more, until
// the gap that a turn leaves has come through it.
module ow_engine_mux
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumEngines = 2,
  parameter int unsigned First = 0,   // has a port in every cycle in which it asks, and the keys of kind 0
  // The high digits of each engine's opcodes, a bit a digit.
  parameter logic [NumEngines-1:0][15:0] Digits = '0
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // The shell's side, which grants every word and result, and every pop while `in_pop_ready`; the first engine's in the
  // cycle after it was in `pop_queues`.
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/,

  // The engines' side.
  output engine_req_t req_o [NumEngines] /*verilator split_var*/,
  input  engine_rsp_t rsp_i [NumEngines] /*verilator split_var*/
);
  typedef logic [NumEngines-1:0] mask_t;

  typedef ow_queues_t queues_t;
  typedef mask_t [NumOwners-1:0] by_queue_t;

  // ---- What the engines ask for and answer.
  mask_t        cmd_ready, in_pop, out_valid, done_valid, key_load_ready, key_load_refused, zeroise_ready, busy;
  mask_t        made_valid;
  ow_plan_t     plans_q [NumEngines];
  ow_stream_t   in_pop_stream [NumEngines];
  ow_stream_t   out_stream [NumEngines];
  logic [127:0] out_data [NumEngines];
  logic [4:0]   out_bytes [NumEngines];
  ow_stream_t   done_stream [NumEngines];
  logic [7:0]   done_status [NumEngines];
  logic [127:0] done_tag [NumEngines];
  ow_made_key_t made [NumEngines];
  for (genvar e = 0; e < NumEngines; e++) begin : gen_answer
    always_ff @(posedge clk_i) plans_q[e] <= rsp_i[e].plan;
    assign cmd_ready[e]        = rsp_i[e].cmd_ready;
    assign in_pop[e]           = rsp_i[e].in_pop;
    assign in_pop_stream[e]    = rsp_i[e].in_pop_stream;
    assign out_valid[e]        = rsp_i[e].out_valid;
    assign out_stream[e]       = rsp_i[e].out_stream;
    assign out_data[e]         = rsp_i[e].out_data;
    assign out_bytes[e]        = rsp_i[e].out_bytes;
    assign done_valid[e]       = rsp_i[e].done_valid;
    assign done_stream[e]      = rsp_i[e].done_stream;
    assign done_status[e]      = rsp_i[e].done_status;
    assign done_tag[e]         = rsp_i[e].done_tag;
    assign key_load_ready[e]   = rsp_i[e].key_load_ready;
    assign key_load_refused[e] = rsp_i[e].key_load_refused;
    assign made_valid[e]       = rsp_i[e].made_valid;
    assign made[e]             = rsp_i[e].made;
    assign zeroise_ready[e]    = rsp_i[e].zeroise_ready;
    assign busy[e]             = rsp_i[e].busy;
  end
  ow_queues_t pop_wanted;
  assign pop_wanted = rsp_i[First].pop_wanted;

  // ---- What the shell asks for.
  logic       cmd_asked, key_asked, zeroise_asked;
  logic [7:0] key_kind, plan_opcode;
  ow_owners_t owners;
  ow_queues_t pop_queues;
  assign cmd_asked     = req_i.cmd_valid;
  assign plan_opcode   = req_i.plan_command.opcode;
  assign key_asked     = req_i.key_load_valid;
  assign key_kind      = req_i.key_load.kind;
  assign zeroise_asked = req_i.zeroise_valid;
  assign owners        = req_i.owners;
  assign pop_queues    = req_i.pop_queues;

  // Where the queues' requests are. Most cycles have none: the simulation then computes nothing.
  function automatic by_queue_t of_queues(ow_owners_t of, mask_t asking, ow_stream_t stream [NumEngines]);
    of_queues = '0;
    if (asking != '0) begin
      for (int e = 0; e < NumEngines; e++) for (int q = 0; q < NumOwners; q++) begin
        of_queues[q][e] = asking[e] && of[q][stream[e]];
      end
    end
  endfunction

  // ---- To one engine. Whose a command is that is asked about is known a cycle later, when the planners' answers are in
  // registers: a planner may take a whole cycle.
  mask_t    cmd_of, cmd_of_q, plan_of_q;   // the second for the plans, which are wide
  mask_t    cmd_for, key_for_q;
  ow_plan_t plan;
  always_comb for (int e = 0; e < NumEngines; e++) cmd_of[e] = Digits[e][plan_opcode[7:4]];
  always_ff @(posedge clk_i) cmd_of_q <= cmd_of;
  ow_copy #(.Width(NumEngines)) u_plan_of (.clk_i, .enable_i(1'b1), .next_i(cmd_of), .copy_o(plan_of_q));
  assign cmd_for = cmd_asked ? cmd_of_q : '0;
  always_comb begin
    plan = '0;
    for (int e = 0; e < NumEngines; e++) if (plan_of_q[e]) plan |= plans_q[e];
    if (plan_of_q == '0) plan.status = plan_opcode == ow_spec_pkg::OpNop ? ow_spec_pkg::StOk : ow_spec_pkg::StBadOpcode;
  end

  // A key too goes to its engine a cycle after it is asked for.
  logic key_seen_q, key_waits, key_answered;
  assign key_answered = key_seen_q && (key_for_q == '0 || (key_for_q & key_load_ready) != '0);
  assign key_waits    = rst_ni && key_asked && !key_answered;
  always_ff @(posedge clk_i) begin
    key_seen_q <= key_waits;
    for (int e = 0; e < NumEngines; e++) begin
      key_for_q[e] <= key_waits && (key_kind == '0 ? e == First : Digits[e][key_kind[7:4]]);
    end
  end

  // ---- To all engines: over when each has answered.
  mask_t zeroised_q, zeroised;
  assign zeroised     = zeroised_q | zeroise_ready;
  logic  all_zeroised;
  assign all_zeroised = zeroise_asked && &zeroised;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !zeroise_asked || all_zeroised) zeroised_q <= '0;
    else zeroised_q <= zeroised;
  end

  // ---- From one engine at a time. Results are one a job, and a job takes every engine several cycles: no engine can
  // fill their port, so there queues have no turns.
  by_queue_t pop_waiting, out_waiting;
  mask_t     pop_ready, out_ready, done_ready;
  mask_t     pop_turn, out_turn, done_turn;    // whose turn it is, registers
  logic      pop, out, done;                   // somebody has the port
  ow_port_turn #(.Count(NumEngines), .First(First), .Groups(NumOwners)) u_pop (
    .clk_i, .rst_ni, .open_i(req_i.in_pop_ready), .request_i(in_pop),
    .member_i(of_queues(owners, in_pop, in_pop_stream)),
    .chosen_o(pop_turn), .ready_o(pop_ready), .granted_o(pop), .waiting_o(pop_waiting)
  );
  ow_port_turn #(.Count(NumEngines), .First(First), .Groups(NumOwners)) u_out (
    .clk_i, .rst_ni, .open_i(1'b1), .request_i(out_valid),
    .member_i(of_queues(owners, out_valid, out_stream)),
    .chosen_o(out_turn), .ready_o(out_ready), .granted_o(out), .waiting_o(out_waiting)
  );
  ow_port_turn #(.Count(NumEngines), .First(First), .Groups(1)) u_done (
    .clk_i, .rst_ni, .open_i(1'b1), .request_i(done_valid), .member_i(done_valid),
    .chosen_o(done_turn), .ready_o(done_ready), .granted_o(done), .waiting_o()
  );

  // A made key is answered before another one is seen.
  mask_t making_q, made_for;
  logic  made_answered;
  assign made_answered = req_i.made_ready;
  assign made_for      = making_q & made_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || made_answered || made_for == '0) begin
      making_q <= !rst_ni || made_answered ? '0 : made_valid & (~made_valid + mask_t'(1));
    end
  end

  // ---- Turns at input words. What is known of the cycle before decides; a word that the first engine does not take
  // then is the others', so that no cycle is lost by it. An engine that has just been served soon asks again: turns are
  // counted until none has waited for a few cycles.
  localparam logic [2:0] Calm = 3'd7;
  queues_t    waiting, wanted_q, after_q, asking, preferred, turn, taken, pop_queues_q;
  ow_stream_t pop_stream, popped_stream_q;
  logic       popped_q;
  logic [2:0] calm_q;
  logic       odd_q;
  always_comb begin
    for (int q = 0; q < NumOwners; q++) begin
      // A gap among the words out comes late, and then those behind it too: every second cycle with one is enough.
      waiting[q] = pop_waiting[q] != '0 || (odd_q && out_waiting[q] != '0);
    end
  end
  assign asking       = waiting | wanted_q;
  assign preferred    = (asking & after_q) != '0 ? asking & after_q : asking;
  assign turn         = preferred & (~preferred + queues_t'(1));
  always_comb begin
    taken = '0;
    // A turn is over when it has been given: whether it was used is known one cycle later.
    if (calm_q != Calm) taken = turn;
    else if (popped_q) for (int q = 0; q < NumOwners; q++) taken[q] = owners[q][popped_stream_q];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wanted_q     <= '0;
      pop_queues_q <= '1;
      after_q  <= '0;
      calm_q   <= Calm;
      odd_q    <= 1'b0;
      popped_q <= 1'b0;
    end else begin
      if (out_valid != '0) odd_q <= !odd_q;
      wanted_q     <= pop_wanted;
      pop_queues_q <= calm_q == Calm ? '1 : turn & ~waiting;
      popped_q <= pop;
      if (waiting != '0) calm_q <= '0;
      else if (calm_q != Calm) calm_q <= calm_q + 3'd1;
      if (taken != '0) after_q <= ~(taken | (taken - queues_t'(1)));
    end
    if (pop) popped_stream_q <= pop_stream;
  end

  // ---- Both sides.
  for (genvar e = 0; e < NumEngines; e++) begin : gen_request
    always_comb begin
      req_o[e]                = req_i;
      req_o[e].cmd_valid      = cmd_for[e];
      req_o[e].in_pop_ready   = pop_ready[e];
      req_o[e].pop_queues     = pop_queues & pop_queues_q;
      req_o[e].out_ready      = out_ready[e];
      req_o[e].done_ready     = done_ready[e];
      req_o[e].key_load_valid = key_for_q[e];
      req_o[e].made_ready     = made_answered && made_for[e];
      req_o[e].zeroise_valid  = zeroise_asked && !zeroised_q[e];
    end
  end

  // What is given is chosen among the others by whose turn it is, which is known at the start of the cycle, and last by
  // whether the first engine has the port.
  ow_stream_t   rsp_out_stream, rsp_done_stream;
  logic [127:0] rsp_out_data, rsp_done_tag;
  logic [4:0]   rsp_out_bytes;
  logic [7:0]   rsp_done_status;
  ow_made_key_t rsp_made;
  always_comb begin
    pop_stream = '0;
    {rsp_out_stream, rsp_out_data, rsp_out_bytes} = '0;
    {rsp_done_stream, rsp_done_status, rsp_done_tag} = '0;
    rsp_made = '0;
    for (int e = 0; e < NumEngines; e++) begin
      if (pop_turn[e]) pop_stream |= in_pop_stream[e];
      if (out_turn[e]) {rsp_out_stream, rsp_out_data, rsp_out_bytes} |= {out_stream[e], out_data[e], out_bytes[e]};
      if (done_turn[e]) begin
        {rsp_done_stream, rsp_done_status, rsp_done_tag} |= {done_stream[e], done_status[e], done_tag[e]};
      end
      if (made_for[e]) rsp_made |= made[e];
    end
    if (in_pop[First]) pop_stream = in_pop_stream[First];
    if (out_valid[First]) begin
      {rsp_out_stream, rsp_out_data, rsp_out_bytes} = {out_stream[First], out_data[First], out_bytes[First]};
    end
    if (done_valid[First]) begin
      {rsp_done_stream, rsp_done_status, rsp_done_tag} = {done_stream[First], done_status[First], done_tag[First]};
    end
  end
  assign rsp_o = '{
    plan:             plan,
    cmd_ready:        |(cmd_for & cmd_ready),
    in_pop:           pop,
    in_pop_stream:    pop_stream,
    pop_wanted:       '0,
    out_valid:        out,
    out_stream:       rsp_out_stream,
    out_data:         rsp_out_data,
    out_bytes:        rsp_out_bytes,
    done_valid:       done,
    done_stream:      rsp_done_stream,
    done_status:      rsp_done_status,
    done_tag:         rsp_done_tag,
    key_load_ready:   key_answered,
    key_load_refused: key_for_q == '0 || |(key_for_q & key_load_refused),
    made_valid:       made_for != '0,
    made:             rsp_made,
    zeroise_ready:    all_zeroised,
    busy:             |busy
  };

`ifndef SYNTHESIS
  logic [7:0] cmd_opcode;
  assign cmd_opcode = req_i.cmd.opcode;
  always_ff @(posedge clk_i) if (rst_ni && cmd_asked) begin : promises
    for (int e = 0; e < NumEngines; e++) a_asked_about_before: assert (cmd_of_q[e] == Digits[e][cmd_opcode[7:4]]);
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK: accepts commands, stores the progress of all lanes, and picks one uop per cycle, in four steps:
//
//   ready    finds the lanes whose conditions hold, which are registers (hash_choice)
//   choose   chooses one of them, and reads its progress
//   step     computes its uop, and its progress (hash_sequence)
//   prepare  begins the phase that this has led to (hash_prepare), and computes the conditions of the lane's next uop
//            (hash_wants)
//
// A new command is chosen before all lanes; a choice that waits for the port of input words is given up for it. A lane that
// is alone is chosen again in the cycle of `prepare`, so it has a uop in every second cycle; else it has one in every
// fourth at most.
//
// A lane begins a block only when all words that it may need are available (`in_enough_i`, `in_loaded_i`). After that
// it waits only for turns: for uops and for the port of input words. What the shell tells is older than a lane's choice,
// so whether there is a word is checked again when it is popped.
//
// Synthesis maps the module alone: among longer paths it would make fewer LUTs in longer ones of it.
(* keep_hierarchy = "yes" *)
module hash_sched
  import hash_pkg::*;
  import hash_step_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1   // built in, by the opcode's low digit
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  input  logic                  cmd_waits_i,     // valid, or will be after reset: for the many bits of a job
  input  hash_lane_t            cmd_lane_i,
  input  hash_job_t             cmd_i,

  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] in_loaded_i,
  output logic                  in_pop_o,
  input  logic                  in_pop_ready_i,
  output ow_stream_t            in_pop_stream_o,
  input  logic [NumStreams-1:0] out_room_i,
  input  logic                  queue_free_i,    // one more word or result fits
  input  logic                  queue_roomy_i,   // two more
  input  logic [NumStreams-1:0] abort_i,
  input  logic                  hold_i,          // slots are being zeroised, which has priority

  output logic [NumFamilies-1:0][NumLanes-1:0] family_lanes_o,
  input  logic [NumLanes-1:0]   feedable_i,
  input  logic [NumLanes-1:0]   quiet_i,
  input  logic [NumLanes-1:0]   partial_i,
  output hash_lane_t            read_lane_o,     // that may be chosen for the next cycle
  input  logic [7:0]            partial_bytes_i, // of that lane
  input  logic [7:0]            partial_recent_i, // of the lane of `exec_uop_o`

  output logic                  pick_o,
  output hash_lane_t            lane_o,          // of this cycle
  output hash_family_e          family_o,
  output logic                  read_o,          // it reads the store, if it is picked
  output hash_row_t             read_row_o,
  output logic [3:0]            read_bank_o,
  output hash_uop_t             uop_o,
  output logic                  feeds_o,
  output logic                  drop_o,
  output logic                  may_push_o,      // the uop may give a word or a result
  output logic                  exec_valid_o,
  output hash_uop_t             exec_uop_o,      // of the cycle before
  output logic                  busy_o
);
  hash_lanes_t active_q, aborting_q;
  hash_lanes_t wants_word_q, wants_enough_q, wants_loaded_q, wants_room_q, wants_queue_q, wants_unit_q, wants_quiet_q;
  hash_lanes_t family_q [NumFamilies];
  hash_job_t   job_q [NumLanes];
  hash_place_t place_q [NumLanes];
  hash_hints_t hints_q [NumLanes];

  // ---- Ready and choose. `recent`: the uop of the cycle before, whose lane is being prepared.
  hash_lanes_t recent_q, chosen_at_q;
  hash_lane_t  recent_lane, chosen_lane_q, next_lane, number;
  hash_place_t place, moved, moved_q;
  hash_hints_t hints;
  hash_wants_t wants;
  logic        chosen_q, chosen_aborts_q, chosen_pops_q, chosen_queue_q, chosen_waits;
  logic        next_recent, pick, step, active;
  logic        starts_q;   // the step accepts a command
  hash_view_t  at_q, from_q;   // of the step, and of the cycle before
  assign recent_lane = exec_uop_o.lane;
  assign read_lane_o = number;
  hash_choice u_choice (
    .clk_i, .rst_ni,
    .owners_i, .in_available_i, .in_enough_i, .in_loaded_i, .out_room_i, .abort_i,
    .active_i       (active_q),
    .aborting_i     (aborting_q),
    .wants_word_i   (wants_word_q),
    .wants_room_i   (wants_room_q),
    .wants_queue_i  (wants_queue_q),
    .wants_unit_i   (wants_unit_q),
    .wants_enough_i (wants_enough_q),
    .wants_loaded_i (wants_loaded_q),
    .wants_quiet_i  (wants_quiet_q),
    .family_i       (family_q),
    .feedable_i, .quiet_i, .partial_i, .queue_free_i, .queue_roomy_i, .hold_i,
    .recent_i       (recent_q),
    .recent_lane_i  (recent_lane),
    .recent_active_i(active),
    .recent_bound_i (moved_q.bound),
    .recent_wants_i (wants),
    .next_recent_o  (next_recent),
    .next_lane_o    (next_lane),
    .next_number_o  (number),
    .step_i         (step),
    .step_lane_i    (at_q.lane),
    .chosen_o       (chosen_q),
    .chosen_lane_o  (chosen_lane_q),
    .chosen_at_o    (chosen_at_q),
    .chosen_aborts_o(chosen_aborts_q),
    .chosen_pops_o  (chosen_pops_q),
    .chosen_queue_o (chosen_queue_q),
    .pick_i         (pick),
    .waits_i        (chosen_waits),
    .cmd_i          (cmd_valid_i),
    .sha1_i         (at_q.job.alg == AlgSha1)
  );

  // The chosen lane's job and progress.
  localparam hash_alg_t AlgBits = alg_bits(Algorithms);
  localparam bit        Kmac    = Algorithms[AlgShake128];
  function automatic hash_job_t built_in(hash_job_t job);
    built_in       = job;
    built_in.alg  &= AlgBits;
    built_in.kmac &= Kmac;
  endfunction
  hash_traits_t traits_q [NumLanes];   // of the job's algorithm
  hash_job_t    cmd;
  assign cmd = built_in(cmd_i);
  always_ff @(posedge clk_i) begin
    if (!chosen_waits) begin
      at_q <= '{
        lane:    cmd_waits_i ? cmd_lane_i : next_lane,
        job:     cmd_waits_i ? cmd : next_recent ? from_q.job : built_in(job_q[number]),
        of:      cmd_waits_i ? traits(cmd.alg) : next_recent ? from_q.of : traits_q[number],
        place:   cmd_waits_i ? '0 : next_recent ? place : place_q[number],
        hints:   cmd_waits_i ? '0 : next_recent ? hints : hints_q[number],
        partial: next_recent ? partial_recent_i : partial_bytes_i
      };
    end
    if (cmd_valid_i) begin
      job_q[cmd_lane_i]    <= cmd_i;
      traits_q[cmd_lane_i] <= traits(cmd.alg);
    end
  end

  // ---- The step. A word that is not there any more, as after an abort, gives up the choice.
  assign in_pop_o        = chosen_pops_q && (chosen_at_q[NumStreams-1:0] & in_available_i) != '0;
  ow_copy #(.Width(StreamWidth)) u_pop_stream (
    .clk_i, .enable_i(!chosen_waits), .next_i(ow_stream_t'(next_lane)), .copy_o(in_pop_stream_o)
  );
  assign pick            = (chosen_q && !chosen_pops_q) || (in_pop_o && in_pop_ready_i);
  assign chosen_waits    = in_pop_o && !in_pop_ready_i && !cmd_valid_i;
  assign drop_o          = pick && chosen_aborts_q && partial_i[chosen_lane_q];
  assign may_push_o      = pick && chosen_queue_q && chosen_lane_q != KeyLane;
  assign step            = starts_q || pick;
  assign pick_o          = step;
  assign lane_o          = at_q.lane;
  assign family_o        = at_q.of.family;
  // Told by what was prepared, not by the uop, which is known too late for the store's address.
  assign read_o          = chosen_q && at_q.hints.reads && !chosen_aborts_q;
  assign read_row_o      = read_row(at_q);
  assign read_bank_o     = at_q.place.step;

  hash_sequence #(.Kmac(Kmac)) u_sequence (
    .valid_i(starts_q || chosen_q),
    .at_i   (at_q),
    .start_i(starts_q),
    .abort_i(chosen_aborts_q),
    .uop_o, .feeds_o,
    .place_o(moved)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      starts_q     <= 1'b0;
      exec_valid_o <= 1'b0;
      recent_q     <= '0;
      aborting_q   <= '0;
      for (int f = 0; f < NumFamilies; f++) family_q[f] <= '0;
    end else begin
      starts_q     <= cmd_valid_i;
      exec_valid_o <= step;
      recent_q     <= step ? hash_lanes_t'(1) << at_q.lane : '0;
      if (step) aborting_q[at_q.lane] <= !starts_q && (chosen_aborts_q || aborting_q[at_q.lane]);
      if (starts_q) begin
        for (int f = 0; f < NumFamilies; f++) family_q[f][at_q.lane] <= at_q.of.family == hash_family_e'(f);
      end
    end
    if (step) begin
      exec_uop_o <= uop_o;
      from_q     <= at_q;
      moved_q    <= moved;
    end
  end
  for (genvar f = 0; f < NumFamilies; f++) begin : gen_family
    assign family_lanes_o[f] = family_q[f];
  end

  // ---- Prepare.
  hash_prepare u_prepare (
    .valid_i(exec_valid_o),
    .from_i (from_q),
    .place_i(moved_q),
    .place_o(place),
    .hints_o(hints)
  );
  // A copy of the phase, for what many other bits wait for.
  logic [$bits(hash_phase_e)-1:0] phase_copy;
  hash_place_t                    early;
  ow_copy #(.Width($bits(hash_phase_e))) u_phase (
    .clk_i, .enable_i(step), .next_i(moved.phase), .copy_o(phase_copy)
  );
  always_comb begin
    early       = moved_q;
    early.phase = hash_phase_e'(phase_copy);
  end
  hash_wants u_wants (
    .valid_i (exec_valid_o),
    .from_i  (from_q),
    .place_i (early),
    .wants_o (wants),
    .active_o(active)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q       <= '0;
      wants_word_q   <= '0;
      wants_enough_q <= '0;
      wants_loaded_q <= '0;
      wants_room_q   <= '0;
      wants_queue_q  <= '0;
      wants_unit_q   <= '0;
      wants_quiet_q  <= '0;
    end else if (exec_valid_o) begin
      active_q[recent_lane]     <= active;
      wants_word_q[recent_lane] <= wants.word;
      // A block begins when its words are there. Most of a loaded partial block's up to eight words may be empty.
      wants_enough_q[recent_lane] <= wants.word && wants.unit;
      wants_loaded_q[recent_lane] <= wants.unit && place.phase == PhPartial;
      wants_room_q[recent_lane]  <= wants.room;
      wants_queue_q[recent_lane] <= wants.queue;
      wants_unit_q[recent_lane]  <= wants.unit;
      wants_quiet_q[recent_lane] <= wants.quiet;
    end
    if (exec_valid_o) begin
      place_q[recent_lane] <= place;
      hints_q[recent_lane] <= hints;
    end
  end

  assign busy_o = active_q != '0 || starts_q || exec_valid_o;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_waits_alone: assert (!cmd_waits_i || cmd_valid_i || (active_q == '0 && !chosen_q && !starts_q && !exec_valid_o));
    a_same_phase: assert (!exec_valid_o || early.phase == moved_q.phase);
    a_active_with_a_phase: assert (active == (exec_valid_o && place.phase != PhIdle));
    a_one_step: assert (!(starts_q && chosen_q) && (!starts_q || !chosen_aborts_q));
    a_reads_what_the_uop_reads: assert (
        !pick || (read_o == (uop_o.source == SrcStore || uop_o.check)
                  && (!read_o || {read_row_o, read_bank_o} == {uop_o.row, uop_o.word}))
    );
  end
`endif
endmodule

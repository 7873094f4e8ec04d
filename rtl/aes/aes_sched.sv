// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK and STEP: accepts commands, stores the progress of all streams, picks one of them per cycle, makes its uop and
// computes its progress one cycle later, and in the next what its next uop waits for.
//
// A cycle of PICK is used by a new command, else by the key unit, else by a stream whose conditions hold. Among these
// streams, aborted ones have priority (one uop each), then those that need the key unit, because others wait for it: one
// word in the time of an expansion. Queues take turns, and so do the streams of a queue (ow_turn_pick). Turns at the key
// unit are counted separately, so that other work does not use up a queue's turn there. The conditions of a stream were
// computed when its last uop was in WORD (aes_wants), so the choice only needs a few operations on vectors with one
// bit per stream. A stream in STEP or WORD can be picked again only if the conditions of its next uop are known: in the
// middle of its data they stay (`w_steady_q`; `steady_q`, with more words than the one that is popped in this cycle), or
// CCM's payload follows its MAC (`paired_q`).
//
// STEP pops the uop's word. While another engine waits for one, `pop_queues_i` has the queues that may pop one here in
// the next cycle.
module aes_sched
  import aes_phases_pkg::*;
  import aes_place_pkg::*;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots      = 32,
  parameter int unsigned HashCycles    = 1     // of GHASH for a block; more than 1: aes_ghash_serial
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    cmd_valid_i,
  output logic                    cmd_ready_o,
  input  ow_stream_t              cmd_stream_i,
  input  ow_command_t             cmd_i,
  input  ow_plan_t                cmd_plan_i,
  input  logic                    start_i,        // the engine is out of reset
  input  logic [1:0]              slot_length_i,  // of the command's slot

  input  ow_owners_t              owners_i,
  input  logic [NumStreams-1:0]   in_available_i,
  input  logic [NumStreams-1:0]   in_more_i,
  input  logic [NumOwners-1:0]    pop_queues_i,
  output logic [NumOwners-1:0]    pop_wanted_o,   // queues with a stream that waits only for its pop
  output logic                    in_pop_o,
  output ow_stream_t              in_pop_stream_o,
  input  logic [NumStreams-1:0]   out_room_i,
  input  logic [NumStreams-1:0]   abort_i,

  input  logic                    full_i,         // no block may enter the rounds
  input  logic                    key_open_i,
  input  logic [NumStreams-1:0]   key_held_i,
  output logic                    key_take_o,

  input  logic                    key_uop_valid_i,
  output logic                    key_uop_ready_o,
  input  logic                    key_uop_wipe_i,
  input  logic [BaseWidth-1:0]    key_uop_base_i,
  input  logic [1:0]              key_uop_length_i,

  input  logic                    wake_valid_i,
  input  ow_stream_t              wake_stream_i,
  input  logic                    late_wake_valid_i,
  input  ow_stream_t              late_wake_stream_i,
  input  logic                    key_wake_valid_i,
  input  ow_stream_t              key_wake_stream_i,
  input  logic                    done_valid_i,
  input  ow_stream_t              done_stream_i,

  output logic                    step_uop_o,     // there is a uop in STEP

  output logic                    word_valid_o,
  output aes_uop_t                word_uop_o,
  output aes_exit_t               word_exit_o,
  output logic                    word_key_o,     // the word is one of an inline key
  output logic [3:0]              word_left_o,    // bytes left after it
  output logic [127:0]            word_iv_o,
  output aes_lengths_t            word_lengths_o,
  output logic                    busy_o
);

  localparam logic [NumStreams-1:0] One = NumStreams'(1);

  // ---- The conditions of all streams.
  logic [NumStreams-1:0] active_q, open_q, wants_word_q, wants_room_q, wants_ring_q, wants_hash_q, wants_key_q, waits_q;
  logic [NumStreams-1:0] steady_q, paired_q, fresh_q, aad_fresh_q;
  logic [NumStreams-1:0] runs_q;   // active, and waits for no result

  // ---- What is in STEP: the uop of a stream, or of the key unit.
  logic                  s_stream_valid_q, s_start_q, s_abort_q, s_key_take_q, s_key_q, s_wipe_q;
  ow_stream_t            s_stream_q;
  logic [NumStreams-1:0] s_choice_q, s_pops_q;   // the stream; those that could pop a word when it was picked
  logic [BaseWidth-1:0]  s_base_q;
  logic [1:0]            s_length_q;

  // ---- What is in WORD: the uop of a stream.
  logic                  w_valid_q, w_plain_q, w_leaves_q, w_last_q;
  ow_stream_t            w_stream_q;
  logic                  w_steady_q;   // the next uop has the same conditions
  logic [NumStreams-1:0] w_choice_q;
  aes_job_t              w_job_q;
  aes_phase_e            w_phase_q;
  aes_place_t            w_next_q, w_next;   // of the next uop: as STEP made it, and with the section that begins

  // ---- PICK.
  logic                  take_cmd, take_key_uop, streams_turn, pick, abort, plain_valid, key_valid, hash_full;
  logic [NumStreams-1:0] known, pays, wants_word, wants_room, normal, aborted, barred, may_pop, ready;
  logic [NumStreams-1:0] choice, plain_choice, key_choice;
  ow_stream_t            stream;

  assign cmd_ready_o     = start_i;
  assign take_cmd        = cmd_valid_i & start_i;
  assign take_key_uop    = key_uop_valid_i & ~take_cmd & (key_uop_wipe_i | ~full_i);
  assign key_uop_ready_o = take_key_uop;

  assign pays       = s_choice_q & paired_q;
  assign wants_word = wants_word_q | pays;
  assign wants_room = wants_room_q | pays;
  assign known      = (~s_choice_q & (~w_choice_q | {NumStreams{w_steady_q}}))
                    | (s_choice_q & ((steady_q & in_more_i) | paired_q));
  assign aborted    = active_q & abort_i & ~s_choice_q & ~key_held_i;
  assign normal     = runs_q & ~abort_i & known &
                      (~wants_word | in_available_i) & (~wants_room | out_room_i);
  assign barred     = (wants_key_q & {NumStreams{!key_open_i}}) | (wants_ring_q & {NumStreams{full_i}}) |
                      (wants_hash_q & {NumStreams{hash_full}});
  always_comb begin
    may_pop = '0;
    for (int q = 0; q < NumOwners; q++) begin
      if (pop_queues_i[q]) may_pop |= owners_i[q][NumStreams-1:0];
      pop_wanted_o[q] = |(normal & ~barred & wants_word & owners_i[q][NumStreams-1:0]);
    end
  end
  assign ready = normal & ~barred & (~wants_word | may_pop);

  logic [NumOwners-1:0][NumStreams-1:0] members;
  always_comb for (int q = 0; q < NumOwners; q++) members[q] = owners_i[q][NumStreams-1:0];
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_plain (
    .clk_i, .rst_ni,
    .waiting_i(normal & ~wants_key_q),
    .request_i(ready & ~wants_key_q),
    .member_i (members),
    .take_i   (streams_turn && !abort && !key_valid),
    .valid_o  (plain_valid),
    .choice_o (plain_choice)
  );
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_key (
    .clk_i, .rst_ni,
    .waiting_i(normal & wants_key_q),
    .request_i(ready & wants_key_q),
    .member_i (members),
    .take_i   (streams_turn && !abort),
    .valid_o  (key_valid),
    .choice_o (key_choice)
  );
  assign abort        = aborted != '0;
  assign streams_turn = !take_cmd && !take_key_uop;
  assign pick         = streams_turn && (abort || key_valid || plain_valid);
  always_comb begin
    choice = plain_choice;
    if (key_valid) choice = key_choice;
    if (abort) choice = aborted & (~aborted + One);
    if (take_key_uop) choice = '0;
    if (take_cmd) choice = One << cmd_stream_i;
    stream = '0;
    for (int i = 0; i < NumStreams; i++) if (choice[i]) stream |= ow_stream_t'(i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s_stream_valid_q <= 1'b0;
      s_start_q        <= 1'b0;
      s_abort_q        <= 1'b0;
      s_key_take_q     <= 1'b0;
      s_key_q          <= 1'b0;
      s_choice_q       <= '0;
      s_pops_q         <= '0;
    end else begin
      s_stream_valid_q <= take_cmd || pick;
      s_start_q        <= take_cmd;
      s_abort_q        <= pick && abort;
      s_key_take_q     <= pick && !abort && key_valid;
      s_key_q          <= take_key_uop;
      s_choice_q       <= choice;
      s_pops_q         <= normal & wants_word;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_cmd || pick) s_stream_q <= stream;
    if (take_key_uop) begin
      s_wipe_q   <= key_uop_wipe_i;
      s_base_q   <= key_uop_base_i;
      s_length_q <= key_uop_length_i;
    end
  end

  // ---- A command becomes a job.
  aes_job_t     cmd_job;
  logic [127:0] cmd_iv, iv_q;
  aes_command #(.NumSlots(NumSlots)) u_command (
    .valid_i      (take_cmd),
    .stream_i     (cmd_stream_i),
    .cmd_i,
    .plan_i       (cmd_plan_i),
    .slot_length_i,
    .job_o        (cmd_job),
    .iv_o         (cmd_iv)
  );
  always_ff @(posedge clk_i) if (take_cmd) iv_q <= cmd_iv;

  // ---- STEP: the uop, and the stream's next phase.
  assign in_pop_o        = |(s_choice_q & s_pops_q) && !s_start_q;
  assign in_pop_stream_o = s_stream_q;
  assign key_take_o      = s_key_take_q;

  aes_uop_t     uop;
  aes_exit_t    exit;
  aes_job_t     job;
  aes_lengths_t lengths;
  aes_after_t   after;
  aes_place_t   place, place_d;
  logic         steady, paired;
  aes_store u_store (
    .clk_i,
    .command_i        (take_cmd),
    .command_stream_i (cmd_stream_i),
    .command_job_i    (cmd_job),
    .command_plan_i   (cmd_plan_i),
    .step_i           (s_stream_valid_q),
    .step_stream_i    (s_stream_q),
    .job_o            (job),
    .lengths_o        (lengths),
    .after_o          (after),
    .phase_o          (place.phase),
    .left_o           (place.left),
    .rest_o           (place.rest),
    .word_i           (w_valid_q),
    .word_stream_i    (w_stream_q),
    .word_made_i      (w_next_q),
    .word_place_i     (w_next)
  );
  assign place.fresh     = fresh_q[s_stream_q];
  assign place.aad_fresh = aad_fresh_q[s_stream_q];
  aes_sequence u_sequence (
    .valid_i  (s_stream_valid_q),
    .stream_i (s_stream_q),
    .job_i    (job),
    .after_i  (after),
    .start_i  (s_start_q),
    .abort_i  (s_abort_q),
    .place_i  (place),
    .uop_o    (uop),
    .exit_o   (exit),
    .place_o  (place_d),
    .steady_o (steady),
    .paired_o (paired)
  );

  // While a block is in GHASH no other may be picked, nor beside a uop in STEP, which may have one.
  if (HashCycles > 1) begin : gen_hash_full
    localparam int unsigned CountWidth = $clog2(HashCycles);
    logic [CountWidth-1:0] hash_count_q;
    assign hash_full = hash_count_q != '0 || s_stream_valid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) hash_count_q <= '0;
      else if (s_stream_valid_q && exit.hash) hash_count_q <= CountWidth'(HashCycles - 2);
      else if (hash_count_q != '0) hash_count_q <= hash_count_q - 1'b1;
    end
  end else begin : gen_hash_free
    assign hash_full = 1'b0;
  end

  // ---- WORD: the conditions of the stream's next uop.
  aes_wants_t wants;
  logic       begins, begins_steady, wakes, wakes_late;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q  <= 1'b0;
      w_steady_q <= 1'b0;
      w_choice_q <= '0;
      word_key_o <= 1'b0;
    end else begin
      w_valid_q  <= s_stream_valid_q;
      w_steady_q <= |(s_choice_q & steady_q);
      w_choice_q <= s_choice_q;
      word_key_o <= s_stream_valid_q && !s_start_q && !s_abort_q && place.phase inside {PhKey, PhTweakKey};
    end
  end
  always_ff @(posedge clk_i) begin
    if (s_stream_valid_q) begin
      word_lengths_o <= lengths;
      w_plain_q      <= s_start_q || s_abort_q;
      w_leaves_q     <= s_start_q || leaves_section(place);
      w_stream_q     <= s_stream_q;
      w_job_q        <= job;
      w_phase_q      <= place.phase;
      w_last_q       <= place.rest.last;
      w_next_q       <= place_d;
    end
  end
  aes_wants #(.SerialHash(HashCycles > 1)) u_wants (
    .valid_i     (w_valid_q),
    .job_i       (w_job_q),
    .lengths_i   (word_lengths_o),
    .plain_i     (w_plain_q),
    .leaves_i    (w_leaves_q),
    .phase_i     (w_phase_q),
    .last_i      (w_last_q),
    .next_i      (w_next_q),
    .next_o      (w_next),
    .begins_o    (begins),
    .steady_o    (begins_steady),
    .wants_o     (wants),
    .wakes_o     (wakes),
    .wakes_late_o(wakes_late)
  );

  logic [NumStreams-1:0] awake;
  assign awake = (wake_valid_i ? One << wake_stream_i : '0) | (late_wake_valid_i ? One << late_wake_stream_i : '0)
               | (key_wake_valid_i ? One << key_wake_stream_i : '0);

  function automatic ow_streams_t put(ow_streams_t old, ow_streams_t where, logic value);
    return (old & ~where) | (value ? where : '0);
  endfunction

  ow_streams_t active_d, waits_d, steady_d;
  always_comb begin
    active_d = active_q;
    if (s_stream_valid_q) active_d = put(active_q, s_choice_q, !exit.done);
    waits_d  = (waits_q & ~awake & ~w_choice_q) | (wants.result ? w_choice_q : '0);
    steady_d = steady_q;
    if (s_stream_valid_q) steady_d = put(steady_d, s_choice_q, steady);
    if (w_valid_q && begins) steady_d = put(steady_d, w_choice_q, begins_steady);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q     <= '0;
      open_q       <= '0;
      waits_q      <= '0;
      runs_q       <= '0;
      wants_word_q <= '0;
      wants_room_q <= '0;
      wants_ring_q <= '0;
      wants_hash_q <= '0;
      wants_key_q  <= '0;
      steady_q     <= '0;
      paired_q     <= '0;
      fresh_q      <= '0;
      aad_fresh_q <= '0;
    end else begin
      open_q  <= (open_q & ~(done_valid_i ? One << done_stream_i : '0)) | (take_cmd ? choice : '0);
      waits_q  <= waits_d;
      active_q <= active_d;
      runs_q   <= active_d & ~waits_d;
      if (s_stream_valid_q) begin
        paired_q     <= put(paired_q, s_choice_q, paired);
        fresh_q      <= put(fresh_q, s_choice_q, place_d.fresh);
        aad_fresh_q  <= put(aad_fresh_q, s_choice_q, place_d.aad_fresh);
      end
      steady_q <= steady_d;
      if (w_valid_q) begin
        wants_word_q <= put(wants_word_q, w_choice_q, wants.word);
        wants_room_q <= put(wants_room_q, w_choice_q, wants.room);
        wants_ring_q <= put(wants_ring_q, w_choice_q, wants.ring);
        wants_hash_q <= put(wants_hash_q, w_choice_q, wants.hash);
        wants_key_q  <= put(wants_key_q, w_choice_q, wants.key);
      end
    end
  end

  // ---- To WORD.
  aes_step_t key_step;
  aes_exit_t exit_q;
  assign key_step = step_hash_key(s_wipe_q, s_base_q, s_length_q);

  assign step_uop_o = s_stream_valid_q || s_key_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_valid_o <= 1'b0;
    else         word_valid_o <= step_uop_o;
  end
  always_ff @(posedge clk_i) begin
    if (s_key_q) begin
      word_uop_o <= key_step.uop;
      exit_q     <= key_step.exit;
    end else if (s_stream_valid_q) begin
      word_uop_o <= uop;
      exit_q     <= exit;
    end
    if (s_start_q) word_iv_o <= iv_q;
  end

  always_comb begin
    word_exit_o            = exit_q;
    word_exit_o.wakes      = w_valid_q && wakes;
    word_exit_o.wakes_late = w_valid_q && wakes_late;
  end

  assign word_left_o = w_next_q.left[3:0];
  assign busy_o      = open_q != '0;
endmodule

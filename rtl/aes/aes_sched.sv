// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK and STEP: accepts commands, stores the progress of all streams, picks one of them per cycle, makes its uop and
// computes its progress one cycle later, and in the next what its next uop waits for.
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

  output logic                    step_uop_o,     // a uop is in STEP

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
  logic [NumStreams-1:0] runs_q;    // active, and waits for no result
  logic [NumStreams-1:0] known_q;   // and the conditions are known, unless it is in STEP

  // ---- What is in STEP: the uop of a stream, or of the key unit.
  logic                  s_stream_valid, s_start, s_abort, s_key, s_wipe_q;
  logic                  s_uop;      // of either
  ow_stream_t            s_stream;
  ow_stream_t            s_place, s_job;   // copies of it, each with few readers
  logic [NumStreams-1:0] s_choice, s_pops;   // the stream; those that could pop a word when it was picked
  logic [BaseWidth-1:0]  s_base_q;
  logic [1:0]            s_length_q;

  // ---- What is in WORD: the uop of a stream.
  logic                  w_valid_q, w_plain_q, w_leaves_q, w_last_q;
  ow_stream_t            w_stream_q;
  logic [NumStreams-1:0] w_choice_q;
  aes_job_t              w_job_q;
  aes_phase_e            w_phase_q;
  aes_place_t            w_next_q, w_next;   // of the next uop: as STEP made it, and with the section that begins

  // ---- PICK.
  logic take_cmd, hash_full;
  assign take_cmd    = cmd_valid_i & start_i;
  assign cmd_ready_o = start_i;
  aes_pick u_pick (
    .clk_i, .rst_ni,
    .take_cmd_i     (take_cmd),
    .cmd_stream_i,
    .owners_i, .in_available_i, .in_more_i, .pop_queues_i, .pop_wanted_o, .out_room_i, .abort_i,
    .full_i, .hash_full_i(hash_full), .key_open_i, .key_held_i,
    .key_uop_valid_i, .key_uop_ready_o, .key_uop_wipe_i,
    .word_i         (w_choice_q),
    .active_i       (active_q),
    .runs_i         (runs_q),
    .known_i        (known_q),
    .steady_i       (steady_q),
    .paired_i       (paired_q),
    .wants_word_i   (wants_word_q),
    .wants_room_i   (wants_room_q),
    .wants_ring_i   (wants_ring_q),
    .wants_hash_i   (wants_hash_q),
    .wants_key_i    (wants_key_q),
    .step_uop_o     (s_uop),
    .step_key_o     (s_key),
    .stream_valid_o (s_stream_valid),
    .start_o        (s_start),
    .abort_o        (s_abort),
    .key_take_o,
    .choice_o       (s_choice),
    .pops_o         (s_pops),
    .stream_o       (s_stream),
    .stream_place_o (s_place),
    .stream_job_o   (s_job)
  );
  always_ff @(posedge clk_i) begin
    if (key_uop_ready_o) begin
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
  assign in_pop_o        = |(s_choice & s_pops);
  assign in_pop_stream_o = s_stream;

  aes_uop_t     uop;
  aes_exit_t    exit, exit_q;
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
    .step_i           (s_stream_valid),
    .step_stream_i    (s_stream),
    .step_place_i     (s_place),
    .step_choice_i    (s_choice),
    .step_job_i       (s_job),
    .job_o            (job),
    .lengths_o        (lengths),
    .after_o          (after),
    .phase_o          (place.phase),
    .left_o           (place.left),
    .rest_o           (place.rest),
    .word_i           (w_valid_q),
    .word_stream_i    (w_stream_q),
    .word_choice_i    (w_choice_q),
    .word_made_i      (w_next_q),
    .word_place_i     (w_next)
  );
  assign place.fresh     = fresh_q[s_stream];
  assign place.aad_fresh = aad_fresh_q[s_stream];
  aes_sequence u_sequence (
    .valid_i  (s_stream_valid),
    .stream_i (s_stream),
    .job_i    (job),
    .after_i  (after),
    .start_i  (s_start),
    .abort_i  (s_abort),
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
    logic                  word_hash_q, hash_busy_q;   // a block is in WORD; one is there or farther
    logic [CountWidth-1:0] hash_count_q;
    assign hash_full = hash_busy_q || s_uop;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        word_hash_q  <= 1'b0;
        hash_busy_q  <= 1'b0;
        hash_count_q <= '0;
      end else begin
        word_hash_q <= s_stream_valid && exit.hash;
        hash_busy_q <= (s_stream_valid && exit.hash) || word_hash_q || hash_count_q > CountWidth'(1);
        if (word_hash_q) hash_count_q <= CountWidth'(HashCycles - 3);
        else if (hash_count_q != '0) hash_count_q <= hash_count_q - 1'b1;
      end
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
      w_choice_q <= '0;
      word_key_o <= 1'b0;
    end else begin
      w_valid_q  <= s_stream_valid;
      w_choice_q <= s_choice;
      word_key_o <= s_stream_valid && !s_start && !s_abort && place.phase inside {PhKey, PhTweakKey};
    end
  end
  always_ff @(posedge clk_i) begin
    if (s_stream_valid) begin
      word_lengths_o <= lengths;
      w_plain_q      <= s_start || s_abort;
      w_leaves_q     <= s_start || leaves_section(place);
      w_stream_q     <= s_stream;
      w_job_q        <= job;
      w_phase_q      <= place.phase;
      w_last_q       <= place.rest.last;
      w_next_q       <= place_d;
    end
  end
  aes_wants u_wants (
    .serial_i    (HashCycles > 1),
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
    // A job that ends does so in WORD: no other uop of its stream is picked until then.
    active_d = active_q;
    if (w_valid_q && exit_q.done) active_d &= ~w_choice_q;
    if (s_start) active_d |= s_choice;
    waits_d  = (waits_q & ~awake & ~w_choice_q) | (wants.result ? w_choice_q : '0);
    steady_d = steady_q;
    if (s_stream_valid) steady_d = put(steady_d, s_choice, steady);
    if (w_valid_q && begins) steady_d = put(steady_d, w_choice_q, begins_steady);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q     <= '0;
      open_q       <= '0;
      waits_q      <= '0;
      runs_q       <= '0;
      known_q      <= '0;
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
      open_q  <= (open_q & ~(done_valid_i ? One << done_stream_i : '0)) | (take_cmd ? One << cmd_stream_i : '0);
      waits_q  <= waits_d;
      active_q <= active_d;
      runs_q   <= active_d & ~waits_d;
      known_q  <= active_d & ~waits_d & (~s_choice | steady_q);
      if (s_stream_valid) begin
        paired_q     <= put(paired_q, s_choice, paired);
        // Not behind their old values, which come late.
        if (s_start) fresh_q <= put(fresh_q, s_choice, !job.load);
        else if (place.phase inside {PhPay, PhStealA}) fresh_q <= fresh_q & ~s_choice;
        if (s_start) aad_fresh_q <= aad_fresh_q | s_choice;
        else if (place.phase == PhAad) aad_fresh_q <= aad_fresh_q & ~s_choice;
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
  assign key_step = step_hash_key(s_wipe_q, s_base_q, s_length_q);

  assign step_uop_o = s_uop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_valid_o <= 1'b0;
    else         word_valid_o <= step_uop_o;
  end
  always_ff @(posedge clk_i) begin
    if (s_key) begin
      word_uop_o <= key_step.uop;
      exit_q     <= key_step.exit;
    end else if (s_stream_valid) begin
      word_uop_o <= uop;
      exit_q     <= exit;
    end
    if (s_start) word_iv_o <= iv_q;
  end

  always_comb begin
    word_exit_o            = exit_q;
    word_exit_o.wakes      = w_valid_q && wakes;
    word_exit_o.wakes_late = w_valid_q && wakes_late;
  end

  assign word_left_o = w_next_q.left[3:0];
  assign busy_o      = open_q != '0;
endmodule

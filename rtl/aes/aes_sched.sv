// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK: accepts commands, stores the progress of all streams, and picks one uop per cycle.
//
// A cycle is used by a new command, else by the key unit, else by a stream whose conditions hold. Among these streams,
// aborted ones have priority (one uop each), then those that need the key unit, because others wait for it: one word in
// the time of an expansion. Queues take turns, and so do the streams of a queue (ow_fair_pick). Turns at the key unit
// are counted separately, so that other work does not use up a queue's turn there. The conditions of a stream were
// computed when its last uop was picked (aes_sequence), so the choice only needs a few operations on vectors with one
// bit per stream.
//
// While another engine waits for an input word, `pop_queues_i` has the queues that may pop one here in this cycle.
module aes_sched
  import aes_phases_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots      = 32,
  localparam int unsigned ContextWidth = BaseWidth + 1
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
  input  logic                    key_wake_valid_i,
  input  ow_stream_t              key_wake_stream_i,
  input  logic                    done_valid_i,
  input  ow_stream_t              done_stream_i,

  output logic                    pick_valid_o,   // a block for the rounds
  output logic [ContextWidth-1:0] pick_context_o,
  output logic                    pick_inverse_o,

  output logic                    entry_valid_o,
  output aes_uop_t                entry_uop_o,
  output aes_exit_t               entry_exit_o,
  output logic [31:0]             entry_number_o,
  output logic [127:0]            entry_iv_o,
  output logic [63:0]             entry_lengths_o,
  output logic                    busy_o
);

  localparam logic [NumStreams-1:0] One = NumStreams'(1);

  // ---- The conditions of all streams.
  logic [NumStreams-1:0] active_q, open_q, wants_word_q, wants_room_q, wants_ring_q, wants_key_q, waits_q;
  logic [NumStreams-1:0] fresh_q, hash_fresh_q;

  // ---- Their progress and jobs.
  aes_phase_e   phase_q [NumStreams];
  logic [32:0]  left_q [NumStreams];
  aes_job_t     job_q [NumStreams];
  aes_lengths_t lengths_q [NumStreams];

  // ---- The choice.
  logic                  take_cmd, take_key_uop;
  logic [NumStreams-1:0] normal, aborted, may_pop, ready, first, choice;
  ow_stream_t            stream, plain_stream, key_stream;
  logic                  pick, key_turn, plain_valid, key_valid;

  assign cmd_ready_o     = start_i;
  assign take_cmd        = cmd_valid_i & start_i;
  assign take_key_uop    = key_uop_valid_i & ~take_cmd & (key_uop_wipe_i | ~full_i);
  assign key_uop_ready_o = take_key_uop;

  assign aborted = active_q & abort_i & ~key_held_i;
  assign normal  = active_q & ~abort_i & ~waits_q & (~wants_word_q | in_available_i) &
                   (~wants_room_q | out_room_i) & ~(wants_key_q & {NumStreams{!key_open_i}}) &
                   ~(wants_ring_q & {NumStreams{full_i}});
  always_comb begin
    may_pop      = '0;
    pop_wanted_o = '0;
    if (active_q != '0) begin
      for (int q = 0; q < NumOwners; q++) begin
        if (pop_queues_i[q]) may_pop |= owners_i[q][NumStreams-1:0];
        pop_wanted_o[q] = |(normal & wants_word_q & owners_i[q][NumStreams-1:0]);
      end
    end
  end
  assign ready    = aborted | (normal & (~wants_word_q | may_pop));
  assign key_turn = aborted == '0 && key_valid;
  assign first    = aborted != '0 ? aborted : ready;

  logic [NumOwners-1:0][NumStreams-1:0] members;
  always_comb for (int q = 0; q < NumOwners; q++) members[q] = owners_i[q][NumStreams-1:0];
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_plain (
    .clk_i, .rst_ni,
    .request_i(first),
    .member_i (members),
    .take_i   (pick && !key_turn),
    .valid_o  (plain_valid),
    .index_o  (plain_stream)
  );
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_key (
    .clk_i, .rst_ni,
    .request_i(ready & wants_key_q),
    .member_i (members),
    .take_i   (pick && key_turn),
    .valid_o  (key_valid),
    .index_o  (key_stream)
  );
  assign pick   = plain_valid && !take_cmd && !take_key_uop;
  assign stream = take_cmd || !plain_valid ? cmd_stream_i : key_turn ? key_stream : plain_stream;
  assign choice = take_cmd || !plain_valid ? '0 : One << stream;

  logic abort;
  assign abort           = |(choice & aborted);
  assign in_pop_o        = pick && |(choice & wants_word_q & ~aborted);
  assign in_pop_stream_o = stream;
  assign key_take_o      = pick && |(choice & wants_key_q & ~aborted);

  // ---- A command becomes a job.
  aes_job_t     cmd_job, job;
  logic [127:0] cmd_iv;
  logic         cmd_gcm;
  logic [63:0]  radio_start;
  ow_radio_iv_t radio_iv;
  assign radio_iv = ow_radio_iv_t'(cmd_i.iv);
  always_comb begin
    cmd_job     = '0;
    cmd_iv      = '0;
    cmd_gcm     = 1'b0;
    radio_start = '0;
    if (take_cmd) begin
      cmd_job.mode        = aes_mode_e'(cmd_i.opcode[2:0]);
      cmd_gcm             = is_gcm(cmd_job.mode);
      cmd_job.decrypt     = cmd_i.decrypt;
      cmd_job.inline_key  = cmd_i.inline_key;
      cmd_job.key_length  = cmd_i.inline_key ? cmd_i.key[1:0] : slot_length_i;
      cmd_job.base        = cmd_i.inline_key ? BaseWidth'(NumSlots) + BaseWidth'(cmd_stream_i)
                                             : cmd_i.key[BaseWidth-1:0];
      cmd_job.load        = cmd_plan_i.state_in;
      cmd_job.save        = cmd_plan_i.state_out;
      cmd_job.append      = cmd_i.append_tag;
      cmd_job.verify      = cmd_plan_i.tag_in_bytes != 7'd0;
      // Without a tag the completion record has a whole block.
      cmd_job.tag_length  = (cmd_gcm | cmd_job.mode inside {ModeCcm, ModeCmac}) ? cmd_i.tag_length
                                                                                : 5'd16;
      cmd_job.has_iv      = cmd_plan_i.iv_bytes != 32'd0;
      cmd_job.iv12        = cmd_plan_i.iv_bytes == 32'd12;
      cmd_job.has_aad     = cmd_plan_i.aad_bytes != 32'd0;
      // The CMAC of an empty message has one block, of padding.
      cmd_job.has_payload = cmd_plan_i.payload_bytes != 32'd0 ||
                            (cmd_job.mode == ModeCmac && !cmd_plan_i.state_out);
      cmd_job.aad_skew    = cmd_plan_i.aad_skew;
      cmd_job.radio       = cmd_i.opcode[3];
      cmd_job.last_bits   = cmd_job.radio ? radio_iv.control.last_bits : '0;
      radio_start         = {24'd0, radio_iv.way.bearer, radio_iv.way.direction, 2'd0, aes_pkg::swap32(radio_iv.count)};
      if (cmd_gcm) cmd_iv = {32'h01000000, cmd_i.iv[95:0]};
      // TS 33.401 B.1.3: the beginning of the first counter block; B.2.3: the bits before the message.
      else if (cmd_job.radio) cmd_iv = cmd_job.mode == ModeCmac ? {radio_start, 64'd0} : {64'd0, radio_start};
      else if (cmd_job.mode != ModeCmac) cmd_iv = cmd_i.iv;
    end
  end

  // ---- The picked stream's uop and next phase.
  aes_uop_t     uop;
  aes_exit_t    exit;
  logic [31:0]  number;
  aes_lengths_t cmd_lengths, lengths;
  aes_place_t   place, place_d;
  aes_wants_t   wants;
  logic         step;
  assign cmd_lengths = '{
    iv_bytes: cmd_plan_i.iv_bytes, aad_bytes: cmd_plan_i.aad_bytes, payload_bytes: cmd_plan_i.payload_bytes
  };
  assign step    = take_cmd | pick;
  assign job     = take_cmd ? cmd_job : job_q[stream];
  assign lengths = take_cmd ? cmd_lengths : lengths_q[stream];
  assign place   = '{
    phase: phase_q[stream], left: left_q[stream], fresh: fresh_q[stream], hash_fresh: hash_fresh_q[stream]
  };
  aes_sequence u_sequence (
    .valid_i  (step),
    .stream_i (stream),
    .job_i    (job),
    .lengths_i(lengths),
    .start_i  (take_cmd),
    .abort_i  (abort),
    .place_i  (place),
    .uop_o    (uop),
    .exit_o   (exit),
    .number_o (number),
    .place_o  (place_d),
    .wants_o  (wants)
  );

  logic [NumStreams-1:0] picked, awake;
  assign picked = take_cmd ? One << cmd_stream_i : pick ? choice : '0;
  assign awake  = (wake_valid_i ? One << wake_stream_i : '0) |
                  (key_wake_valid_i ? One << key_wake_stream_i : '0);

  function automatic logic [NumStreams-1:0] put(logic [NumStreams-1:0] old,
                                                logic [NumStreams-1:0] where, logic value);
    return (old & ~where) | (value ? where : '0);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q     <= '0;
      open_q       <= '0;
      waits_q      <= '0;
      wants_word_q <= '0;
      wants_room_q <= '0;
      wants_ring_q <= '0;
      wants_key_q  <= '0;
      fresh_q      <= '0;
      hash_fresh_q <= '0;
    end else begin
      open_q  <= (open_q & ~(done_valid_i ? One << done_stream_i : '0)) |
                 (take_cmd ? picked : '0);
      waits_q <= (waits_q & ~awake & ~picked) | (wants.result ? picked : '0);
      if (step) begin
        active_q     <= put(active_q, picked, place_d.phase != PhIdle);
        wants_word_q <= put(wants_word_q, picked, wants.word);
        wants_room_q <= put(wants_room_q, picked, wants.room);
        wants_ring_q <= put(wants_ring_q, picked, wants.ring);
        wants_key_q  <= put(wants_key_q, picked, wants.key);
        fresh_q      <= put(fresh_q, picked, place_d.fresh);
        hash_fresh_q <= put(hash_fresh_q, picked, place_d.hash_fresh);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      phase_q[stream] <= place_d.phase;
      left_q[stream]  <= place_d.left;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_cmd) begin
      job_q[cmd_stream_i]     <= cmd_job;
      lengths_q[cmd_stream_i] <= cmd_lengths;
    end
  end

  // ---- To ENTRY.
  aes_uop_t  key_uop;
  aes_exit_t key_exit;
  always_comb begin
    key_uop  = '0;
    key_exit = '0;
    if (take_key_uop) begin
      key_uop.entry        = key_uop_wipe_i ? EnNop : EnZero;
      key_uop.key_length   = key_uop_length_i;
      key_exit.cipher      = ~key_uop_wipe_i;
      key_exit.base        = key_uop_base_i;
      key_exit.bytes       = 5'd16;
      key_exit.to_hash_key = 1'b1;
      key_exit.key_unit    = ~key_uop_wipe_i;
    end
  end

  assign pick_valid_o   = take_key_uop ? key_exit.cipher : step & exit.cipher;
  assign pick_context_o = take_key_uop ? {key_uop_base_i, 1'b0} : {exit.base, uop.tweak_key};
  assign pick_inverse_o = ~take_key_uop & uop.inverse;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) entry_valid_o <= 1'b0;
    else         entry_valid_o <= step | take_key_uop;
  end
  always_ff @(posedge clk_i) begin
    if (take_key_uop) begin
      entry_uop_o  <= key_uop;
      entry_exit_o <= key_exit;
    end else if (step) begin
      entry_uop_o    <= uop;
      entry_exit_o   <= exit;
      entry_number_o <= number;
    end
    if (take_cmd) begin
      entry_iv_o      <= cmd_iv;
      entry_lengths_o <= cmd_job.mode == ModeGmac
                         ? {32'd0, cmd_plan_i.payload_bytes}
                         : {cmd_plan_i.payload_bytes, cmd_plan_i.aad_bytes};
    end
  end

  assign busy_o = open_q != '0;
endmodule

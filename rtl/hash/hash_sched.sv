// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK: takes commands, keeps where every lane stands, and picks one uop a cycle.
//
// A cycle goes to a new command, else to a lane that has all it needs, in turn. What a lane needs was worked out when
// its last uop was picked (hash_sequence). A uop that wants an input word waits for the shared port in its cycle.
module hash_sched
  import hash_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumStreams = 16
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  input  hash_lane_t            cmd_lane_i,
  input  hash_job_t             cmd_i,

  input  logic [NumStreams-1:0] in_available_i,
  output logic                  in_pop_o,
  input  logic                  in_pop_ready_i,
  output ow_stream_t            in_pop_stream_o,
  input  logic [NumStreams-1:0] out_room_i,
  input  logic                  queue_free_i,    // one more word or result fits
  input  logic [NumStreams-1:0] abort_i,

  output logic [NumFamilies-1:0][NumLanes-1:0] family_lanes_o,
  input  logic [NumLanes-1:0]   feedable_i,
  input  logic [NumLanes-1:0]   quiet_i,
  input  logic [NumLanes-1:0]   partial_i,
  input  logic [7:0]            partial_bytes_i, // of the picked lane

  output logic                  pick_o,
  output hash_lane_t            lane_o,
  output hash_uop_t             uop_o,           // of this cycle
  output logic                  feeds_o,
  output logic                  drop_o,
  output logic                  exec_valid_o,
  output hash_uop_t             exec_uop_o,      // of the cycle before
  output logic                  busy_o
);
  typedef logic [NumLanes-1:0] lanes_t;

  lanes_t      active_q, aborting_q;
  lanes_t      wants_word_q, wants_room_q, wants_queue_q, wants_unit_q, wants_quiet_q;
  lanes_t      family_q [NumFamilies];
  hash_job_t   job_q [NumLanes];
  hash_place_t place_q [NumLanes];

  // ---- The choice.
  lanes_t     ready, aborts, settled, normal, after, first, choice;
  hash_lane_t last_q, lane;
  logic       take_cmd, pick, pops, abort;
  assign take_cmd = cmd_valid_i;
  always_comb begin
    {ready, aborts, settled, normal, after, first, choice} = '0;
    lane = cmd_lane_i;
    if (active_q != '0 && !take_cmd) begin
      settled = ~(exec_valid_o ? lanes_t'(1) << exec_uop_o.lane : '0);
      aborts  = active_q & lanes_t'(abort_i) & ~aborting_q & settled & (quiet_i | partial_i);
      normal  = active_q & (~lanes_t'(abort_i) | aborting_q) & (~wants_word_q | lanes_t'(in_available_i))
                & (~wants_room_q | lanes_t'(out_room_i)) & (~wants_queue_q | {NumLanes{queue_free_i}})
                & (~wants_unit_q | feedable_i) & (~wants_quiet_q | (quiet_i & settled));
      ready   = aborts | normal;
      first   = ready;
      // The next one after the last picked, else the lowest.
      after   = ready & ~((lanes_t'(1) << last_q << 1) - lanes_t'(1));
      if (after != '0) first = after;
      choice  = first & (~first + lanes_t'(1));
      for (int l = 0; l < NumLanes; l++) if (choice[l]) lane = hash_lane_t'(l);
    end
  end
  assign abort           = |(choice & aborts);
  assign pops            = |(choice & wants_word_q & ~aborts);
  assign in_pop_o        = pops;
  assign in_pop_stream_o = ow_stream_t'(lane);
  assign pick            = choice != '0 && (!pops || in_pop_ready_i);
  assign drop_o          = pick && abort && |(choice & partial_i);

  // ---- The picked lane's uop and next place.
  logic        step;
  hash_job_t   job;
  hash_place_t place, place_d;
  hash_wants_t wants;
  assign step = take_cmd || pick;
  always_comb begin
    job   = '0;
    place = '0;
    if (take_cmd) begin
      job   = cmd_i;
    end else if (choice != '0) begin
      job   = job_q[lane];
      place = place_q[lane];
    end
  end
  hash_sequence u_sequence (
    .valid_i  (take_cmd || choice != '0),
    .lane_i   (lane),
    .job_i    (job),
    .start_i  (take_cmd),
    .abort_i  (abort),
    .place_i  (place),
    .partial_i(partial_bytes_i),
    .uop_o    (uop_o),
    .feeds_o  (feeds_o),
    .place_o  (place_d),
    .wants_o  (wants)
  );
  assign pick_o = step;
  assign lane_o = lane;

  hash_traits_t of;
  always_comb begin
    of = '0;
    if (take_cmd) of = traits(cmd_i.alg);
  end
  for (genvar f = 0; f < NumFamilies; f++) begin : gen_family
    assign family_lanes_o[f] = family_q[f];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q      <= '0;
      aborting_q    <= '0;
      wants_word_q  <= '0;
      wants_room_q  <= '0;
      wants_queue_q <= '0;
      wants_unit_q  <= '0;
      wants_quiet_q <= '0;
      last_q        <= '0;
      for (int f = 0; f < NumFamilies; f++) family_q[f] <= '0;
    end else if (step) begin
      active_q[lane]      <= place_d.phase != PhIdle;
      wants_word_q[lane]  <= wants.word;
      wants_room_q[lane]  <= wants.room;
      wants_queue_q[lane] <= wants.queue;
      wants_unit_q[lane]  <= wants.unit;
      wants_quiet_q[lane] <= wants.quiet;
      aborting_q[lane]    <= !take_cmd && (abort || aborting_q[lane]);
      if (take_cmd) begin
        for (int f = 0; f < NumFamilies; f++) family_q[f][lane] <= of.family == hash_family_e'(f);
      end else begin
        last_q <= lane;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) place_q[lane] <= place_d;
    if (take_cmd) job_q[lane] <= cmd_i;
  end

  // ---- To EXEC.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) exec_valid_o <= 1'b0;
    else exec_valid_o <= step;
    if (step) exec_uop_o <= uop_o;
  end

  assign busy_o = active_q != '0;
endmodule

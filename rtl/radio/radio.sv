// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The radio engine: ZUC and SNOW 3G, ciphers and MACs, in lanes that each run one job (rtl/radio/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv. The engine shares the shell's ports with other engines: a pop, an output
// word or a result is requested until it is granted; an abort withdraws pops and output words. Lanes are shared among
// the queues: a job may be parked and resumed in another lane (radio_share).
module radio
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import radio_pkg::*;
#(
  parameter int unsigned Lanes      = 4,
  parameter int unsigned NumSlots   = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  if (Lanes < 1 || Lanes > 16) begin : gen_check_lanes
    $error("radio: Lanes is %0d; it must be 1 to 16.", Lanes);
  end

  radio_plan u_plan (.cmd_i(req_i.plan_command), .key_i(req_i.plan_key), .plan_o(rsp_o.plan));
  assign rsp_o.pop_wanted = '0;

  logic         key_read, keys_busy;
  logic [7:0]   key_slot;
  logic [1:0]   key_word;
  logic [127:0] key;
  assign rsp_o.key_load_refused = !known(req_i.key_load.kind) || req_i.key_load.bytes != key_bytes(req_i.key_load.kind);
  ow_key_store #(.NumSlots(NumSlots), .Words(4)) u_keys (
    .clk_i, .rst_ni,
    .ready_o(rsp_o.cmd_ready),
    .busy_o (keys_busy),
    .key_load_valid_i(req_i.key_load_valid), .key_load_ready_o(rsp_o.key_load_ready),
    .key_load_refuse_i(rsp_o.key_load_refused),
    .key_load_i       (req_i.key_load),
    .zeroise_valid_i  (req_i.zeroise_valid),
    .zeroise_all_i    (req_i.zeroise_all),
    .zeroise_slot_i   (req_i.zeroise_slot),
    .zeroise_ready_o  (rsp_o.zeroise_ready),
    .read_i           (key_read),
    .slot_i           (key_slot),
    .word_i           (key_word),
    .data_o           (key)
  );

  // Requester 0 is the starter, the others are the lanes.
  logic [Lanes:0]       pop_request, pop_grant, done_request, done_grant;
  logic [Lanes-1:0]     out_request, out_grant;
  ow_stream_t           stream [Lanes+1];
  logic [127:0]         out_data [Lanes];
  logic [4:0]           out_bytes [Lanes];
  logic [7:0]           done_status [Lanes+1];
  logic [127:0]         done_tag [Lanes+1];
  logic [3:0]           done_tag_has [Lanes+1];
  logic [Lanes-1:0]     lane_free, lane_idle, take, load_cipher, load_mac, start;
  radio_job_t           job;
  load_t                cells;
  ow_stream_t           reap_stream;
  logic                 start_busy, share_busy, start_wants;
  logic [NumStreams-1:0] start_ready, choose_next, give_up;
  logic [Lanes-1:0]     start_free, stop, quiet, starving, long_packet, park, resume;
  ow_stream_t           lane_stream [Lanes];
  logic                 shift_next, shift_rest_next, moved;
  ow_stream_t           resume_stream;
  chain_word_t          lane_chain [Lanes];
  chain_word_t          chain;

  radio_start #(.Lanes(Lanes)) u_start (
    .clk_i, .rst_ni,
    .cmd_valid_i   (req_i.cmd_valid && rsp_o.cmd_ready),
    .cmd_stream_i  (req_i.cmd_stream),
    .cmd_i         (req_i.cmd),
    .members_i     (req_i.owners),
    .in_available_i(req_i.in_available),
    .in_enough_i   (req_i.in_enough),
    .abort_i       (req_i.abort),
    .pop_o         (pop_request[0]),
    .pop_stream_o  (stream[0]),
    .pop_ready_i   (pop_grant[0]),
    .in_word_i     (req_i.in_word),
    .key_read_o    (key_read),
    .key_slot_o    (key_slot),
    .key_word_o    (key_word),
    .key_i         (key),
    .ready_o       (start_ready),
    .choose_next_i (choose_next),
    .wants_o       (start_wants),
    .give_up_i     (give_up),
    .free_i        (start_free),
    .take_o        (take),
    .job_o         (job),
    .load_cipher_o (load_cipher),
    .load_mac_o    (load_mac),
    .cells_o       (cells),
    .start_o       (start),
    .reap_valid_o  (done_request[0]),
    .reap_stream_o (reap_stream),
    .reap_ready_i  (done_grant[0]),
    .busy_o        (start_busy)
  );
  assign done_status[0] = StAborted;
  assign done_tag[0]    = '0;
  assign done_tag_has[0] = '0;

  radio_share #(.Lanes(Lanes)) u_share (
    .clk_i, .rst_ni,
    .members_i     (req_i.owners),
    .in_enough_i(req_i.in_enough), .out_room_i(req_i.out_room), .abort_i(req_i.abort),
    .stream_i      (lane_stream),
    .free_i        (lane_free),
    .idle_i        (lane_idle),
    .quiet_i       (quiet),
    .starving_i    (starving),
    .long_i        (long_packet),
    .stop_o        (stop),
    .park_o        (park),
    .resume_o      (resume),
    .resume_stream_o(resume_stream),
    .shift_next_o  (shift_next),
    .shift_rest_next_o(shift_rest_next),
    .moved_o       (moved),
    .chain_i       (lane_chain),
    .chain_o       (chain),
    .ready_i       (start_ready),
    .choose_next_o (choose_next),
    .wants_i       (start_wants),
    .wants_stream_i(job.stream),
    .free_o        (start_free),
    .give_up_o     (give_up),
    .busy_o        (share_busy)
  );

  for (genvar g = 0; g < Lanes; g++) begin : gen_lane
    assign lane_stream[g] = stream[g+1];
    radio_lane u_lane (
      .clk_i, .rst_ni,
      .free_o        (lane_free[g]),
      .idle_o        (lane_idle[g]),
      .take_i        (take[g]),
      .take_stream_i (job.stream),
      .context_i     (context_of(job)),
      .load_cipher_i (load_cipher[g]),
      .load_mac_i    (load_mac[g]),
      .cells_i       (cells),
      .start_i       (start[g]),
      .stop_i        (stop[g]),
      .quiet_o       (quiet[g]),
      .starving_o    (starving[g]),
      .long_o        (long_packet[g]),
      .park_i        (park[g]),
      .resume_i      (resume[g]),
      .resume_stream_i(resume_stream),
      .shift_next_i  (shift_next),
      .shift_rest_next_i(shift_rest_next),
      .moved_i       (moved),
      .chain_i       (chain),
      .chain_o       (lane_chain[g]),
      .in_available_i(req_i.in_available),
      .pop_o         (pop_request[g+1]),
      .stream_o      (stream[g+1]),
      .pop_ready_i   (pop_grant[g+1]),
      .in_word_i     (req_i.in_word),
      .out_room_i    (req_i.out_room),
      .out_valid_o   (out_request[g]),
      .out_ready_i   (out_grant[g]),
      .out_data_o    (out_data[g]),
      .out_bytes_o   (out_bytes[g]),
      .done_valid_o  (done_request[g+1]),
      .done_ready_i  (done_grant[g+1]),
      .done_status_o (done_status[g+1]),
      .done_tag_o    (done_tag[g+1]),
      .done_tag_has_o(done_tag_has[g+1]),
      .abort_i       (req_i.abort)
    );
  end

  // ---- Priorities at the ports.
  localparam int unsigned IndexWidth = $clog2(Lanes + 1);
  localparam int unsigned OutWidth   = Lanes > 1 ? $clog2(Lanes) : 1;
  logic [IndexWidth-1:0] pop_index, done_index;
  logic [OutWidth-1:0]   out_index;
  logic                  out_waiting;
  logic [Lanes-1:0]      out_aborted;
  ow_stream_t            out_stream;
  ow_streams_t           abort;
  ow_arbiter #(.Count(Lanes + 1)) u_pop (
    .clk_i, .rst_ni,
    .request_i(pop_request),
    .grant_o  (pop_grant),
    .valid_o  (rsp_o.in_pop),
    .ready_i  (req_i.in_pop_ready),
    .index_o  (pop_index)
  );
  ow_arbiter #(.Count(Lanes)) u_out (
    .clk_i, .rst_ni,
    .request_i(out_request),
    .grant_o  (out_grant),
    .valid_o  (out_waiting),
    .ready_i  (req_i.out_ready),
    .index_o  (out_index)
  );
  assign out_stream          = stream[32'(out_index) + 1];
  assign abort               = req_i.abort;
  // Of each lane, for this does not wait for the choice.
  always_comb for (int g = 0; g < Lanes; g++) out_aborted[g] = abort[stream[g+1]];
  assign rsp_o.out_valid     = out_waiting && !out_aborted[out_index];
  ow_arbiter #(.Count(Lanes + 1)) u_done (
    .clk_i, .rst_ni,
    .request_i(done_request),
    .grant_o  (done_grant),
    .valid_o  (rsp_o.done_valid),
    .ready_i  (req_i.done_ready),
    .index_o  (done_index)
  );
  assign rsp_o.in_pop_stream = stream[pop_index];
  assign rsp_o.out_stream    = out_stream;
  always_comb begin
    rsp_o.out_data = 'x;
    if (out_waiting) rsp_o.out_data = out_data[out_index];
  end
  assign rsp_o.out_bytes     = out_bytes[out_index];
  assign rsp_o.done_stream   = done_index == '0 ? reap_stream : stream[done_index];
  assign rsp_o.done_status   = done_status[done_index];
  // Each word of a lane has a signal of its own, and no mask waits for the choice.
  // `keep`: the mapper would make these signals multiplexers.
  (* keep *) logic [Lanes:1][3:0] shows;
  logic [3:0][31:0] shown_tag;
  always_comb begin
    shown_tag = '0;
    for (int unsigned g = 1; g <= Lanes; g++) begin
      for (int unsigned k = 0; k < 4; k++) begin
        shows[g][k] = done_index == IndexWidth'(g) && done_tag_has[g][k];
        if (shows[g][k]) shown_tag[k] |= done_tag[g][32*k +: 32];
      end
    end
  end
  always_comb begin
    rsp_o.done_tag = 'x;
    if (rsp_o.done_valid) rsp_o.done_tag = shown_tag;
  end
  assign rsp_o.busy          = start_busy || share_busy || keys_busy || !(&lane_idle);
  assign rsp_o.made_valid = 1'b0;
  assign rsp_o.made       = '0;
endmodule

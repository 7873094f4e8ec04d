// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The lattice engine: ML-KEM (FIPS 203) and ML-DSA (FIPS 204), one job at a time (rtl/lattice/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv; ow_engine_mux grants the ports. Commands of all streams are accepted at
// once and wait here. A job begins when its input buffer is full or holds all; it may then wait for words, or for room,
// for Patience cycles in total, after which it ends with TIMEOUT. An aborted job ends within three cycles, plus one for
// each job to be dropped. After a job all that it leaves is wiped, of working memory the polynomials that its program has
// named; after reset everything.
module lattice
  import lattice_rom_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned Patience   = 16384,
  parameter int unsigned MostRounds = 814      // of a signature that are rejected (FIPS 204, appendix C)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  lattice_plan u_plan (.cmd_i(req_i.plan_command), .plan_o(rsp_o.plan));

  // No keys in slots.
  assign rsp_o.key_load_ready   = req_i.key_load_valid;
  assign rsp_o.key_load_refused = 1'b1;
  assign rsp_o.zeroise_ready    = req_i.zeroise_valid;

  typedef enum logic [2:0] {Wipe, Idle, Start, Run, Finish} step_e;
  step_e      step_q;
  logic [9:0] count_q;
  logic [7:0] status_q;
  logic [9:0] wipe_last_q;   // the last address of working memory that the job may have written
  logic [5:0] slot;          // of working memory that is written now
  logic       stop, start, starved, ended, bad;
  localparam int unsigned StarvedWidth = $clog2(Patience + 1);
  logic [StarvedWidth-1:0] starved_q;

  // ---- Commands wait in their streams.
  typedef struct packed {
    logic [2:0] operation;     // the lowest digits of the opcode
    logic [3:0] k;
    logic [8:0] words;         // of input
  } job_t;
  job_t                  jobs_q [NumStreams];
  job_t                  job_q;
  logic [NumStreams-1:0] waiting_q, given_up;
  ow_stream_t            stream_q, picked, dropped, dropped_q;
  logic                  pick, pick_valid, drop_q;
  logic                  cmd_valid, done_ready, room;
  ow_stream_t            cmd_stream;
  ow_streams_t           in_available, out_room, abort;
  ow_owners_t            owners;
  assign owners           = req_i.owners;
  assign cmd_valid        = req_i.cmd_valid;
  assign cmd_stream       = req_i.cmd_stream;
  assign done_ready       = req_i.done_ready;
  assign in_available     = req_i.in_available;
  assign out_room         = req_i.out_room;
  assign abort            = req_i.abort;
  assign rsp_o.cmd_ready  = 1'b1;
  assign rsp_o.pop_wanted = '0;

  // Jobs cost different amounts: queues share the cycles.
  localparam int unsigned Most = 65535;
  logic [NumOwners-1:0][$clog2(Most+2)-1:0] spent;
  always_comb begin
    spent = '0;
    for (int q = 0; q < NumOwners; q++) spent[q][0] = step_q inside {Start, Run, Finish} && owners[q][stream_q];
  end
  ow_share_pick #(.Most(Most), .Greatest(1)) u_turns (
    .clk_i, .rst_ni,
    .request_i(waiting_q & req_i.in_loaded & ~req_i.abort),
    .owners_i (req_i.owners),
    .take_i   (pick && pick_valid),
    .spent_i  (spent),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );
  always_comb begin
    given_up = waiting_q & abort;
    if (drop_q) given_up[dropped_q] = 1'b0;
    dropped = '0;
    for (int s = NumStreams - 1; s >= 0; s--) if (given_up[s]) dropped = ow_stream_t'(s);
  end

  // ---- The job in progress.
  logic dsa, wiped;
  assign dsa   = job_q.operation inside {OpMldsaKeygen[2:0], OpMldsaSign[2:0], OpMldsaVerify[2:0]};
  assign wiped = count_q == wipe_last_q;
  assign pick  = step_q == Idle;
  assign start = step_q == Start;
  assign stop  = step_q inside {Start, Run}
                 && (abort[stream_q] || (starved_q == StarvedWidth'(Patience) && !rsp_o.out_valid));

  assign rsp_o.done_valid  = step_q == Finish || drop_q;
  assign rsp_o.done_stream = drop_q ? dropped_q : stream_q;
  assign rsp_o.done_status = drop_q ? 8'(StAborted) : status_q;
  assign rsp_o.done_tag    = '0;
  assign rsp_o.busy        = step_q != Idle || waiting_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= Wipe;
      wipe_last_q <= '1;
      count_q   <= '0;
      waiting_q <= '0;
      drop_q    <= 1'b0;
      dropped_q <= '0;
    end else begin
      count_q <= step_q == Wipe ? count_q + 10'd1 : '0;
      unique case (step_q)
        Wipe:    if (wiped) step_q <= Idle;
        Idle:    if (pick_valid) step_q <= Start;
        Start:   step_q <= Run;
        Run:     if (ended) step_q <= Finish;
        default: if (done_ready && !drop_q) step_q <= Wipe;
      endcase
      if (stop) step_q <= Finish;
      // Hints have 256 addresses, the ciphertext or w1 128.
      if (start) wipe_last_q <= dsa ? 10'd255 : 10'd127;
      else if ({slot, 4'hf} > wipe_last_q) wipe_last_q <= {slot, 4'hf};

      if (pick && pick_valid) waiting_q[picked] <= 1'b0;
      if (drop_q && done_ready) waiting_q[dropped_q] <= 1'b0;
      if (!drop_q || done_ready) begin
        drop_q    <= step_q != Finish && given_up != '0;
        dropped_q <= dropped;
      end
      if (cmd_valid) waiting_q[cmd_stream] <= 1'b1;
    end
    if (cmd_valid) begin
      jobs_q[cmd_stream] <= '{
        operation: req_i.cmd.opcode[2:0], k: req_i.cmd.iv[3:0],
        words: req_i.cmd_plan.aad_bytes[12:4] + 9'((req_i.cmd_plan.payload_bytes[12:0] + 13'd15) >> 4)
      };
    end
    if (pick && pick_valid) begin
      stream_q <= picked;
      job_q    <= jobs_q[picked];
    end
    if (pick) starved_q <= '0;
    else if (starved && !stop) starved_q <= starved_q + 1'b1;
    if (stop) status_q <= abort[stream_q] ? 8'(StAborted) : 8'(StTimeout);
    else if (ended) begin
      status_q <= !bad ? 8'(StOk) : job_q.operation == OpMldsaVerify[2:0] ? 8'(StAuthFailed) : 8'(StBadOperand);
    end
  end

  // ---- Its words: one is asked for when there is room for it.
  logic         in_valid_q, popped_q, in_take, popping;
  logic [127:0] in_q;
  logic [8:0]   left_q;        // words that have not been asked for
  assign room                = out_room[stream_q];
  assign rsp_o.in_pop        = step_q == Run && !stop && left_q != '0 && in_available[stream_q] && !popped_q
                               && (!in_valid_q || in_take);
  assign rsp_o.in_pop_stream = stream_q;
  assign popping             = rsp_o.in_pop && req_i.in_pop_ready;
  always_ff @(posedge clk_i) begin
    popped_q <= popping;
    if (popped_q) in_q <= req_i.in_word;
    if (popping) left_q <= left_q - 9'd1;
    in_valid_q <= popped_q || (in_valid_q && !in_take);
    if (start) left_q <= job_q.words;
    if (step_q == Wipe) begin
      popped_q   <= 1'b0;
      in_valid_q <= 1'b0;
      in_q       <= '0;
    end
  end

  logic         out_valid;
  logic [127:0] out;
  logic [4:0]   out_bytes;
  logic [1:0]   set, dsa_set;
  logic [10:0]  source_entry, poly_entry;
  assign set     = 2'(job_q.k - 4'd2);
  assign dsa_set = 2'((job_q.k >> 1) - 4'd2);
  always_comb begin
    unique case (job_q.operation)
      OpMlkemKeygen[2:0]:      {source_entry, poly_entry} = {SourceKeygen[set], PolyKeygen[set]};
      OpMlkemEncapsulate[2:0]: {source_entry, poly_entry} = {SourceEncapsulate[set], PolyEncapsulate[set]};
      OpMldsaKeygen[2:0]:      {source_entry, poly_entry} = {SourceKeygenDsa[dsa_set], PolyKeygenDsa[dsa_set]};
      OpMldsaSign[2:0]:        {source_entry, poly_entry} = {SourceSignDsa[dsa_set], PolySignDsa[dsa_set]};
      OpMldsaVerify[2:0]:      {source_entry, poly_entry} = {SourceVerifyDsa[dsa_set], PolyVerifyDsa[dsa_set]};
      default:                 {source_entry, poly_entry} = {SourceDecapsulate[set], PolyDecapsulate[set]};
    endcase
  end
  logic core_ended;
  lattice_core #(.MostRounds(MostRounds)) u_core (
    .clk_i,
    .clear_i       (step_q == Wipe),
    .start_i       (start),
    .source_entry_i(source_entry),
    .poly_entry_i  (poly_entry),
    .k_i           (job_q.k),
    .dsa_i         (dsa),
    .ended_o       (core_ended),
    .bad_o         (bad),
    .slot_o        (slot),
    .in_valid_i    (in_valid_q),
    .in_i          (in_q),
    .in_take_o     (in_take),
    .out_valid_o   (out_valid),
    .out_o         (out),
    .out_bytes_o   (out_bytes),
    .out_ready_i   (rsp_o.out_valid && req_i.out_ready)
  );
  assign ended            = step_q == Run && core_ended;
  assign starved          = step_q == Run
                            && ((left_q != '0 && !in_available[stream_q] && !in_valid_q) || (out_valid && !room));
  assign rsp_o.out_valid  = step_q == Run && out_valid && room && !abort[stream_q];
  assign rsp_o.out_stream = stream_q;
  assign rsp_o.out_data   = out;
  assign rsp_o.out_bytes  = out_bytes;
endmodule

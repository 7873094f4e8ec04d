// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The lattice engine: ML-KEM (FIPS 203) and ML-DSA (FIPS 204), one job after the other (rtl/lattice/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv; ow_engine_mux grants the ports. Commands of all streams are accepted at
// once and wait here. A job begins when its input buffer is full or holds all; it may then wait for words, or for room,
// for Patience cycles in total, after which it ends with TIMEOUT. An aborted job ends within three cycles, plus one for
// each job to be dropped. After a job all that it leaves is wiped, of working memory the polynomials that its program has
// named; after reset everything.
//
// When the source's program of a job of ML-KEM has ended (`tail`), another one of the same queue joins it: the source begins,
// its arithmetic when the first job is over. Nothing is wiped between these two; no program reads what it has not written. Jobs
// with keys in slots neither join nor are joined, and a job of another queue begins when all is wiped. If the first one is
// aborted, what it still gives is dropped; if the second one is, nothing joins the first any more.
//
// A key in a slot is a seed. A job with one runs two programs: key generation, whose result lattice_keys keeps, and then its
// own, which takes that as if the job had brought it. A job for the public key runs the first alone, and only the public key
// leaves. The shared secret of a job that names a slot for it does not leave either: it is offered to the shell as a made
// key, and the job ends with the shell's answer.
module lattice
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots    = 32,
  parameter int unsigned Butterflies = 8,      // 8, 4 or 2
  parameter int unsigned Patience    = 16384,
  parameter int unsigned MostRounds  = 814     // of a signature that are rejected (FIPS 204, appendix C)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  if (!(Butterflies inside {8, 4, 2})) begin : gen_error
    $error("lattice: Butterflies is %0d; it must be 8, 4 or 2.", Butterflies);
  end
  lattice_plan u_plan (.cmd_i(req_i.plan_command), .key_i(req_i.plan_key), .plan_o(rsp_o.plan));

  typedef enum logic [2:0] {
    Wipe,
    Idle,
    StartKey,    // of a job with a key in a slot
    RunKey,
    Start,
    Run,
    Give,        // the key that the job has made
    Finish
  } step_e;
  step_e      step_q;
  // Cycles in which everything that a job leaves is wiped: at least the words of the queue, the ciphertext's or w1's, of ML-DSA
  // the hints; then polynomials of working memory.
  localparam int unsigned Width     = 13 - $clog2(Butterflies);
  localparam int unsigned LeastKem  = lattice_pkg::Queued * 128 / Butterflies - 1;
  logic [Width-1:0] count_q;
  logic [7:0] status_q;
  logic [Width-1:0] wipe_last_q;   // the last address of working memory that the job may have written
  logic [Width-1:0] named;         // that of the polynomial that is written now
  logic [5:0] slot;          // of working memory that is written now
  logic       stop, start, start_key, expanded, starved, core_ended, ended, bad, core_bad, keys_busy;
  localparam int unsigned StarvedWidth = $clog2(Patience + 1);
  logic [StarvedWidth-1:0] starved_q;

  assign named = {slot, {Width-6{1'b1}}};

  // ---- Commands wait in their streams.
  typedef struct packed {
    logic [2:0] operation;     // the lowest digits of the opcode
    logic [3:0] k;
    logic [8:0] words;         // of input
    logic       slotted;
    logic [7:0] slot;
    logic [7:0] made_slot;
    logic [15:0] made_generation;   // 0: the job makes no key
  } job_t;
  job_t                  jobs_q [NumStreams];
  job_t                  job_q;
  logic [NumStreams-1:0] waiting_q, given_up;
  ow_stream_t            stream_q, picked, dropped, dropped_q;
  logic [7:0]            dropped_status_q;
  logic                  pick, pick_valid, takes, joinable, drop_q;
  logic                  cmd_valid, done_ready, room, made_ready, made_refused;
  ow_lattice_parameters_first_t parameters;
  ow_stream_t            cmd_stream;
  ow_streams_t           in_available, out_room, abort;
  ow_owners_t            owners;
  assign owners           = req_i.owners;
  assign cmd_valid        = req_i.cmd_valid;
  assign cmd_stream       = req_i.cmd_stream;
  assign done_ready       = req_i.done_ready;
  assign in_available     = req_i.in_available;
  assign out_room         = req_i.out_room;
  assign made_ready       = req_i.made_ready;
  assign made_refused     = req_i.made_refused;
  assign parameters       = ow_lattice_parameters_first_t'(req_i.cmd.iv[31:0]);
  assign abort            = req_i.abort;
  assign rsp_o.cmd_ready  = 1'b1;
  assign rsp_o.pop_wanted = '0;

  lattice_pick u_pick (
    .clk_i, .rst_ni, .request_i(waiting_q & req_i.in_coming & ~req_i.abort), .owners_i(req_i.owners),
    .spends_i(!(step_q inside {Wipe, Idle})), .spender_i(stream_q), .asks_i(pick || joinable), .takes_i(takes),
    .valid_o(pick_valid), .stream_o(picked)
  );
  always_comb begin
    given_up = waiting_q & abort;
    if (drop_q) given_up[dropped_q] = 1'b0;
    dropped = '0;
    for (int s = NumStreams - 1; s >= 0; s--) if (given_up[s]) dropped = ow_stream_t'(s);
  end

  // ---- The job that ends while `stream_q` begins. What is aside is answered beside the job in progress.
  logic       joins, join_q, leaving_q, mute_q, spoilt_q, tail, tail_bad, tired_q;
  logic       leaving_stops, joining_stops, leaving_ends, aside, aside_free;
  ow_stream_t leaving_stream_q, out_stream_q;         // `out_stream_q`: of the words that leave
  logic [7:0] aside_status;
  function automatic logic may_join(job_t job);
    return !job.slotted && job.operation inside {OpMlkemKeygen[2:0], OpMlkemEncapsulate[2:0], OpMlkemDecapsulate[2:0]};
  endfunction
  ow_streams_t same_queue;              // as the job in progress
  always_comb begin
    same_queue = '0;
    for (int q = 0; q < NumOwners; q++) if (owners[q][stream_q]) same_queue |= owners[q];
  end
  // What is chosen, and `stream_q`, have stood still since the cycle before.
  logic settled_q, suits_q;
  always_ff @(posedge clk_i) begin
    settled_q <= step_q == Run && pick_valid;
    suits_q   <= may_join(job_q) && may_join(jobs_q[picked]) && same_queue[picked];
  end
  assign joinable       = step_q == Run && tail && !leaving_q && !spoilt_q;
  assign joins          = joinable && !tired_q && !abort[stream_q] && pick_valid && settled_q && suits_q;
  assign takes          = pick_valid && (pick || joins);
  assign aside_free     = !drop_q || done_ready;
  assign leaving_stops  = leaving_q && !mute_q && aside_free && (abort[leaving_stream_q] || tired_q);
  assign joining_stops  = leaving_q && !leaving_stops && aside_free && !join_q && abort[stream_q];
  assign leaving_ends   = leaving_q && !leaving_stops && !joining_stops && !tail && (mute_q || aside_free);
  assign aside          = leaving_stops || joining_stops || (leaving_ends && !mute_q);
  assign aside_status   = joining_stops || abort[leaving_stream_q] ? 8'(StAborted)
                          : leaving_stops ? 8'(StTimeout) : tail_bad ? 8'(StBadOperand) : 8'(StOk);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || step_q == Wipe) begin
      {join_q, leaving_q, mute_q, spoilt_q} <= '0;
    end else begin
      join_q <= joins;
      if (joins) leaving_q <= 1'b1;
      if (leaving_stops) mute_q <= 1'b1;
      if (joining_stops) {leaving_q, spoilt_q} <= 2'b01;
      if (leaving_ends) {leaving_q, mute_q} <= '0;
    end
    if (joins) leaving_stream_q <= stream_q;
    if (pick) out_stream_q <= picked;
    else if (leaving_ends) out_stream_q <= stream_q;
  end

  // ---- The job in progress.
  logic dsa, generates, public_key, makes_key, wiped;
  assign dsa        = job_q.operation inside {OpMldsaKeygen[2:0], OpMldsaSign[2:0], OpMldsaVerify[2:0]};
  assign generates  = job_q.operation inside {OpMlkemKeygen[2:0], OpMldsaKeygen[2:0]};
  assign public_key = generates && job_q.slotted;
  always_ff @(posedge clk_i) makes_key <= job_q.made_generation != '0;     // neither of two jobs that are joined
  assign wiped      = count_q == wipe_last_q;
  assign pick       = step_q == Idle;
  assign start_key  = step_q == StartKey && !expanded && !public_key;
  assign start      = step_q == Start || start_key || join_q;
  assign stop       = step_q inside {StartKey, RunKey, Start, Run, Give} && !leaving_q
                      && (abort[stream_q] || (tired_q && step_q == Run));

  assign rsp_o.done_valid  = (step_q == Finish && !mute_q) || drop_q;
  assign rsp_o.done_stream = drop_q ? dropped_q : stream_q;
  assign rsp_o.done_status = drop_q ? dropped_status_q : status_q;
  assign rsp_o.done_tag    = '0;
  assign rsp_o.busy        = step_q != Idle || waiting_q != '0 || drop_q || keys_busy;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q    <= Wipe;
      wipe_last_q <= '1;
      count_q   <= '0;
      waiting_q <= '0;
      drop_q    <= 1'b0;
      dropped_q <= '0;
    end else begin
      count_q <= step_q == Wipe ? count_q + 1'b1 : '0;
      unique case (step_q)
        Wipe:     if (wiped) step_q <= Idle;
        Idle:     if (pick_valid) step_q <= jobs_q[picked].slotted ? StartKey : Start;
        StartKey: step_q <= start_key ? RunKey : Start;
        RunKey:   if (core_ended) step_q <= Start;
        Start:    step_q <= Run;
        Run:      if (ended) step_q <= makes_key && !bad ? Give : Finish;
        Give:     if (made_ready) step_q <= Finish;
        default:  if (mute_q || (done_ready && !drop_q)) step_q <= Wipe;
      endcase
      if (stop || (joining_stops && mute_q)) step_q <= Finish;
      if (step_q == Idle) wipe_last_q <= Width'(LeastKem);
      else if (start && dsa && wipe_last_q < Width'(255)) wipe_last_q <= Width'(255);
      else if (step_q inside {RunKey, Run} && named > wipe_last_q) wipe_last_q <= named;

      if (takes) waiting_q[picked] <= 1'b0;
      if (drop_q && done_ready) waiting_q[dropped_q] <= 1'b0;
      if (aside_free) begin
        drop_q    <= aside || (step_q != Finish && given_up != '0);
        dropped_q <= !aside ? dropped : joining_stops ? stream_q : leaving_stream_q;
      end
      if (cmd_valid) waiting_q[cmd_stream] <= 1'b1;
    end
    if (cmd_valid) begin
      jobs_q[cmd_stream] <= '{
        operation: req_i.cmd.opcode[2:0], k: parameters.k,
        words: req_i.cmd_plan.aad_bytes[12:4] + 9'((req_i.cmd_plan.payload_bytes[12:0] + 13'd15) >> 4),
        slotted: req_i.cmd_plan.uses_key, slot: req_i.cmd.key,
        made_slot: parameters.slot, made_generation: parameters.generation
      };
    end
    if (aside_free) dropped_status_q <= aside ? aside_status : 8'(StAborted);
    if (takes) begin
      stream_q <= picked;
      job_q    <= jobs_q[picked];
    end
    if (joining_stops) stream_q <= leaving_stream_q;
    if (pick || leaving_ends) starved_q <= '0;
    else if (starved && starved_q != StarvedWidth'(Patience)) starved_q <= starved_q + 1'b1;
    // Seen in a cycle in which nothing is offered, and nothing is from then on: no word is taken back.
    tired_q <= !(pick || leaving_ends) && (tired_q || (starved_q == StarvedWidth'(Patience) && !rsp_o.out_valid));
    if (stop) status_q <= abort[stream_q] ? 8'(StAborted) : 8'(StTimeout);
    else if (ended) begin
      status_q <= !bad ? 8'(StOk) : job_q.operation == OpMldsaVerify[2:0] ? 8'(StAuthFailed) : 8'(StBadOperand);
    end else if (made_ready) begin
      status_q <= made_refused ? 8'(StKeyDenied) : 8'(StOk);
    end
  end

  // ---- What leaves a program: of key generation for a slot only the private or only the public key is kept.
  logic         out_valid, keeps, fill_ready, offers, out_ready, out_taken, waits;
  logic [127:0] out;
  logic [4:0]   out_bytes;
  logic [8:0]   size, first, last, sk_words, out_at_q;
  assign size     = 9'(job_q.k);
  assign sk_words = job_q.k == 4'd8 ? 9'd306 : job_q.k == 4'd6 ? 9'd252 : 9'd160;
  always_ff @(posedge clk_i) begin      // before the first word is there
    {first, last} <= {9'd0, 9'd511};
    if (public_key) begin
      first <= dsa ? 9'd0 : 9'd24 * size;
      last  <= dsa ? 9'd20 * size + 9'd2 : 9'd48 * size + 9'd2;
    end
    if (step_q == RunKey && dsa) first <= 9'd20 * size + 9'd2;
  end
  logic [8:0] out_next;
  assign out_next = out_at_q + 9'd1;
  always_ff @(posedge clk_i) begin
    out_at_q <= start ? '0 : out_taken ? out_next : out_at_q;
    keeps    <= out_taken ? out_next >= first && out_next < last : out_at_q >= first && out_at_q < last;
  end

  // ---- The key that a job makes: what its program gives, which leaves by no other way.
  logic [255:0] made_q;
  assign rsp_o.made_valid = step_q == Give && !abort[stream_q];
  assign rsp_o.made       = '{
    stream: stream_q, slot: job_q.made_slot, generation: job_q.made_generation, key: step_q == Give ? made_q : '0
  };
  always_ff @(posedge clk_i) begin
    if (step_q == Wipe) made_q <= '0;
    else if (step_q == Run && makes_key && out_taken) made_q <= {out, made_q[255:128]};
  end

  // ---- Words that enter: first those of the key in a slot, then the stream's.
  logic         in_valid_q, popped_q, near_q, in_take, popping, wants, reads;
  logic [127:0] in_q, key_word;
  logic [8:0]   left_q;        // words that have not been asked for
  logic [8:0]   near_left_q, near_at_q;
  assign wants               = step_q inside {RunKey, Run} && !stop && !abort[stream_q] && !popped_q
                               && (!in_valid_q || in_take);
  assign reads               = wants && near_left_q != '0;
  assign rsp_o.in_pop        = wants && near_left_q == '0 && left_q != '0 && in_available[stream_q];
  assign rsp_o.in_pop_stream = stream_q;
  assign popping             = rsp_o.in_pop && req_i.in_pop_ready;
  always_ff @(posedge clk_i) begin
    popped_q <= popping || reads;
    near_q   <= reads;
    if (popped_q) in_q <= near_q ? key_word : req_i.in_word;
    if (popping) left_q <= left_q - 9'd1;
    if (reads) begin
      near_left_q <= near_left_q - 9'd1;
      near_at_q   <= near_at_q + 9'd1;
    end
    in_valid_q <= popped_q || (in_valid_q && !in_take);
    if (start) begin
      left_q      <= start_key ? '0 : job_q.words;
      near_at_q   <= '0;
      near_left_q <= '0;
      if (start_key || public_key) near_left_q <= dsa ? 9'd2 : 9'd4;
      else if (job_q.slotted) near_left_q <= dsa ? sk_words : 9'd48 * size + 9'd6;
    end
    if (joining_stops) left_q <= '0;
    if (step_q == Wipe) begin
      popped_q   <= 1'b0;
      in_valid_q <= 1'b0;
      in_q       <= '0;
    end
  end

  lattice_keys #(.NumSlots(NumSlots)) u_keys (
    .clk_i, .rst_ni,
    .busy_o            (keys_busy),
    .key_load_valid_i  (req_i.key_load_valid),
    .key_load_ready_o  (rsp_o.key_load_ready),
    .key_load_refused_o(rsp_o.key_load_refused),
    .key_load_i        (req_i.key_load),
    .zeroise_valid_i   (req_i.zeroise_valid),
    .zeroise_all_i     (req_i.zeroise_all),
    .zeroise_slot_i    (req_i.zeroise_slot),
    .zeroise_ready_o   (rsp_o.zeroise_ready),
    .wiping_i          (step_q == Wipe),
    .slot_i            (job_q.slot),
    .expanded_o        (expanded),
    .fill_begin_i      (start_key && !stop),
    .fill_valid_i      (step_q == RunKey && !stop && out_valid && keeps),
    .fill_ready_o      (fill_ready),
    .fill_word_i       (out),
    .fill_end_i        (step_q == RunKey && !stop && core_ended),
    .fill_drop_i       (step_q == RunKey && stop),
    .read_i            (reads),
    .read_expanded_i   (step_q == Run && !public_key),
    .read_at_i         (near_at_q),
    .word_o            (key_word)
  );

  logic [10:0] source_entry, poly_entry;
  logic        starts_key_q;            // the step is StartKey
  always_ff @(posedge clk_i) starts_key_q <= pick && pick_valid && jobs_q[picked].slotted;
  lattice_entry u_entry (
    .operation_i(!starts_key_q ? job_q.operation : dsa ? OpMldsaKeygen[2:0] : OpMlkemKeygen[2:0]), .k_i(job_q.k),
    .source_o(source_entry), .poly_o(poly_entry)
  );
  lattice_core #(.Butterflies(Butterflies), .MostRounds(MostRounds)) u_core (
    .clk_i,
    .over_i        (step_q == Finish),
    .clear_i       (step_q == Wipe),
    .start_i       (start),
    .poly_start_i  ((start && !leaving_q) || leaving_ends),
    .hold_i        (leaving_q),
    .halt_i        (joining_stops),
    .source_entry_i(source_entry),
    .poly_entry_i  (poly_entry),
    .k_i           (job_q.k),
    .dsa_i         (dsa),
    .ended_o       (core_ended),
    .tail_o        (tail),
    .bad_o         (core_bad),
    .tail_bad_o    (tail_bad),
    .slot_o        (slot),
    .in_valid_i    (in_valid_q),
    .in_i          (in_q),
    .in_take_o     (in_take),
    .out_valid_o   (out_valid),
    .out_o         (out),
    .out_bytes_o   (out_bytes),
    .out_ready_i   (out_ready)
  );
  assign ended            = step_q == Run && core_ended && !leaving_q;
  assign bad              = spoilt_q ? tail_bad : core_bad;
  assign starved          = step_q == Run && !mute_q
                            && ((left_q != '0 && near_left_q == '0 && !in_available[stream_q] && !in_valid_q
                                 && !leaving_q)
                                || (out_valid && keeps && !makes_key && !room));
  // Whether a word may leave does not depend on whether there is one, nor the other way round.
  // Of the cycle before: a word more may leave behind room, and be lost behind an abort.
  // A word that was offered stays so.
  assign waits           = rsp_o.out_valid && !req_i.out_ready;
  always_ff @(posedge clk_i) begin
    room <= (out_room[out_stream_q] || waits) && !abort[out_stream_q] && !pick && !leaving_ends;
  end
  assign offers          = step_q == Run && keeps && !makes_key && room && !mute_q && !tired_q;
  assign rsp_o.out_valid = offers && out_valid && !abort[out_stream_q];
  assign out_taken       = out_valid && out_ready;
  always_comb begin
    unique case (step_q)
      RunKey:  out_ready = fill_ready || !keeps;
      Run:     out_ready = keeps && !makes_key && !mute_q ? offers && req_i.out_ready : 1'b1;
      default: out_ready = 1'b0;
    endcase
  end
  assign rsp_o.out_stream = out_stream_q;
  assign rsp_o.out_data   = out;
  assign rsp_o.out_bytes  = out_bytes;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_first_program: assert (starts_key_q == (step_q == StartKey));
    a_keeps_the_right_words: assert (!out_taken || keeps == (out_at_q >= first && out_at_q < last));
    a_queues_do_not_meet: assert (!leaving_q || mute_q || abort[stream_q] || same_queue[leaving_stream_q]);
    a_keys_in_slots_do_not_meet: assert (!leaving_q || (step_q == Run && !job_q.slotted && !dsa));
    a_what_is_dropped_does_not_leave: assert (!mute_q || !rsp_o.out_valid);
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Starts jobs: stores the commands that wait for a lane, fetches keys, computes the cells from them and loads a free
// lane.
//
// It starts one job at a time. A job whose key or IV has several words is started when all of them are available, so
// that no job waits for another job's words. radio_share decides which of the waiting jobs may be next (`ready_o`,
// `choose_next_i`). The first word is fetched before a lane is free, so that a lane waits only five cycles between two
// packets: the first cells are computed while it is chosen, and loaded from a register a cycle later. The end of a job
// that is aborted before it has a lane is signalled here (`reap_*`). No output depends
// combinationally on an input.
module radio_start
  import ow_engine_pkg::*;
  import radio_pkg::*;
#(
  parameter int unsigned Lanes      = 4,
  localparam int unsigned LaneWidth = Lanes > 1 ? $clog2(Lanes) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  input  ow_stream_t            cmd_stream_i,
  input  ow_command_t           cmd_i,
  input  logic [NumOwners-1:0][NumStreams-1:0] members_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] abort_i,

  output logic                  pop_o,
  output ow_stream_t            pop_stream_o,
  input  logic                  pop_ready_i,
  input  logic [127:0]          in_word_i,

  output logic                  key_read_o,
  output logic [7:0]            key_slot_o,
  output logic [1:0]            key_word_o,
  input  logic [127:0]          key_i,

  output logic [NumStreams-1:0] ready_o,        // jobs that could be next in the next cycle
  input  logic [NumStreams-1:0] choose_next_i,  // those of them that may be
  output logic                  wants_o,        // `job_o` waits for a lane
  input  logic [NumStreams-1:0] give_up_i,      // aborted jobs without a lane, whose end is signalled here
  input  logic [Lanes-1:0]      free_i,
  output logic [Lanes-1:0]      take_o,
  output radio_job_t            job_o,
  output logic [Lanes-1:0]      load_cipher_o,
  output logic [Lanes-1:0]      load_mac_o,
  output load_t                 cells_o,
  output logic [Lanes-1:0]      start_o,

  output logic                  reap_valid_o,
  output ow_stream_t            reap_stream_o,
  input  logic                  reap_ready_i,
  output logic                  busy_o
);
  function automatic ow_stream_t lowest(logic [NumStreams-1:0] mask);
    lowest = '0;
    for (int i = NumStreams - 1; i >= 0; i--) if (mask[i]) lowest = ow_stream_t'(i);
  endfunction

  // ---- Commands that wait.
  radio_job_t            jobs_q [NumStreams];
  logic [NumStreams-1:0] waiting_q;
  logic [NumStreams-1:0] keyed_q;               // the start needs no word
  logic [NumStreams-1:0] several_q;             // the start needs several words
  radio_opcode_t         opcode;
  assign opcode = radio_opcode_t'(cmd_i.opcode);
  logic opcode_long;
  assign opcode_long = opcode.cipher == AlgZuc256 || opcode.mac == AlgZuc256;
  always_ff @(posedge clk_i) begin
    if (cmd_valid_i) begin
      jobs_q[cmd_stream_i] <= '{
        stream: cmd_stream_i, cipher: opcode.cipher, mac: opcode.mac, inline_key: cmd_i.inline_key, slot: cmd_i.key,
        decrypt: cmd_i.decrypt, append: cmd_i.append_tag, tag_bytes: cmd_i.tag_length, length: cmd_i.length,
        iv: ow_spec_pkg::ow_radio_iv_t'(cmd_i.iv)
      };
      keyed_q[cmd_stream_i] <= !cmd_i.inline_key && !opcode_long;
      several_q[cmd_stream_i] <= opcode_long || (opcode.cipher != AlgNone && opcode.mac != AlgNone);
    end
  end

  // Inputs of the previous cycle: jobs that may start, aborted streams. No stream is in both.
  logic [NumStreams-1:0] request_q, abort_q, reap;
  logic                  reap_valid_q;
  ow_stream_t            reap_stream_q;
  assign reap_valid_o  = reap_valid_q;
  assign reap_stream_o = reap_stream_q;
  // `abort_i` too: it tells a new job of a stream from the aborted one before it.
  assign reap = waiting_q & abort_q & abort_i;

  // ---- The job being started.
  logic       active_q, taken_q;
  radio_job_t job_q, next_job;
  logic [LaneWidth-1:0] lane_q;
  logic       pick_valid;
  ow_stream_t pick;
  logic [NumStreams-1:0] picked;
  assign ready_o = waiting_q & (keyed_q | (in_available_i & (in_enough_i | ~several_q))) & ~abort_i;
  assign wants_o = active_q && !taken_q;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners), .Early(1'b1)) u_pick (
    .clk_i, .rst_ni,
    .request_i(request_q),
    .member_i (members_i),
    .take_i   (!active_q),
    .valid_o  (pick_valid),
    .choice_o (picked)
  );
  assign pick     = number_of(picked);
  assign next_job = jobs_q[pick];
  assign busy_o   = active_q || reap_valid_q || waiting_q != '0;
  assign job_o    = job_q;

  logic long_key, two_keys;
  assign long_key = job_q.cipher == AlgZuc256 || job_q.mac == AlgZuc256;
  assign two_keys = job_q.cipher != AlgNone && job_q.mac != AlgNone;

  // Words 0 to 3 are the keys, the cipher's first; 4 and 5 are the IV of ZUC-256.
  function automatic logic is_second(logic [2:0] index);   // of the MAC's key, after the cipher's
    return !index[2] && (long_key ? index[1] : index[0]);
  endfunction

  // A word is requested, arrives, is converted to cells, and is loaded in four cycles. The next one is requested so that
  // it can arrive in the last of them.
  logic [2:0] fetch_q, load_q, last_key, last_word;
  logic       pop_q, read_q, fetched_q, loading_q, done_q, from_slot, load, loaded;
  logic [1:0] turn_q;
  assign last_key     = long_key ? {1'b0, two_keys, 1'b1} : {2'b00, two_keys};
  assign last_word    = long_key ? 3'd5 : last_key;
  assign from_slot    = !job_q.inline_key && !fetch_q[2];
  assign pop_o        = pop_q;
  assign pop_stream_o = job_q.stream;
  assign key_read_o   = read_q;
  assign key_slot_o   = job_q.slot;
  assign key_word_o   = fetch_q[1:0];

  logic [127:0] word_q;
  logic         only_mac, wanted, take;
  logic [LaneWidth-1:0] free_lane;
  assign only_mac = job_q.cipher == AlgNone;
  assign wanted   = active_q && !pop_q && !read_q && !fetched_q && !done_q && (!loading_q || turn_q != '0);
  assign load     = loading_q && (taken_q || take);
  assign loaded   = load && turn_q == 2'd3;

  // What the word is for: decided when it arrives.
  logic for_mac_q, to_cipher_q, to_mac_q, second;
  alg_e alg_q;
  assign second = is_second(fetch_q);
  always_ff @(posedge clk_i) begin
    if (fetched_q) begin
      for_mac_q   <= only_mac || second;
      to_cipher_q <= !only_mac && !second;
      to_mac_q    <= only_mac || (two_keys && (fetch_q[2] || second));
      alg_q       <= fetch_q[2] ? AlgZuc256 : only_mac || second ? job_q.mac : job_q.cipher;
    end
  end

  // The cells of the present turn.
  load_t zuc, zuc256, snow3g;
  load_t cells;
  assign zuc    = load_zuc(job_q.iv, for_mac_q, word_q, turn_q);
  assign zuc256 = load_zuc256(zuc_pkg::d256(for_mac_q, job_q.tag_bytes[4:3]), load_q, word_q, turn_q);
  assign snow3g = load_snow3g(job_q.iv, for_mac_q, word_q, turn_q);
  assign cells  = alg_q == AlgZuc256 ? zuc256 : alg_q == AlgZuc ? zuc : snow3g;

  logic [Lanes-1:0] chosen;
  assign chosen = Lanes'(1) << (taken_q ? lane_q : free_lane);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !load) cells_o <= '0;
    else                  cells_o <= cells;
    load_cipher_o <= rst_ni && load && to_cipher_q ? chosen : '0;
    load_mac_o    <= rst_ni && load && to_mac_q ? chosen : '0;
    start_o       <= rst_ni && loaded && done_q ? chosen : '0;   // `done_q`: with the last word
  end

  // ---- A lane.
  always_comb begin
    free_lane = '0;
    for (int i = Lanes - 1; i >= 0; i--) if (free_i[i]) free_lane = LaneWidth'(i);
  end
  assign take   = active_q && !taken_q && free_i != '0 && !abort_i[job_q.stream];
  assign take_o = take ? Lanes'(1) << free_lane : '0;

  // A word is cleared in the cycle after it was loaded, or its job was aborted.
  always_ff @(posedge clk_i) begin
    if (!rst_ni)         word_q <= '0;
    else if (fetched_q)  word_q <= from_slot ? key_i : in_word_i;
    else if (!loading_q) word_q <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      request_q <= '0;
      abort_q   <= '0;
      reap_valid_q <= 1'b0;
      active_q  <= 1'b0;
      pop_q     <= 1'b0;
      read_q    <= 1'b0;
      fetched_q <= 1'b0;
      loading_q <= 1'b0;
    end else begin
      request_q <= ready_o & choose_next_i;
      abort_q <= abort_i;
      // A result stays until it is granted; the next one follows two cycles later.
      reap_valid_q <= reap_valid_q ? !reap_ready_i : reap != '0;
      if (!reap_valid_q) reap_stream_q <= lowest(reap);
      for (int s = 0; s < NumStreams; s++) if (give_up_i[s]) waiting_q[s] <= 1'b1;
      if (cmd_valid_i) waiting_q[cmd_stream_i] <= 1'b1;
      if (reap_valid_q) waiting_q[reap_stream_q] <= 1'b0;
      if (!active_q) begin
        if (pick_valid) begin
          active_q <= 1'b1;
          job_q    <= next_job;
          taken_q  <= 1'b0;
          turn_q   <= '0;
          done_q   <= 1'b0;
          fetch_q  <= '0;
          // The word that made the job ready, or the first word of its key.
          pop_q    <= next_job.inline_key;
          read_q   <= !next_job.inline_key;
          for (int s = 0; s < NumStreams; s++) if (picked[s]) waiting_q[s] <= 1'b0;
        end
      end else begin
        if (take) begin
          taken_q <= 1'b1;
          lane_q  <= free_lane;
        end
        fetched_q <= 1'b0;
        if (wanted) begin
          pop_q  <= !from_slot && in_available_i[job_q.stream];
          read_q <= from_slot;
        end
        if (read_q || (pop_q && pop_ready_i)) begin
          pop_q     <= 1'b0;
          read_q    <= 1'b0;
          fetched_q <= 1'b1;
        end
        if (load) turn_q <= turn_q + 1'b1;
        if (loaded) loading_q <= 1'b0;
        if (fetched_q) begin
          load_q    <= fetch_q;
          loading_q <= 1'b1;
          fetch_q   <= fetch_q == last_key ? 3'd4 : fetch_q + 1'b1;
          done_q    <= fetch_q == last_word;
        end
        if (abort_i[job_q.stream] || (loaded && done_q)) begin
          active_q  <= 1'b0;
          pop_q     <= 1'b0;
          read_q    <= 1'b0;
          fetched_q <= 1'b0;
          loading_q <= 1'b0;
          // Without a lane the job waits again, until its end is signalled.
          if (abort_i[job_q.stream] && !taken_q) waiting_q[job_q.stream] <= 1'b1;
        end
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_only_waiting_jobs: assert (active_q || (request_q & ~waiting_q) == '0);
    a_cells_are_loaded:  assert (cells_o == '0 || (load_cipher_o | load_mac_o) != '0);
  end
`endif
endmodule

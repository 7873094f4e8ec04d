// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The DES engine: DES and TDES, ECB and CBC, many streams in one ring of sixteen rounds (rtl/des/README.md). Legacy.
//
// The contract is rtl/common/ow_engine_pkg.sv. The engine shares the shell's ports with other engines: a pop, an output
// word or a result is requested until it is granted; an abort withdraws pops and output words.
//
// Words come from des_feed in halves, one at a time. Each has a place: its blocks wait there for the ring, and the
// blocks that leave the ring are put together there. Words leave in the order in which they came.
module des
  import des_job_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots   = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  ow_streams_t abort;
  ow_command_t command;
  assign abort   = req_i.abort;
  assign command = req_i.cmd;
  des_plan u_plan (.cmd_i(req_i.plan_command), .key_i(req_i.plan_key), .plan_o(rsp_o.plan));
  assign rsp_o.pop_wanted = '0;

  // ---- Keys in slots.
  logic         key_read, key_word, keys_ready, keys_busy;
  logic [7:0]   key_slot;
  logic [127:0] key;
  assign rsp_o.key_load_refused = !known(req_i.key_load.kind) || req_i.key_load.bytes != key_bytes(req_i.key_load.kind);
  ow_key_store #(.NumSlots(NumSlots), .Words(2)) u_keys (
    .clk_i, .rst_ni,
    .ready_o(keys_ready),
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

  // ---- Words in.
  logic        cmd, feed_ready, go, feed_key, feed_block, push, wipe, wiped, space_q, ended_q, result_q;
  logic [1:0]  feed_index;
  logic [63:0] half;
  des_word_t   fed, head;
  logic        leave, complete, chain_out;   // a block leaves the ring; with its word; it is the next one's chain
  des_block_t  leaving;
  assign cmd             = req_i.cmd_valid && rsp_o.cmd_ready;
  assign rsp_o.cmd_ready = keys_ready && feed_ready && !chain_out;
  assign go              = !req_i.cmd_valid && !complete;
  des_feed u_feed (
    .clk_i, .rst_ni,
    .cmd_valid_i       (cmd),
    .cmd_ready_o       (feed_ready),
    .cmd_stream_i      (req_i.cmd_stream),
    .cmd_i             (command),
    .owners_i          (req_i.owners),
    .available_i       (req_i.in_available),
    .enough_i          (req_i.in_enough),
    .loaded_i          (req_i.in_loaded),
    .room_i            (req_i.out_room),
    .abort_i           (req_i.abort),
    .space_i           (space_q),
    .chained_i         (chain_out && !leaving.word.last),
    .chained_stream_i  (leaving.word.stream),
    .pop_o             (rsp_o.in_pop),
    .pop_stream_o      (rsp_o.in_pop_stream),
    .pop_ready_i       (req_i.in_pop_ready),
    .in_word_i         (req_i.in_word),
    .key_read_o        (key_read),
    .key_slot_o        (key_slot),
    .key_word_o        (key_word),
    .key_i             (key),
    .go_i              (go),
    .key_o             (feed_key),
    .block_o           (feed_block),
    .index_o           (feed_index),
    .half_o            (half),
    .push_o            (push),
    .word_o            (fed),
    .ended_i           (ended_q && !result_q),
    .ended_stream_i    (head.stream),
    .wipe_o            (wipe),
    .wiped_o           (wiped)
  );

  // ---- The chain and the keys of each stream: a job's end wipes them. The chain is the last block of ciphertext, from
  // the port when deciphering and from the ring when enciphering.
  logic [63:0]  chain_q [NumStreams];
  (* ram_style = "distributed" *) des_pkg::cd_t keys_q [NumStreams * 4];
  logic [63:0]  chain, result;
  logic         chain_in;
  assign chain    = chain_q[fed.stream];
  assign chain_in = feed_block && fed.mode.cbc && fed.mode.decrypt;
  always_ff @(posedge clk_i) begin
    if (cmd || chain_out || chain_in || wipe) begin
      chain_q[chain_out ? leaving.word.stream : cmd ? req_i.cmd_stream : fed.stream] <=
        ({64{chain_out}} & result) | ({64{cmd}} & aes_pkg::swap64(command.iv[63:0])) | ({64{chain_in}} & half);
    end
    if (feed_key) keys_q[{fed.stream, feed_index}] <= des_pkg::pc1(half);
  end

  // ---- The places of words, from the first that is not out, over the first that is not in the ring, to the next free.
  // A place whose word is done shows its mark. Its blocks are wiped when both have left the ring.
  des_word_t   words_q [Places], next_word;
  logic        shown_q [Places];
  logic [63:0] first_q [Places];
  logic [63:0] second_q [Places];
  logic [63:0] mask_q  [Places * 2];
  logic [63:0] low_q   [Places];
  logic [63:0] high_q  [Places];
  logic [4:0]  head_q, next_q, free_q, used;
  des_place_t  head_place, next_place, free_place;
  logic [63:0] block;
  assign head_place = head_q[3:0];
  assign next_place = next_q[3:0];
  assign free_place = free_q[3:0];
  assign next_word  = words_q[next_place];
  assign head       = words_q[head_place];
  assign used       = free_q - head_q;
  // In CBC encryption the first block is combined with the chain here, the second one where it enters the ring.
  assign block      = complete ? '0 :
                      half ^ (fed.mode.cbc && !fed.mode.decrypt && !feed_index[0] ? chain : '0);
  always_ff @(posedge clk_i) begin
    if (push) begin
      words_q[free_place] <= '{
        stream: fed.stream, mode: fed.mode, both: fed.both, empty: fed.empty, last: fed.last,
        mark: shown_q[free_place] ^ !fed.empty
      };
    end
    if (complete || (feed_block && !feed_index[0])) first_q[complete ? leaving.place : free_place] <= block;
    if (complete || (feed_block && feed_index[0])) second_q[complete ? leaving.place : free_place] <= block;
    if (feed_block) mask_q[{free_place, feed_index[0]}] <= chain;
    if (leave && !leaving.second) low_q[leaving.place] <= aes_pkg::swap64(result);
    if (complete) begin
      high_q[leaving.place]  <= aes_pkg::swap64(result);
      shown_q[leaving.place] <= leaving.word.mark;
    end
  end

  // ---- The ring. Where a block is through, its word's second one or another word may enter in its place.
  logic        ring_valid, again, second, fresh, enter;
  logic [63:0] ring_in, ring_out, exchanged;
  des_block_t  entering;
  assign again     = ring_valid && !leaving.final_pass;
  assign leave     = ring_valid && leaving.final_pass;
  assign second    = leave && !leaving.ends;
  assign chain_out = complete && leaving.word.mode.cbc && !leaving.word.mode.decrypt;
  assign fresh     = !again && !second && next_q != free_q;
  assign enter     = again || second || (fresh && !next_word.empty);
  assign exchanged = {ring_out[31:0], ring_out[63:32]};
  assign result    = des_pkg::ip_inverse(exchanged) ^
    (leaving.word.mode.cbc && leaving.word.mode.decrypt ? mask_q[{leaving.place, leaving.second}] : '0);
  always_comb begin
    entering = leaving;
    if (again) begin
      entering.pass = leaving.pass + 2'd1;
    end else begin
      entering.pass   = '0;
      entering.second = second;
    end
    if (!again && !second) begin
      entering.word  = next_word;
      entering.place = next_place;
    end
    entering.final_pass = !entering.word.mode.tdes || entering.pass == 2'd2;
    entering.ends       = entering.second || !entering.word.both;
    // The final permutation and the initial one of the next block cancel, too.
    ring_in = '0;
    if (!again) ring_in = des_pkg::ip(second ? second_q[leaving.place] : first_q[next_place]);
    if (again || (second && leaving.word.mode.cbc && !leaving.word.mode.decrypt)) ring_in ^= exchanged;
  end
  des_ring u_ring (
    .clk_i, .rst_ni,
    .valid_i   (enter),
    .block_i   (ring_in),
    .cd_i      (keys_q[{entering.word.stream, entering.word.mode.decrypt && entering.word.mode.tdes ?
                        2'd2 - entering.pass : entering.pass}]),
    .reverse_i (entering.word.mode.decrypt ^ (entering.pass == 2'd1)),
    .what_i    (entering),
    .valid_o   (ring_valid),
    .block_o   (ring_out),
    .what_o    (leaving),
    .complete_o(complete)
  );

  // ---- Words out; behind a job's last one the job is wiped and its result given.
  logic        ready, drop, gone, result_aborted_q;
  ow_stream_t  result_stream_q;
  logic [63:0] result_tag_q;
  logic [4:0]  jobs_q;
  assign ready            = head_q != next_q && shown_q[head_place] == head.mark && !ended_q;
  assign drop             = head.empty || abort[head.stream];
  assign gone             = ready && (drop || req_i.out_ready);
  assign rsp_o.out_valid  = ready && !drop;
  assign rsp_o.out_stream = head.stream;
  assign rsp_o.out_data   = {high_q[head_place], low_q[head_place]};
  assign rsp_o.out_bytes  = head.both ? 5'd16 : 5'd8;
  assign rsp_o.done_valid  = result_q;
  assign rsp_o.done_stream = result_stream_q;
  assign rsp_o.done_status = result_aborted_q ? StAborted : StOk;
  assign rsp_o.done_tag    = {64'd0, aes_pkg::swap64(result_tag_q)};
  assign rsp_o.busy        = jobs_q != '0 || keys_busy;
  assign rsp_o.made_valid = 1'b0;
  assign rsp_o.made       = '0;

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      result_stream_q  <= head.stream;
      result_aborted_q <= abort[head.stream];
      result_tag_q     <= head.mode.cbc && !abort[head.stream] ? chain : '0;
    end
    if (!rst_ni) begin
      head_q   <= '0;
      next_q   <= '0;
      free_q   <= '0;
      space_q  <= 1'b0;
      ended_q  <= 1'b0;
      result_q <= 1'b0;
      jobs_q   <= '0;
    end else begin
      space_q <= used < 5'd14;
      free_q  <= free_q + 5'(push);
      next_q  <= next_q + 5'(fresh);
      head_q  <= head_q + 5'((gone && !head.last) || wiped);
      jobs_q  <= jobs_q + 5'(cmd) - 5'(result_q && req_i.done_ready);
      if (gone && head.last) ended_q <= 1'b1;
      if (wiped) ended_q <= 1'b0;
      if (wiped) result_q <= 1'b1;
      else if (req_i.done_ready) result_q <= 1'b0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_place_is_free: assert (!push || used != 5'd16);
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// AES with HMAC: makes the AES engine and the hash engine work on one stream, in one pass over memory.
//
// Stands between ow_engine_mux and the two engines, which know nothing of it: each gets a job of its own kind, a cipher
// job and an HMAC job whose message is the AAD and the ciphertext. To the shell such a stream is the hash engine's.
//   words    of the stream's sections payload goes to AES, tag to the hash engine; AAD is fetched from here
//   message  comes to the hash engine through a few words a stream: AAD; then the ciphertext, encrypting, the words
//            that AES puts out, decrypting, those that it pops, held back for as long as the others are in the rounds.
//            AES takes one word a cycle, so no two ciphertext words ever arrive together; a word of AAD waits for a
//            gap. The hash engine is told that a stream has enough words when a block's worth stands here, or the end
//            of the message: it holds no unit for a word that AES has yet to make.
//   stalls   AES is not given a payload word of such a stream unless the hash engine has a place for its ciphertext;
//            it waits for nothing else, and other streams for nothing at all.
//   results  AES's result only opens the way to the tag; the hash engine's is the job's.
// Streams of plain jobs pass through unchanged.
module combined_chain
  import combined_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumStreams = 16
) (
  input  logic                  clk_i,     // runs while the hash engine's does
  input  logic                  rst_ni,

  // The shell's and the multiplexer's side; of the engines' ports those that are changed.
  input  ow_command_t           cmd_i,
  input  ow_plan_t              cmd_plan_i,
  input  ow_stream_t            cmd_stream_i,
  input  logic                  aes_cmd_valid_i,
  input  logic                  hash_cmd_valid_i,
  output logic                  hash_cmd_ready_o,
  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] in_loaded_i,
  input  logic [NumStreams-1:0] abort_i,
  input  logic [127:0]          in_word_i,
  output logic                  hash_in_pop_o,
  input  logic                  hash_in_pop_ready_i,
  output ow_stream_t            hash_in_pop_stream_o,
  output logic                  hash_out_valid_o,
  input  logic                  hash_out_ready_i,
  output logic                  aes_done_valid_o,
  output logic                  hash_done_valid_o,
  input  logic                  hash_done_ready_i,
  input  ow_key_load_t          key_load_i,
  input  logic                  aes_key_load_valid_i,
  input  logic                  hash_key_load_valid_i,
  output logic                  hash_key_load_ready_o,

  // AES's side.
  output ow_command_t           aes_cmd_o,
  output ow_plan_t              aes_cmd_plan_o,
  output logic                  aes_cmd_valid_o,
  input  logic                  aes_cmd_ready_i,
  output logic [NumStreams-1:0] aes_in_available_o,
  input  logic                  aes_in_pop_i,
  input  ow_stream_t            aes_in_pop_stream_i,
  input  logic                  aes_out_valid_i,
  input  ow_stream_t            aes_out_stream_i,
  input  logic [127:0]          aes_out_data_i,
  input  logic                  aes_done_valid_i,
  input  ow_stream_t            aes_done_stream_i,
  output logic                  aes_key_load_valid_o,
  input  logic                  aes_key_load_ready_i,

  // The hash engine's side.
  output ow_command_t           hash_cmd_o,
  output ow_plan_t              hash_cmd_plan_o,
  output logic                  hash_cmd_valid_o,
  input  logic                  hash_cmd_ready_i,
  output logic [NumStreams-1:0] hash_in_available_o,
  output logic [NumStreams-1:0] hash_in_enough_o,
  output logic [NumStreams-1:0] hash_in_loaded_o,
  input  logic                  hash_in_pop_i,
  output logic                  hash_in_pop_ready_o,
  input  ow_stream_t            hash_in_pop_stream_i,
  output logic [127:0]          hash_in_word_o,
  input  logic                  hash_out_valid_i,
  output logic                  hash_out_ready_o,
  input  ow_stream_t            hash_out_stream_i,
  input  logic                  hash_done_valid_i,
  output logic                  hash_done_ready_o,
  input  ow_stream_t            hash_done_stream_i,
  output logic                  hash_key_load_valid_o,
  input  logic                  hash_key_load_ready_i,
  input  logic                  hash_key_load_refused_i,
  output ow_key_load_t          hash_key_load_o
);
  typedef logic [NumStreams-1:0] streams_t;
  typedef logic [28:0] words_t;

  // ---- Commands: to both engines at once.
  logic combined, start;
  assign combined         = is_combined(cmd_i.opcode);
  assign aes_cmd_o        = combined ? cipher_command(cmd_i) : cmd_i;
  assign aes_cmd_plan_o   = combined ? cipher_plan(cmd_plan_i) : cmd_plan_i;
  assign hash_cmd_o       = combined ? mac_command(cmd_i) : cmd_i;
  assign hash_cmd_plan_o  = combined ? mac_plan(cmd_i, cmd_plan_i) : cmd_plan_i;
  assign aes_cmd_valid_o  = aes_cmd_valid_i || (hash_cmd_valid_i && combined && hash_cmd_ready_i);
  assign hash_cmd_valid_o = hash_cmd_valid_i && (!combined || aes_cmd_ready_i);
  assign hash_cmd_ready_o = hash_cmd_ready_i && (!combined || aes_cmd_ready_i);
  assign start            = hash_cmd_valid_i && hash_cmd_ready_o && combined;

  // ---- Keys: to the hash engine, and unless it refuses to AES.
  logic pair, mac_loaded_q;
  assign pair                  = hash_key_load_valid_i && is_combined(key_load_i.kind);
  assign hash_key_load_o       = pair ? mac_key(key_load_i) : key_load_i;
  assign hash_key_load_valid_o = hash_key_load_valid_i && !mac_loaded_q;
  assign hash_key_load_ready_o = (hash_key_load_ready_i && (!pair || hash_key_load_refused_i))
                                 || (mac_loaded_q && aes_key_load_ready_i);
  assign aes_key_load_valid_o  = aes_key_load_valid_i || mac_loaded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || hash_key_load_ready_o) mac_loaded_q <= 1'b0;
    else if (pair && hash_key_load_ready_i) mac_loaded_q <= 1'b1;
  end

  // ---- Streams.
  streams_t combined_q, decrypt_q, append_q;
  streams_t aad_q;                         // AAD words come first: not all of them stand in the message's words
  streams_t ciphered_q;                    // AES is done: what is left is the tag
  words_t   aad_left_q [NumStreams];
  streams_t room, some, enough;

  logic       aad_pop, aad_put, stored_pop, aes_pop, over;
  ow_stream_t aad_stream_q;                // of the AAD word that was popped last
  words_t     aad_left;                    // words not yet put
  assign stored_pop = hash_in_pop_i && combined_q[hash_in_pop_stream_i] && some[hash_in_pop_stream_i];
  assign aad_left   = aad_left_q[aad_stream_q];
  assign aes_pop    = aes_in_pop_i && combined_q[aes_in_pop_stream_i];
  assign over       = hash_done_valid_o && hash_done_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      combined_q <= '0;
      aad_q      <= '0;
      ciphered_q <= '0;
    end else begin
      if (aes_done_valid_i) ciphered_q[aes_done_stream_i] <= 1'b1;
      if (aad_put && aad_left == 29'd1) aad_q[aad_stream_q] <= 1'b0;
      if (over) begin
        combined_q[hash_done_stream_i] <= 1'b0;
        aad_q[hash_done_stream_i]      <= 1'b0;
      end
      if (start) begin
        combined_q[cmd_stream_i] <= 1'b1;
        aad_q[cmd_stream_i]      <= cmd_plan_i.aad_bytes != '0;
        ciphered_q[cmd_stream_i] <= 1'b0;
      end
    end
    if (aad_put) aad_left_q[aad_stream_q] <= aad_left - 29'd1;
    if (start) begin
      decrypt_q[cmd_stream_i]  <= cmd_i.decrypt;
      append_q[cmd_stream_i]   <= cmd_i.append_tag;
      aad_left_q[cmd_stream_i] <= 29'((33'(cmd_plan_i.aad_bytes) + 33'd15) >> 4);
    end
  end

  // ---- Words in.
  logic         stored_q;
  logic [127:0] stored_word;
  assign aes_in_available_o  = in_available_i & (~combined_q | (~aad_q & room));
  assign hash_in_available_o = (in_available_i & (~combined_q | (~aad_q & ciphered_q))) | (combined_q & some);
  assign hash_in_enough_o    = (~combined_q & in_enough_i) | (combined_q & (enough | (some & ~aad_q & ciphered_q)));
  assign hash_in_loaded_o    = combined_q | in_loaded_i;

  // ---- AAD: a word every second cycle at most, before what the hash engine asks for; streams take turns by queues. A
  // word that is here when its stream's job has been given up is dropped with it.
  logic         aad_here_q, aad_popped_q, hash_pop, aad_valid, aad_dropped;
  logic [127:0] aad_word_q;
  streams_t     aad_ready;
  ow_stream_t   aad_stream;
  logic [NumOwners-1:0][NumStreams-1:0] members;
  always_comb for (int q = 0; q < NumOwners; q++) members[q] = owners_i[q][NumStreams-1:0];
  assign aad_ready   = combined_q & aad_q & room & in_available_i & ~abort_i & {NumStreams{!aad_here_q}};
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_aad (
    .clk_i, .rst_ni,
    .request_i(aad_ready),
    .member_i (members),
    .take_i   (aad_pop),
    .valid_o  (aad_valid),
    .index_o  (aad_stream)
  );
  assign hash_pop             = hash_in_pop_i && !stored_pop;
  assign hash_in_pop_o        = hash_pop || aad_valid;
  assign hash_in_pop_stream_o = aad_valid ? aad_stream : hash_in_pop_stream_i;
  assign hash_in_pop_ready_o  = stored_pop || (hash_in_pop_ready_i && !aad_valid);
  assign aad_pop              = aad_valid && hash_in_pop_ready_i;
  assign aad_dropped          = over && hash_done_stream_i == aad_stream_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aad_here_q   <= 1'b0;
      aad_popped_q <= 1'b0;
    end else begin
      aad_popped_q <= aad_pop;
      if (aad_pop) aad_here_q <= 1'b1;
      else if (aad_put || aad_dropped) aad_here_q <= 1'b0;
    end
    if (aad_pop) aad_stream_q <= aad_stream;
    if (aad_popped_q) aad_word_q <= in_word_i;
  end
  assign hash_in_word_o      = stored_q ? stored_word : in_word_i;
  always_ff @(posedge clk_i) stored_q <= stored_pop;

  // ---- Ciphertext that AES decrypts, in the 16 cycles that its block is in the rounds, and one more.
  typedef struct packed {
    ow_stream_t   stream;
    logic [127:0] word;
  } held_t;
  logic [3:0]   now_q;
  logic [15:0]  held_valid_q;
  held_t        held_q [16];
  held_t        late_q;
  logic         late_valid_q, popped_q;
  ow_stream_t   popped_stream_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q        <= '0;
      held_valid_q <= '0;
      late_valid_q <= 1'b0;
      popped_q     <= 1'b0;
    end else begin
      now_q               <= now_q + 4'd1;
      popped_q            <= aes_pop && decrypt_q[aes_in_pop_stream_i];
      held_valid_q[now_q] <= popped_q;
      late_valid_q        <= held_valid_q[now_q];
    end
    if (aes_pop) popped_stream_q <= aes_in_pop_stream_i;
    if (popped_q) held_q[now_q] <= '{stream: popped_stream_q, word: in_word_i};
    if (held_valid_q[now_q]) late_q <= held_q[now_q];
  end

  logic put_out;
  assign aad_put = aad_here_q && !put_out && !late_valid_q && !aad_dropped;
  assign put_out = aes_out_valid_i && combined_q[aes_out_stream_i] && !decrypt_q[aes_out_stream_i];
  combined_fifo #(.NumStreams(NumStreams)) u_fifo (
    .clk_i, .rst_ni,
    .clear_i         (start),
    .clear_stream_i  (cmd_stream_i),
    .reserve_i       (aes_pop || aad_pop),   // never both: one word is popped a cycle
    .reserve_stream_i(aes_pop ? aes_in_pop_stream_i : aad_stream),
    .push_i          (put_out || late_valid_q || aad_put),
    .push_stream_i   (put_out ? aes_out_stream_i : late_valid_q ? late_q.stream : aad_stream_q),
    .push_data_i     (put_out ? aes_out_data_i : late_valid_q ? late_q.word : aad_popped_q ? in_word_i : aad_word_q),
    .pop_i           (stored_pop),
    .pop_stream_i    (hash_in_pop_stream_i),
    .pop_data_o      (stored_word),
    .room_o          (room),
    .some_o          (some),
    .enough_o        (enough)
  );

  // ---- The MAC goes out where it is appended; in any case it comes with the result.
  logic kept;
  assign kept              = combined_q[hash_out_stream_i] && !append_q[hash_out_stream_i];
  assign hash_out_valid_o  = hash_out_valid_i && !kept;
  assign hash_out_ready_o  = kept || hash_out_ready_i;

  // ---- Results.
  logic complete;
  assign complete          = !combined_q[hash_done_stream_i] || ciphered_q[hash_done_stream_i];
  assign aes_done_valid_o  = aes_done_valid_i && !combined_q[aes_done_stream_i];
  assign hash_done_valid_o = hash_done_valid_i && complete;
  assign hash_done_ready_o = hash_done_ready_i && complete;
endmodule

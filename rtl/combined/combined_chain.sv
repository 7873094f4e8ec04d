// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// AES with HMAC: the AES engine and the hash engine process one stream, in one pass over memory.
//
// A filter between ow_engine_mux and the two engines. Each engine gets an ordinary job: a cipher job, and an HMAC job
// whose message is the AAD and the ciphertext. Combined jobs, their plans and their keys have their own port at the
// multiplexer; words and results use the port of the hash engine.
//   words    AES pops the payload, the hash engine pops the tag, and this module fetches the AAD.
//   message  reaches the hash engine through a FIFO of a few words per stream: first the AAD, then the ciphertext. That
//            is the output of AES when encrypting, and its input when decrypting, delayed by the latency of the rounds.
//            AES pops one word per cycle, so two ciphertext words never arrive together; a word of AAD waits for a free
//            cycle. The hash engine sees enough words in a stream when the FIFO has a block, or the end of the message,
//            so it never reserves a unit for a word that AES has not made yet.
//   stalls   AES gets a payload word of a combined stream only when the FIFO has a place for its ciphertext. It waits
//            for nothing else, and other streams do not wait.
//   results  The result of AES allows the tag to be processed; the result of the hash engine is the result of the job.
// Streams of other jobs pass through unchanged.
module combined_chain
  import combined_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1,      // of the hash engine
  parameter bit          EnableDecrypt = 1'b1  // of the AES engine
) (
  input  logic        clk_i,     // runs while the hash engine's clock runs
  input  logic        rst_ni,

  // The multiplexer's side.
  input  engine_req_t aes_req_i /*verilator split_var*/,
  output engine_rsp_t aes_rsp_o /*verilator split_var*/,
  input  engine_req_t hash_req_i /*verilator split_var*/,
  output engine_rsp_t hash_rsp_o /*verilator split_var*/,
  input  engine_req_t combined_req_i /*verilator split_var*/,
  output engine_rsp_t combined_rsp_o /*verilator split_var*/,

  // The engines' side.
  output engine_req_t aes_req_o /*verilator split_var*/,
  input  engine_rsp_t aes_rsp_i /*verilator split_var*/,
  output engine_req_t hash_req_o /*verilator split_var*/,
  input  engine_rsp_t hash_rsp_i /*verilator split_var*/
);
  // ---- Copies of the requests and responses. Both engines get the same request, except for the changes below.
  ow_command_t  cmd;
  ow_plan_t     plan;
  ow_stream_t   cmd_stream, aes_pop_stream, aes_done_stream, hash_done_stream;
  ow_owners_t   owners;
  ow_streams_t  in_available, in_enough, in_loaded, abort;
  logic [127:0] in_word;
  logic         aes_done, done_ready, hash_loaded;
  logic         hash_done;                 // its result may pass
  assign cmd              = hash_req_i.cmd;
  assign plan             = hash_req_i.cmd_plan;
  assign cmd_stream       = hash_req_i.cmd_stream;
  assign owners           = hash_req_i.owners;
  assign in_available     = hash_req_i.in_available;
  assign in_enough        = hash_req_i.in_enough;
  assign in_loaded        = hash_req_i.in_loaded;
  assign in_word          = hash_req_i.in_word;
  assign done_ready       = hash_req_i.done_ready;
  assign abort            = hash_req_i.abort;
  assign aes_pop_stream   = aes_rsp_i.in_pop_stream;
  assign aes_done         = aes_rsp_i.done_valid;
  assign aes_done_stream  = aes_rsp_i.done_stream;
  assign hash_done_stream = hash_rsp_i.done_stream;
  assign hash_loaded      = hash_rsp_i.key_load_ready;

  typedef ow_streams_t streams_t;
  typedef logic [28:0] words_t;

  // Returns a bit for a stream, if it is valid.
  function automatic streams_t only(logic valid, ow_stream_t stream);
    return valid ? streams_t'(1) << stream : '0;
  endfunction

  // ---- Commands: to both engines at once.
  logic combined, start;
  assign combined = combined_req_i.cmd_valid;
  assign start    = combined && hash_rsp_i.cmd_ready && aes_rsp_i.cmd_ready;

  // ---- Keys: to the hash engine, then to AES if the hash engine has not refused.
  logic pair, load_ready, mac_loaded_q;
  // A made key has no bytes for HMAC. With a length that no AES key has, AES would expand too few round keys.
  assign pair       = combined_req_i.key_load_valid && is_combined(combined_req_i.key_load.kind)
                      && !combined_req_i.key_load.made && combined_req_i.key_load.length <= ow_spec_pkg::KeyBits256;
  assign load_ready = (hash_loaded && hash_rsp_i.key_load_refused) || (mac_loaded_q && aes_rsp_i.key_load_ready);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || load_ready) mac_loaded_q <= 1'b0;
    else if (pair && hash_loaded) mac_loaded_q <= 1'b1;
  end

  // ---- Streams.
  streams_t combined_q, decrypt_q;
  streams_t kept_q;                        // of combined_q: its MAC is not appended
  streams_t aad_q;                         // not all AAD words are in the message FIFO yet
  streams_t ciphers_q;                     // of combined_q: AES is not done. After it only the tag is left
  streams_t room, some, enough;

  // How many words of AAD are not in the message FIFO yet: a memory, which a new job writes a cycle after its start.
  words_t     aad_left_q [NumStreams];
  words_t     aad_left, first_left_q;
  logic       first_q;
  ow_stream_t first_stream_q;

  logic       aad_pop, aad_put, stored_pop, aes_pop;
  logic       over, over_q;                // the result of over_stream_q is given, was given
  ow_stream_t over_stream_q;
  ow_stream_t aad_stream_q;                // of the AAD word that was popped last
  streams_t   aad_for_q;                   // the same as a bit
  streams_t   stored_for, aes_for;         // a bit for the stream of stored_pop and of aes_pop
  // The stream of a pop is known before the pop is.
  logic     is_stored;
  streams_t stored_at;
  assign stored_at  = combined_q & some & only(1'b1, hash_rsp_i.in_pop_stream);
  assign is_stored  = stored_at != '0;
  assign stored_for = hash_rsp_i.in_pop ? stored_at : '0;
  assign stored_pop = hash_rsp_i.in_pop && is_stored;
  assign aad_left   = aad_left_q[aad_stream_q];
  assign aes_for    = combined_q & only(aes_rsp_i.in_pop, aes_pop_stream);
  assign aes_pop    = aes_for != '0;
  assign over       = hash_done && done_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      combined_q <= '0;
      kept_q     <= '0;
      aad_q      <= '0;
      ciphers_q  <= '0;
      over_q     <= 1'b0;
    end else begin
      over_q <= over;
      if (aes_done) ciphers_q[aes_done_stream] <= 1'b0;
      if (aad_put && aad_left == 29'd1) aad_q[aad_stream_q] <= 1'b0;
      if (over) {combined_q[hash_done_stream], kept_q[hash_done_stream]} <= '0;
      if (over_q) aad_q[over_stream_q] <= 1'b0;
      if (start) begin
        combined_q[cmd_stream] <= 1'b1;
        kept_q[cmd_stream]     <= !cmd.append_tag;
        aad_q[cmd_stream]      <= plan.aad_bytes != '0;
        ciphers_q[cmd_stream]  <= 1'b1;
      end
    end
    if (start) decrypt_q[cmd_stream] <= cmd.decrypt;
  end
  always_ff @(posedge clk_i) begin
    over_stream_q <= hash_done_stream;
    first_q <= rst_ni && start;
    if (start) begin
      first_stream_q <= cmd_stream;
      first_left_q   <= 29'((33'(plan.aad_bytes) + 33'd15) >> 4);
    end
    if (first_q || aad_put) begin
      aad_left_q[first_q ? first_stream_q : aad_stream_q] <= first_q ? first_left_q : aad_left - 29'd1;
    end
  end

  // ---- Words in.
  logic         stored_q;
  logic [127:0] stored_word;

  // ---- AAD: at most one word every second cycle, with priority over the hash engine's pops; queues, then their
  // streams, take turns. The stream is chosen a cycle before its pop, and loses its turn if it has no word, no room or
  // no job any more then; the hash engine gets no word in that cycle. After the result of a job, an aborted one, its word
  // that waits here is dropped.
  logic         aad_here_q, aad_popped_q, hash_pop, aad_some_q, aad_turn, aad_valid, aad_dropped;
  logic [127:0] aad_word_q;
  streams_t     aad_seen_q, aad_ready, aad_choice, aad_next_q;   // seen: with a word and room for it
  ow_stream_t   aad_next_stream_q;
  logic         aad_some, aad_chooses;
  // Words and room are those of the cycle before: only a word of AAD that was popped then would change them, and behind
  // one there is a cycle without a turn.
  always_ff @(posedge clk_i) aad_seen_q <= room & in_available & ~abort;
  assign aad_ready   = combined_q & aad_q & aad_seen_q;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_aad (
    .clk_i, .rst_ni,
    .request_i(aad_ready),
    .member_i (owners),
    .take_i   (aad_chooses),
    .valid_o  (aad_some),
    .choice_o (aad_choice)
  );
  assign hash_pop    = hash_rsp_i.in_pop && !is_stored;
  assign aad_turn    = aad_some_q && !aad_here_q;
  assign aad_valid   = aad_turn && (aad_next_q & aad_ready) != '0;
  assign aad_pop     = aad_valid && hash_req_i.in_pop_ready;
  assign aad_chooses = aad_pop || (aad_next_q & aad_ready) == '0;
  assign aad_dropped = over_q && over_stream_q == aad_stream_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aad_here_q   <= 1'b0;
      aad_popped_q <= 1'b0;
      aad_next_q   <= '0;
      aad_some_q   <= 1'b0;
    end else begin
      if (aad_chooses) {aad_next_q, aad_some_q} <= {aad_choice, aad_some};
      aad_popped_q <= aad_pop;
      if (aad_pop) aad_here_q <= 1'b1;
      else if (aad_put || aad_dropped) aad_here_q <= 1'b0;
    end
    if (aad_chooses) aad_next_stream_q <= number_of(aad_choice);
    if (aad_pop) begin
      aad_stream_q <= aad_next_stream_q;
      aad_for_q    <= aad_next_q;
    end
    if (aad_popped_q) aad_word_q <= in_word;
  end
  always_ff @(posedge clk_i) stored_q <= stored_pop;

  // ---- The ciphertext that AES decrypts arrives at the FIFO as late after its pop as ciphertext that AES makes: it is
  // stored one cycle after the pop, and read one cycle before it is late enough.
  localparam logic [4:0] HeldCycles = 5'(aes_uop_pkg::PopToOut - 2);
  typedef struct packed {
    ow_stream_t   stream;
    logic [127:0] word;
  } held_t;
  logic [4:0]   now_q, then_q;
  logic [31:0]  held_valid_q;
  held_t        held_q [32];
  held_t        late_q;
  logic         late_valid_q, popped_q;
  ow_stream_t   popped_stream_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q        <= HeldCycles;
      then_q       <= '0;
      held_valid_q <= '0;
      late_valid_q <= 1'b0;
      popped_q     <= 1'b0;
    end else begin
      now_q               <= now_q + 5'd1;
      then_q              <= then_q + 5'd1;
      popped_q            <= aes_pop && decrypt_q[aes_pop_stream];
      held_valid_q[now_q] <= popped_q;
      late_valid_q        <= held_valid_q[then_q];
    end
    if (aes_pop) popped_stream_q <= aes_pop_stream;
    if (popped_q) held_q[now_q] <= '{stream: popped_stream_q, word: in_word};
    if (held_valid_q[then_q]) late_q <= held_q[then_q];
  end

  logic     put_out;
  streams_t out_for;
  assign aad_put = aad_here_q && !put_out && !late_valid_q && !aad_dropped && !first_q;
  assign out_for = combined_q & ~decrypt_q & only(aes_rsp_i.out_valid, aes_rsp_i.out_stream);
  assign put_out = out_for != '0;
  combined_fifo u_fifo (
    .clk_i, .rst_ni,
    .clear_i         (start),
    .clear_stream_i  (cmd_stream),
    .reserve_i       (aes_for | (aad_pop ? aad_next_q : '0)),   // never both: one word is popped a cycle
    .push_i          (out_for | only(late_valid_q, late_q.stream) | (aad_put ? aad_for_q : '0)),
    .push_stream_i   (put_out ? aes_rsp_i.out_stream : late_valid_q ? late_q.stream : aad_stream_q),
    .push_data_i     (put_out ? aes_rsp_i.out_data : late_valid_q ? late_q.word : aad_popped_q ? in_word : aad_word_q),
    .pop_i           (stored_for),
    .pop_stream_i    (hash_rsp_i.in_pop_stream),
    .pop_data_o      (stored_word),
    .room_o          (room),
    .some_o          (some),
    .enough_o        (enough)
  );

  // ---- The MAC is output if it is appended. It is always part of the result, which waits for the result of AES.
  logic kept, complete;
  assign kept      = kept_q[hash_rsp_i.out_stream];
  assign complete  = !ciphers_q[hash_done_stream];
  assign hash_done = hash_rsp_i.done_valid && complete;

  ow_plan_t both_plan;
  combined_plan #(.Algorithms(Algorithms), .EnableDecrypt(EnableDecrypt)) u_plan (
    .cmd_i (combined_req_i.plan_command),
    .key_i (combined_req_i.plan_key),
    .plan_o(both_plan)
  );

  // ---- To AES.
  always_comb begin
    aes_req_o                = aes_req_i;
    aes_req_o.cmd            = combined ? cipher_command(cmd) : cmd;
    aes_req_o.cmd_plan       = combined ? cipher_plan(plan) : plan;
    aes_req_o.cmd_valid      = aes_req_i.cmd_valid || (combined && hash_rsp_i.cmd_ready);
    aes_req_o.in_available   = in_available & (~combined_q | (~aad_q & room));
    aes_req_o.in_more        = aes_req_i.in_more & ~combined_q;
    aes_req_o.key_load_valid = aes_req_i.key_load_valid || mac_loaded_q;
  end

  // ---- To the hash engine.
  always_comb begin
    hash_req_o                = hash_req_i;
    hash_req_o.cmd            = combined ? mac_command(cmd) : cmd;
    hash_req_o.cmd_plan       = combined ? mac_plan(cmd, plan) : plan;
    hash_req_o.cmd_valid      = hash_req_i.cmd_valid || (combined && aes_rsp_i.cmd_ready);
    hash_req_o.in_available   = (in_available & ~(combined_q & (aad_q | ciphers_q))) | (combined_q & some);
    hash_req_o.in_enough      = (~combined_q & in_enough) | (combined_q & (enough | (some & ~aad_q & ~ciphers_q)));
    hash_req_o.in_loaded      = combined_q | in_loaded;
    hash_req_o.in_pop_ready   = is_stored || (hash_req_i.in_pop_ready && !aad_turn);
    hash_req_o.in_word        = stored_q ? stored_word : in_word;
    hash_req_o.out_ready      = kept || hash_req_i.out_ready;
    hash_req_o.done_ready     = done_ready && complete;
    hash_req_o.key_load       = pair ? mac_key(hash_req_i.key_load) : hash_req_i.key_load;
    hash_req_o.key_load_valid = hash_req_i.key_load_valid || (pair && !mac_loaded_q);
  end

  // ---- To the multiplexer.
  always_comb begin
    aes_rsp_o               = aes_rsp_i;
    aes_rsp_o.done_valid    = aes_done && !combined_q[aes_done_stream];
    hash_rsp_o              = hash_rsp_i;
    hash_rsp_o.in_pop       = aad_turn ? aad_valid : hash_pop;
    if (aad_turn) hash_rsp_o.in_pop_stream = aad_next_stream_q;
    hash_rsp_o.out_valid    = hash_rsp_i.out_valid && !kept;
    hash_rsp_o.done_valid   = hash_done;

    combined_rsp_o                  = EngineAbsent;
    combined_rsp_o.plan             = both_plan;
    combined_rsp_o.cmd_ready        = hash_rsp_i.cmd_ready && aes_rsp_i.cmd_ready;
    combined_rsp_o.key_load_ready   = load_ready || !pair;   // a key of another kind is refused at once
    combined_rsp_o.key_load_refused = hash_rsp_i.key_load_refused || !pair;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_ciphers_in_a_combined_job: assert ((ciphers_q & ~combined_q) == '0);
    a_no_word_is_left_of_the_job_before: assert (!start || !aad_here_q || aad_stream_q != cmd_stream);
    a_one_ciphertext_word_a_cycle: assert (!(put_out && late_valid_q));
    a_as_late_as_its_plaintext: assert (!late_valid_q || abort[late_q.stream]
                                        || (aes_rsp_i.out_valid && aes_rsp_i.out_stream == late_q.stream));
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Seals and opens states of messages under keys in slots, between the shell and the engines' shared ports.
//
// An engine's state reveals its key, or data that is equivalent to the key. So with a key in a slot the state that an
// engine pushes is kept here, sealed when the engine is done, and then pushed as nonce, tag and ciphertext. A job that
// loads a state gets no word before the whole sealed state has arrived and its tag is right. Everything else passes
// without delay. A state is bound to opcode, slot, the slot's generation, queue and number of words. It is not bound to
// a direction: a queue that may use the key both ways gets the same state from a new message with the same bytes, and
// for others the job is refused before. Nor is it bound to a time: an old state continues the same message a second
// time, as a new message with the same bytes would.
//
// The nonce is the queue's number and the count of its states since reset. So no nonce repeats under one key (a new
// seed does not clear the count), and a queue learns nothing about the work of others.
//
// One state at a time is sealed or opened, and the queues take turns. A stream is chosen only when its sealed state is
// there (at most 16 words), or when its output buffer has room for all it will push. So no queue can make another one wait.
// For a word that is fetched the engines get no input word for two cycles, and where they leave no free cycle on the port
// of output words, theirs are held back for single cycles.
module ow_seal
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned Rounds = 2      // of Ascon, per cycle: 1, 2 or 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic [127:0] key_i,            // seals states; valid while `req_i.seeded`
  input  logic [31:0]  generation_i,     // of the command's slot

  // The shell's side.
  input  engine_req_t  req_i /*verilator split_var*/,
  input  ow_streams_t  in_plenty_i,      // streams with at least 16 words, or all that will come
  output engine_rsp_t  rsp_o /*verilator split_var*/,
  output ow_streams_t  in_pop_set_o,     // the stream of `rsp_o.in_pop`, if there is one
  output logic         refuse_o,         // the stream's sealed state is not valid: StBadState
  output ow_stream_t   refuse_stream_o,

  // The engines' side.
  output engine_req_t  req_o /*verilator split_var*/,
  input  engine_rsp_t  rsp_i /*verilator split_var*/
);
  // ---- Fields of the request and of the response
  logic         seeded, cmd_valid, cmd_ready, in_pop, out_valid, done_valid;
  ow_stream_t   cmd_stream, in_pop_stream, out_stream, done_stream;
  ow_command_t  cmd;
  ow_plan_t     cmd_plan;
  ow_owners_t   owners;
  ow_streams_t  in_available, in_enough, in_loaded, out_room, abort;
  logic [127:0] in_word, out_data;
  logic [4:0]   out_bytes;
  logic [7:0]   done_status;
  assign seeded        = req_i.seeded;
  assign cmd_valid     = req_i.cmd_valid;
  assign cmd_stream    = req_i.cmd_stream;
  assign cmd           = req_i.cmd;
  assign cmd_plan      = req_i.cmd_plan;
  assign owners        = req_i.owners;
  assign in_available  = req_i.in_available;
  assign in_enough     = req_i.in_enough;
  assign in_loaded     = req_i.in_loaded;
  assign in_word       = req_i.in_word;
  assign out_room      = req_i.out_room;
  assign abort         = req_i.abort;
  assign cmd_ready     = rsp_i.cmd_ready;
  assign in_pop        = rsp_i.in_pop;
  assign in_pop_stream = rsp_i.in_pop_stream;
  assign out_valid     = rsp_i.out_valid;
  assign out_stream    = rsp_i.out_stream;
  assign out_data      = rsp_i.out_data;
  assign out_bytes     = rsp_i.out_bytes;
  assign {done_valid, done_stream, done_status} = {rsp_i.done_valid, rsp_i.done_stream, rsp_i.done_status};

  typedef ow_streams_t mask_t;
  typedef logic [3:0]  index_t;          // of a word in a state
  typedef struct packed {
    logic [31:0] generation;
    logic [7:0]  words;
    logic [7:0]  queue;
    logic [7:0]  slot;
    logic [7:0]  opcode;
  } bound_t;

  logic clk;            // gated: runs while a stream has a state here

  // ---- Streams
  mask_t  load_q;       // its sealed state waits for the worker
  mask_t  closed_q;     // its sealed state is not open yet: its engine gets no word
  mask_t  opened_q;     // the opened state is in the rows; not all of it has been popped
  mask_t  save_q;       // its new state must be sealed
  mask_t  over_q;       // of save_q: whatever the engine pushes from now on is state
  mask_t  seal_q;       // of save_q: the engine is done; the whole state waits for the worker
  mask_t  finished_q;   // of save_q: sealed, or aborted; `done` must still be passed on
  mask_t  spoilt_q;     // of finished_q: the state could not be sealed
  mask_t  used_q;       // its job has a state to open or to seal
  mask_t  wiping;       // its rows are being erased
  bound_t bound_q [NumStreams];
  // The numbers of the next word to be popped, and of the next one to be pushed. An engine may push words of the new
  // state before it has popped all of the old one, but no word before it has popped the old one of the same number.
  index_t popped_q [NumStreams], kept_q [NumStreams];
  index_t end_q    [NumStreams];         // of the old state's last word but one
  mask_t  ends_q;                        // the next word to be popped is that state's last one
  logic [32:0] left_q [NumStreams];      // bytes still to be pushed before the state

  logic [7:0] cmd_queue;
  wire        take = cmd_valid && cmd_ready && is_sealed(cmd_plan);
  always_comb begin
    cmd_queue = '0;
    for (int q = 0; q < NumOwners; q++) if (owners[q][cmd_stream]) cmd_queue = 8'(q);
  end

  logic       opened, push_state, pop_state, divert, stop, over;   // over: the job of over_stream ends
  ow_stream_t over_stream, own_stream;
  assign push_state = out_valid && save_q[out_stream] && over_q[out_stream];
  assign opened     = opened_q[in_pop_stream];   // the stream is known before the pop is
  assign pop_state  = in_pop && opened;
  assign divert     = done_valid && done_status == StOk && save_q[done_stream] && !abort[done_stream];

  // ---- The worker: seals or opens one state at a time
  typedef enum logic [1:0] {Idle, Begin, Work, Push} step_e;
  step_e        step_q;
  ow_stream_t   stream_q;
  logic         open_q, unseeded_q, core_done, good, bad;
  bound_t       bound;
  index_t       words, result_q;
  logic [4:0]   fetched_q, pushed_q;
  logic [127:0] nonce_q, tag, word_q;
  logic [NumOwners-1:0][63:0] count_q;
  logic [QueueWidth-1:0] queue;

  // What was known of a stream a cycle ago is enough: only the worker takes its words, and of the room that there was the
  // engine's last word has taken one place at most (28 words fit, a sealed state has 16).
  mask_t wanting, plenty_q, room_q, choice, choice_q, begins;
  logic  available_q;                    // the stream that is opened had a word
  always_ff @(posedge clk) {plenty_q, room_q, available_q} <= {in_plenty_i, out_room, in_available[stream_q]};
  assign wanting = ((load_q & plenty_q & ~wiping) | (seal_q & room_q)) & ~abort;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i(clk), .rst_ni, .request_i(wanting), .member_i(owners),
    .take_i(step_q == Idle && choice_q == '0), .valid_o(), .choice_o(choice)
  );
  // Chosen in one cycle, begun in the next, unless the job has been aborted.
  assign begins = step_q == Idle ? choice_q & (load_q | seal_q) & ~abort : '0;

  assign bound = bound_q[stream_q];
  assign words = bound.words[3:0];
  assign queue = bound.queue[QueueWidth-1:0];
  assign stop  = step_q != Idle && abort[stream_q];
  assign bad   = unseeded_q || !seeded || (open_q && !good);

  // The worker's next word: a sealed state comes from the shell, an engine's state from the rows.
  logic         fetching, fetchable, fetch, fetch_in, fetch_row, fetched_in_q, fetched_row_q, have_q;
  logic         word_take, push_out;
  logic         more_q;                  // words are left: of the cycle before, in which none was fetched
  logic         hold_in_q;               // no engine is granted a word now, and the first asks for none in the next
  logic         held_in_q;               // the same in the cycle before: in this one no engine pops
  logic         hold_out_q;              // in this cycle no engine is offered room
  logic [127:0] row_word;
  assign fetching  = (step_q == Work || step_q == Push) && !have_q && !fetched_in_q && !fetched_row_q && more_q;
  assign fetchable = fetching && (!open_q || available_q);
  assign fetch     = fetchable && hold_in_q && held_in_q;
  assign fetch_in  = fetch && open_q;
  assign fetch_row = fetch && !open_q;

  logic         result_valid, result_take;
  logic [127:0] result;
  assign result_take = result_valid && !push_state;
  ow_seal_core #(.Rounds(Rounds)) u_core (
    .clk_i(clk), .rst_ni,
    .start_i       (step_q == Begin),
    .stop_i        (stop),
    .open_i        (open_q),
    .words_i       (words),
    .key_i         (key_i),
    .nonce_i       (nonce_q),
    .bound_i       (bound),
    .word_valid_i  (have_q && step_q == Work),
    .word_i        (word_q),
    .word_take_o   (word_take),
    .result_valid_o(result_valid),
    .result_ready_i(!push_state),
    .result_o      (result),
    .done_o        (core_done),
    .good_o        (good),
    .tag_o         (tag)
  );

  // ---- The clock runs while a stream has a state to open or to seal, and until its last word has left.
  logic from_rows_q;
  ow_clock_gate u_gate (
    .clk_i,
    .enable_i(!rst_ni || take || step_q != Idle || have_q || fetched_in_q || fetched_row_q || from_rows_q
              || hold_in_q || held_in_q || hold_out_q || choice_q != '0 || refuse_o
              || (used_q | wiping | load_q | closed_q | opened_q | save_q | over_q | seal_q | finished_q | spoilt_q)
                 != '0),
    .clk_o   (clk)
  );

  // ---- Rows for states on their way. Only rows that the same job has written are read, and no job ends without its rows
  // being erased.
  ow_seal_rows u_rows (
    .clk_i(clk), .rst_ni, .write_i(push_state || result_take), .write_stream_i(push_state ? out_stream : stream_q),
    .write_row_i(push_state ? kept_q[out_stream] : result_q), .write_word_i(push_state ? out_data : result),
    .read_i(opened_q != '0 || fetch_row),   // a pop is known too late to enable the memory
    .read_stream_i(fetch_row ? stream_q : in_pop_stream),
    .read_row_i(fetch_row ? fetched_q[3:0] : popped_q[in_pop_stream]), .word_o(row_word),
    .forget_i(over ? used_q & mask_t'(1) << over_stream : '0), .wiping_o(wiping)
  );

  // ---- The request to the engines
  always_comb begin
    req_o              = req_i;
    req_o.in_available = (in_available & ~closed_q & ~opened_q) | (opened_q & ~abort);
    req_o.in_more      = req_o.in_more & ~closed_q & ~opened_q;
    // While opened words are left, `in_loaded` suffices: what follows them is in the input buffer, or fills it.
    req_o.in_enough    = (in_enough | (opened_q & in_loaded)) & ~closed_q;
    req_o.in_loaded    = in_loaded & ~closed_q;
    req_o.in_coming    = req_i.in_coming & ~closed_q;
    req_o.in_pop_ready = !hold_in_q;
    req_o.pop_queues   = {NumOwners{!hold_in_q}};
    req_o.in_word      = from_rows_q ? row_word : in_word;
    req_o.out_room     = out_room & {NumStreams{!hold_out_q}} & ~wiping;
    // The engine gets the plan that it made, with the state unsealed.
    if (is_sealed(cmd_plan)) begin
      req_o.cmd_plan.state_at    = cmd_plan.state_at + 4'(SealWords);
      req_o.cmd_plan.state_words = cmd_plan.state_words - SealWords;
    end
  end

  // The stream of an engine's word: what decides whether that leaves has few readers here.
  mask_t out_at, in_at, in_set;
  ow_decode u_out_at (.valid_i(out_valid), .stream_i(out_stream), .set_o(out_at));

  // ---- The response to the shell. An engine's `done` goes first; then the lowest stream whose `done` was held back.
  logic       pushing, push_ready, own_done;
  assign pushing     = step_q == Push && (pushed_q < 5'd2 || have_q);
  assign push_ready  = (out_at & ~(save_q & over_q)) == '0;
  assign push_out    = pushing && push_ready && !stop;
  assign own_done    = finished_q != '0 && !done_valid;
  assign over        = (done_valid && !divert) || own_done;
  assign over_stream = own_done ? own_stream : done_stream;
  always_comb begin
    own_stream = '0;
    for (int i = NumStreams - 1; i >= 0; i--) if (finished_q[i]) own_stream = ow_stream_t'(i);
  end
  always_comb begin
    rsp_o               = rsp_i;
    rsp_o.in_pop        = (in_pop && !opened) || fetch_in;
    rsp_o.in_pop_stream = fetch_in ? stream_q : in_pop_stream;
    rsp_o.out_valid     = (out_at & ~(save_q & over_q)) != '0 || push_out;
    if (push_out) begin
      rsp_o.out_stream  = stream_q;
      rsp_o.out_data    = pushed_q == 5'd0 ? nonce_q : pushed_q == 5'd1 ? tag : word_q;
      rsp_o.out_bytes   = 5'd16;
    end
    rsp_o.done_valid    = over;
    rsp_o.done_stream   = over_stream;
    if (own_done) rsp_o.done_status = spoilt_q[own_stream] ? 8'(StBadState) : 8'(StOk);
    // The completion record must not reveal any part of a state: no tag.
    if (own_done || save_q[done_stream]) rsp_o.done_tag = '0;
    // The sealed state is longer, and stands earlier in the context. Without a seed it is refused.
    if (is_sealed(rsp_i.plan)) begin
      rsp_o.plan.state_at    = rsp_i.plan.state_at - 4'(SealWords);
      rsp_o.plan.state_words = rsp_i.plan.state_words + SealWords;
      if (!seeded) rsp_o.plan.status = StBadState;
    end
  end

  // Pops are late. Decoded apart for the buffer, which only chooses by it; not for the registers here (CONTRIBUTING, Style).
  assign in_at = in_pop ? mask_t'(1) << in_pop_stream : '0;
  ow_decode u_in_at (.valid_i(in_pop), .stream_i(in_pop_stream), .set_o(in_set));
  assign in_pop_set_o = (in_set & ~opened_q) | (fetch_in ? ow_streams_t'(1) << stream_q : '0);

  // ---- The worker's steps, and the flags of every stream
  always_ff @(posedge clk) begin
    if (!rst_ni) begin
      step_q        <= Idle;
      choice_q      <= '0;
      {have_q, fetched_in_q, fetched_row_q, from_rows_q, hold_in_q, held_in_q, hold_out_q, refuse_o} <= '0;
      count_q       <= '0;
      {load_q, closed_q, opened_q, save_q, over_q, seal_q, finished_q, spoilt_q, used_q} <= '0;
    end else begin
      choice_q      <= step_q == Idle && choice_q == '0 ? choice : '0;
      from_rows_q   <= pop_state;
      fetched_in_q  <= fetch_in && !stop;
      fetched_row_q <= fetch_row && !stop;
      held_in_q     <= hold_in_q;
      refuse_o      <= step_q == Work && core_done && open_q && bad;
      hold_in_q     <= fetchable && !fetch;
      hold_out_q    <= pushing && !push_ready;
      if (fetched_in_q || fetched_row_q) have_q <= !stop;
      else if (word_take || (push_out && pushed_q >= 5'd2) || stop || step_q == Idle) have_q <= 1'b0;

      unique case (step_q)
        Idle: if (begins != '0) begin
          step_q <= Begin;
          seal_q <= seal_q & ~begins;
          load_q <= load_q & ~begins;
        end
        Begin: begin
          step_q <= Work;
          if (!open_q) count_q[queue] <= count_q[queue] + 64'd1;
        end
        Work: if (core_done) begin
          step_q <= open_q || bad ? Idle : Push;
          if (open_q && !bad) begin
            closed_q[stream_q] <= 1'b0;
            opened_q[stream_q] <= 1'b1;
          end
          if (!open_q && bad) begin
            finished_q[stream_q] <= 1'b1;
            spoilt_q[stream_q]   <= 1'b1;
          end
        end
        default: if (push_out && pushed_q == 5'(words) + 5'd1) begin
          step_q <= Idle;
          finished_q[stream_q] <= 1'b1;
        end
      endcase
      if (stop) begin
        step_q <= Idle;
        opened_q[stream_q]   <= 1'b0;
        finished_q[stream_q] <= !open_q;
      end

      for (int s = 0; s < NumStreams; s++) begin
        if (seal_q[s] && abort[s]) {seal_q[s], finished_q[s]} <= 2'b01;
        if (in_at[s] && opened_q[s] && ends_q[s]) opened_q[s] <= 1'b0;
      end
      if (out_valid && left_q[out_stream] == 33'(out_bytes)) over_q[out_stream] <= save_q[out_stream];
      if (divert) seal_q[done_stream] <= 1'b1;
      if (over) begin
        load_q[over_stream]     <= 1'b0;
        closed_q[over_stream]   <= 1'b0;
        opened_q[over_stream]   <= 1'b0;
        save_q[over_stream]     <= 1'b0;
        over_q[over_stream]     <= 1'b0;
        finished_q[over_stream] <= 1'b0;
        spoilt_q[over_stream]   <= 1'b0;
        used_q[over_stream]     <= 1'b0;
      end
      if (take) begin
        used_q[cmd_stream]   <= 1'b1;
        load_q[cmd_stream]   <= cmd_plan.state_in;
        closed_q[cmd_stream] <= cmd_plan.state_in;
        save_q[cmd_stream]   <= cmd_plan.state_out;
        over_q[cmd_stream]   <= cmd_plan.state_out && cmd_plan.out_bytes == '0;
      end
    end
  end

  // ---- The worker's job and words; the positions in each state
  always_ff @(posedge clk) begin
    if (step_q == Idle) begin
      stream_q <= number_of(choice_q);
      open_q   <= (load_q & choice_q) != '0;
    end
    if (core_done) refuse_stream_o <= stream_q;
    if (step_q == Begin) begin
      nonce_q    <= {(64 - QueueWidth)'(0), queue, count_q[queue]};
      unseeded_q <= !seeded;
      result_q   <= '0;
    end else begin
      if (!seeded) unseeded_q <= 1'b1;
      if (result_take) result_q <= result_q + 4'd1;
    end
    if (step_q != Push) pushed_q <= '0;
    else if (push_out) pushed_q <= pushed_q + 5'd1;
    more_q <= fetched_q != 5'(words) + (open_q ? SealWords : '0);
    if (step_q == Begin || (step_q == Work && core_done)) {fetched_q, more_q} <= {5'd0, 1'b1};
    else if (fetch_in || fetch_row) fetched_q <= fetched_q + 5'd1;
    if (fetched_in_q) word_q <= in_word;
    else if (fetched_row_q) word_q <= row_word;
    else if (step_q == Idle) word_q <= '0;

    if (push_state) kept_q[out_stream] <= kept_q[out_stream] + 4'd1;
    for (int s = 0; s < NumStreams; s++) begin
      if (in_at[s] && opened_q[s]) {popped_q[s], ends_q[s]} <= {popped_q[s] + 4'd1, popped_q[s] == end_q[s]};
    end
    if (out_valid) left_q[out_stream] <= left_q[out_stream] - 33'(out_bytes);
    if (take) begin
      end_q[cmd_stream]    <= 4'(cmd_plan.state_words - SealWords) - 4'd2;
      ends_q[cmd_stream]   <= cmd_plan.state_words == SealWords + 5'd1;
      {popped_q[cmd_stream], kept_q[cmd_stream]} <= '0;
      left_q[cmd_stream]   <= cmd_plan.out_bytes;
      bound_q[cmd_stream]  <= '{
        generation: generation_i, words: 8'(cmd_plan.state_words - SealWords), queue: cmd_queue,
        slot: cmd.key, opcode: cmd.opcode
      };
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_fetches_while_no_engine_pops: assert (!fetch || !in_pop);
    if (pop_state || fetch_row) a_uses_settled_rows: assert (
      u_rows.u_rows.write_i == '0 || u_rows.u_rows.write_address_i != u_rows.u_rows.read_address_i);
  end
`endif
endmodule

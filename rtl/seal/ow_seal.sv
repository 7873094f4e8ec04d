// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Between the shell and the engines' shared ports: states of messages under keys in slots pass it sealed.
//
// An engine's state gives its key away, or what is as good as the key. So with a key in a slot the state that an engine
// pushes is kept here, sealed when the engine is done, and only then pushed on, as nonce, tag and ciphertext; and a job
// that loads a state gets no word before all of the sealed one have come and the tag is right. Everything else passes
// in the cycle in which it comes. A state is bound to opcode, slot, the slot's generation and queue. It is not bound to
// a direction: for whoever may use the key both ways it is that of a fresh message with the same bytes, and others are
// refused before. Nor to a time: an old state is the same message forked, as a fresh one with the same bytes is.
//
// The nonce is the queue and the count of its states since reset, so no nonce comes twice under one key (a new seed
// does not clear the count), and a queue learns nothing of the others' work.
//
// One state at a time is sealed or opened, and the queues take turns. A stream gets its turn only when at least 12 of
// its words, or all, are there (a sealed state has at most 16; the rest was asked for along with them, of memory that
// answers in order), or when its output buffer has room for all it will push: what one queue does makes no other wait.
// Where the engines leave no gap on a port, their words are held back a cycle at a time until there is one.
module ow_seal
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumStreams = 16,
  localparam int unsigned NumQueues = NumOwners
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  seeded_i,          // `key_i` is one
  input  logic [127:0]          key_i,

  // Commands, as they are handed over.
  input  logic                  cmd_valid_i,
  input  logic                  cmd_ready_i,
  input  ow_stream_t            cmd_stream_i,
  input  ow_command_t           cmd_i,
  input  ow_plan_t              cmd_plan_i,
  input  logic [31:0]           cmd_generation_i,  // of the slot
  input  ow_owners_t            owners_i,

  // The shell's side.
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] in_loaded_i,
  output logic                  in_pop_o,
  output ow_stream_t            in_pop_stream_o,
  input  logic [127:0]          in_word_i,
  input  logic [NumStreams-1:0] out_room_i,
  output logic                  out_valid_o,
  output ow_stream_t            out_stream_o,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,
  output logic                  done_valid_o,
  output ow_stream_t            done_stream_o,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,
  input  logic [NumStreams-1:0] abort_i,
  output logic                  refuse_o,          // the stream's state is not one: StBadState
  output ow_stream_t            refuse_stream_o,

  // The engines' side.
  output logic [NumStreams-1:0] in_available_o,
  output logic [NumStreams-1:0] in_enough_o,
  output logic [NumStreams-1:0] in_loaded_o,
  input  logic                  in_pop_i,
  input  ow_stream_t            in_pop_stream_i,
  output logic [127:0]          in_word_o,
  output logic [NumStreams-1:0] out_room_o,
  input  logic                  out_valid_i,
  input  ow_stream_t            out_stream_i,
  input  logic [127:0]          out_data_i,
  input  logic [4:0]            out_bytes_i,
  input  logic                  done_valid_i,
  input  ow_stream_t            done_stream_i,
  input  logic [7:0]            done_status_i,
  input  logic [127:0]          done_tag_i
);
  typedef logic [NumStreams-1:0] mask_t;
  typedef logic [3:0] index_t;           // of a word in a state
  typedef struct packed {
    logic [31:0] generation;
    logic [7:0]  words;
    logic [7:0]  queue;
    logic [7:0]  slot;
    logic [7:0]  opcode;
  } bound_t;

  // ---- Streams
  mask_t  load_q;       // waits to have its state opened
  mask_t  closed_q;     // and until then gets no word
  mask_t  opened_q;     // the opened state is there; not all of it has been popped
  mask_t  save_q;       // its state is to be sealed
  mask_t  over_q;       // of those: what the engine pushes from now on is state
  mask_t  seal_q;       // its engine is done, the state is there
  mask_t  finished_q;   // sealed, or given up: `done` is owed
  mask_t  spoilt_q;     // of those: the state was not sealed
  bound_t bound_q [NumStreams];
  // The next word to be popped, and pushed. An engine may push words of the new state before it has popped all of the
  // old one, but none before that very word of the old one.
  index_t popped_q [NumStreams];
  index_t kept_q   [NumStreams];
  logic [32:0] left_q [NumStreams];      // bytes that come before the state

  logic       take;
  logic [7:0] cmd_queue;
  assign take = cmd_valid_i && cmd_ready_i && is_sealed(cmd_plan_i);
  always_comb begin
    cmd_queue = '0;
    for (int q = 0; q < NumQueues; q++) if (owners_i[q][cmd_stream_i]) cmd_queue = 8'(q);
  end

  logic push_state, pop_state, divert, stop, picked_valid;
  assign push_state = out_valid_i && save_q[out_stream_i] && over_q[out_stream_i];
  assign pop_state  = in_pop_i && opened_q[in_pop_stream_i];
  assign divert     = done_valid_i && done_status_i == StOk && save_q[done_stream_i] && !abort_i[done_stream_i];

  // ---- The worker
  typedef enum logic [1:0] {Idle, Begin, Work, Push} step_e;
  step_e        step_q;
  ow_stream_t   picked, stream_q;
  logic         open_q, unseeded_q, core_done, good, bad;
  bound_t       bound;
  index_t       words, result_q;
  logic [4:0]   fetched_q, pushed_q;
  logic [127:0] nonce_q, tag, word_q;
  logic [NumQueues-1:0][63:0] count_q;
  logic [$clog2(NumQueues)-1:0] queue;

  mask_t wanting;
  assign wanting = ((load_q & in_enough_i) | (seal_q & out_room_i)) & ~abort_i;
  ow_fair_pick #(.Count(NumStreams), .Groups(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(wanting),
    .member_i (owners_i),
    .take_i   (step_q == Idle),
    .valid_o  (picked_valid),
    .index_o  (picked)
  );

  assign bound = bound_q[stream_q];
  assign words = bound.words[3:0];
  assign queue = bound.queue[$clog2(NumQueues)-1:0];
  assign stop  = step_q != Idle && abort_i[stream_q];
  assign bad   = unseeded_q || !seeded_i || (open_q && !good);

  // The worker's next word: of a sealed state from the shell, of an engine's from the rows.
  logic         fetching, fetch_in, fetch_row, fetched_in_q, fetched_row_q, have_q, word_take, push_out, more;
  logic [127:0] row_word;
  assign more      = fetched_q != 5'(words) + (open_q ? SealWords : '0);
  assign fetching  = (step_q == Work || step_q == Push) && !have_q && !fetched_in_q && !fetched_row_q && more;
  assign fetch_in  = fetching && open_q && in_available_i[stream_q] && !(in_pop_i && !pop_state);
  assign fetch_row = fetching && !open_q && !pop_state;

  logic         result_valid, result_take;
  logic [127:0] result;
  assign result_take = result_valid && !push_state;
  ow_seal_core u_core (
    .clk_i, .rst_ni,
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

  // ---- Rows: states on their way, 16 words a stream. None is read that was not written for the same job.
  logic [127:0] rows_q [NumStreams * 16];
  logic         from_rows_q;
  always_ff @(posedge clk_i) begin
    if (push_state) rows_q[{out_stream_i, kept_q[out_stream_i]}] <= out_data_i;
    else if (result_take) rows_q[{stream_q, result_q}] <= result;
    if (pop_state || fetch_row) begin
      row_word <= rows_q[pop_state ? {in_pop_stream_i, popped_q[in_pop_stream_i]} : {stream_q, fetched_q[3:0]}];
    end
  end

  // ---- The ports
  logic hold_in_q, hold_out_q, own_done;
  ow_stream_t own_stream;
  assign in_available_o  = (in_available_i & ~closed_q & ~opened_q & {NumStreams{!hold_in_q}}) | (opened_q & ~abort_i);
  // Behind an opened state: enough if enough will follow at once.
  assign in_enough_o     = (in_enough_i | (opened_q & in_loaded_i)) & ~closed_q;
  assign in_loaded_o     = in_loaded_i & ~closed_q;
  assign in_pop_o        = (in_pop_i && !pop_state) || fetch_in;
  assign in_pop_stream_o = fetch_in ? stream_q : in_pop_stream_i;
  assign in_word_o       = from_rows_q ? row_word : in_word_i;

  logic pushing, push_ready;
  assign pushing      = step_q == Push && (pushed_q < 5'd2 || have_q);
  assign push_ready   = !out_valid_i || push_state;
  assign push_out     = pushing && push_ready && !stop;
  assign out_room_o   = out_room_i & {NumStreams{!hold_out_q}};
  assign out_valid_o  = (out_valid_i && !push_state) || push_out;
  assign out_stream_o = push_out ? stream_q : out_stream_i;
  assign out_data_o   = !push_out ? out_data_i : pushed_q == 5'd0 ? nonce_q : pushed_q == 5'd1 ? tag : word_q;
  assign out_bytes_o  = push_out ? 5'd16 : out_bytes_i;

  // An engine's `done` goes first; the lowest of those owed follows.
  assign own_done      = finished_q != '0 && !done_valid_i;
  always_comb begin
    own_stream = '0;
    for (int i = NumStreams - 1; i >= 0; i--) if (finished_q[i]) own_stream = ow_stream_t'(i);
  end
  assign done_valid_o  = (done_valid_i && !divert) || own_done;
  assign done_stream_o = own_done ? own_stream : done_stream_i;
  assign done_status_o = !own_done ? done_status_i : spoilt_q[own_stream] ? 8'(StBadState) : 8'(StOk);
  // Nothing of a state in the completion record either.
  assign done_tag_o    = own_done || save_q[done_stream_i] ? '0 : done_tag_i;

  assign refuse_o        = step_q == Work && core_done && open_q && bad;
  assign refuse_stream_o = stream_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q        <= Idle;
      have_q        <= 1'b0;
      fetched_in_q  <= 1'b0;
      fetched_row_q <= 1'b0;
      from_rows_q   <= 1'b0;
      hold_in_q     <= 1'b0;
      hold_out_q    <= 1'b0;
      count_q       <= '0;
      {load_q, closed_q, opened_q, save_q, over_q, seal_q, finished_q, spoilt_q} <= '0;
    end else begin
      from_rows_q   <= pop_state;
      fetched_in_q  <= fetch_in && !stop;
      fetched_row_q <= fetch_row && !stop;
      hold_in_q     <= fetching && open_q && in_pop_i && !pop_state;
      hold_out_q    <= pushing && !push_ready;
      if (fetched_in_q || fetched_row_q) have_q <= !stop;
      else if (word_take || (push_out && pushed_q >= 5'd2) || stop || step_q == Idle) have_q <= 1'b0;

      unique case (step_q)
        Idle: if (picked_valid) begin
          step_q         <= Begin;
          seal_q[picked] <= 1'b0;
          load_q[picked] <= 1'b0;
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
        if (seal_q[s] && abort_i[s]) begin
          seal_q[s]     <= 1'b0;
          finished_q[s] <= 1'b1;
        end
      end
      if (pop_state && popped_q[in_pop_stream_i] == bound_q[in_pop_stream_i].words[3:0] - 4'd1) begin
        opened_q[in_pop_stream_i] <= 1'b0;
      end
      if (out_valid_i && left_q[out_stream_i] == 33'(out_bytes_i)) over_q[out_stream_i] <= save_q[out_stream_i];
      if (divert) seal_q[done_stream_i] <= 1'b1;
      if (done_valid_o) begin
        load_q[done_stream_o]     <= 1'b0;
        closed_q[done_stream_o]   <= 1'b0;
        opened_q[done_stream_o]   <= 1'b0;
        save_q[done_stream_o]     <= 1'b0;
        over_q[done_stream_o]     <= 1'b0;
        finished_q[done_stream_o] <= 1'b0;
        spoilt_q[done_stream_o]   <= 1'b0;
      end
      if (take) begin
        load_q[cmd_stream_i]   <= cmd_plan_i.state_in;
        closed_q[cmd_stream_i] <= cmd_plan_i.state_in;
        save_q[cmd_stream_i]   <= cmd_plan_i.state_out;
        over_q[cmd_stream_i]   <= cmd_plan_i.state_out && cmd_plan_i.out_bytes == '0;
      end
    end

    if (step_q == Idle) begin
      stream_q <= picked;
      open_q   <= load_q[picked];
    end
    if (step_q == Begin) begin
      nonce_q    <= {62'd0, queue, count_q[queue]};
      unseeded_q <= !seeded_i;
      result_q   <= '0;
    end else begin
      if (!seeded_i) unseeded_q <= 1'b1;
      if (result_take) result_q <= result_q + 4'd1;
    end
    if (step_q != Push) pushed_q <= '0;
    else if (push_out) pushed_q <= pushed_q + 5'd1;
    if (step_q == Begin || (step_q == Work && core_done)) fetched_q <= '0;
    else if (fetch_in || fetch_row) fetched_q <= fetched_q + 5'd1;
    if (fetched_in_q) word_q <= in_word_i;
    else if (fetched_row_q) word_q <= row_word;
    else if (step_q == Idle) word_q <= '0;

    if (push_state) kept_q[out_stream_i] <= kept_q[out_stream_i] + 4'd1;
    if (pop_state) popped_q[in_pop_stream_i] <= popped_q[in_pop_stream_i] + 4'd1;
    if (out_valid_i) left_q[out_stream_i] <= left_q[out_stream_i] - 33'(out_bytes_i);
    if (take) begin
      popped_q[cmd_stream_i] <= '0;
      kept_q[cmd_stream_i]   <= '0;
      left_q[cmd_stream_i]   <= cmd_plan_i.out_bytes;
      bound_q[cmd_stream_i]  <= '{
        generation: cmd_generation_i, words: 8'(cmd_plan_i.state_words - SealWords), queue: cmd_queue,
        slot: cmd_i.key, opcode: cmd_i.opcode
      };
    end
  end
endmodule

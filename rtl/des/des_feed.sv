// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Fetches the keys and the words of all jobs, one word at a time, and gives them on in halves; wipes what a job leaves.
//
// A stream is chosen when it may have something to fetch, and is looked at again before its word is popped. A job starts
// when all words of its key are there, so that none waits for another job's words. A word is on the port for one cycle
// only: it is popped when the register for it will be free, and leaves that in halves, the first block first, in cycles
// in which the memories can be written (`go_i`). At the end of a job without a last word, or at its abort, an empty word
// follows those before it through the engine. When a job's last word has left, `ended_i` asks for the wipe.
module des_feed
  import des_job_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         cmd_valid_i,
  output logic         cmd_ready_o,
  input  ow_stream_t   cmd_stream_i,
  input  ow_command_t  cmd_i,
  input  ow_owners_t   owners_i,
  input  ow_streams_t  available_i,
  input  ow_streams_t  enough_i,
  input  ow_streams_t  loaded_i,
  input  ow_streams_t  room_i,
  input  ow_streams_t  abort_i,
  input  logic         space_i,        // for three words more
  input  logic         chained_i,      // a word of CBC encryption has left the ring, and others follow
  input  ow_stream_t   chained_stream_i,

  output logic         pop_o,
  output ow_stream_t   pop_stream_o,
  input  logic         pop_ready_i,
  input  logic [127:0] in_word_i,
  output logic         key_read_o,
  output logic [7:0]   key_slot_o,
  output logic         key_word_o,
  input  logic [127:0] key_i,

  input  logic         go_i,
  output logic         key_o,          // the half is a key of the word's stream ...
  output logic         block_o,        // ... or a block of the word
  output logic [1:0]   index_o,        // of the key, or of the block
  output logic [63:0]  half_o,         // in the order of the standard; zero without a half
  output logic         push_o,         // the word is complete
  output des_word_t    word_o,         // but for its mark

  input  logic         ended_i,
  input  ow_stream_t   ended_stream_i,
  output logic         wipe_o,         // what is kept of the word's stream, but for its keys; they follow with `key_o`
  output logic         wiped_o         // with the last of them
);
  // ---- What is known of each stream.
  typedef struct packed {
    logic       inline_key;
    logic [7:0] slot;
    des_mode_t  mode;
  } job_t;
  job_t        job_q  [NumStreams];
  logic [28:0] left_q [NumStreams];    // full words not yet popped, and whether half a word follows
  ow_streams_t waits_q;                // wait for their start
  ow_streams_t runs_q, runs_d;         // have their keys, more words, and no word in the ring that the next one needs
  // What was known of the streams a cycle ago is enough: a stream that has been served is looked at again two cycles
  // later, or one for the second word of its key, and fewer words are on their way here than a room that has vanished
  // still takes.
  ow_streams_t startable_q, first_q, next_q, aborted_q;   // first: with a word to start with; next: to go on with
  logic        hurry_q;                // aborts go first
  always_ff @(posedge clk_i) begin
    startable_q <= waits_q & (enough_i | loaded_i);
    first_q     <= waits_q & available_i;
    next_q      <= runs_d & available_i & room_i;
    aborted_q   <= (waits_q | runs_q) & abort_i;
    hurry_q     <= aborted_q != '0;
  end

  // ---- Choose a stream and fetch a word.
  typedef enum logic [2:0] {Idle, Ask, Here, Mark, Wipe} state_e;
  state_e      state_q;
  ow_stream_t  stream_q, picked;
  logic        pick_valid, second_q, start_q, start, wanted, fetch, free;
  job_t        job;
  logic [28:0] left;
  logic        few, last, empty;
  des_pick u_pick (
    .clk_i, .rst_ni, .owners_i,
    .request_i(hurry_q ? aborted_q : startable_q | next_q | aborted_q),
    .take_i (state_q == Idle && !ended_i && space_i),
    .dear_i (state_q == Here && !start_q && job.mode.tdes),
    .valid_o(pick_valid), .index_o(picked)
  );
  assign job   = job_q[stream_q];
  assign left  = left_q[stream_q];
  assign few   = left[28:2] == '0;
  assign last  = few && left[1] != left[0];
  assign empty = few && left[1:0] == '0;

  assign start        = waits_q[stream_q];
  assign wanted       = (first_q[stream_q] && job.inline_key) || next_q[stream_q];
  assign pop_o        = state_q == Ask && free && wanted && !aborted_q[stream_q];
  assign pop_stream_o = stream_q;
  assign key_read_o   = state_q == Ask && free && start && !job.inline_key && !aborted_q[stream_q];
  assign key_slot_o   = job.slot;
  assign key_word_o   = second_q;
  assign fetch        = (pop_o && pop_ready_i) || key_read_o;
  assign cmd_ready_o  = state_q != Here;

  // What becomes of the stream: it has its key, it runs, or it stops to run (for now, if it is chained).
  logic        again, started, runs, stops, chained;
  ow_streams_t here, commanded, released;
  assign chained   = job.mode.cbc && !job.mode.decrypt;
  assign again     = start_q && job.mode.tdes && !second_q;
  assign started   = state_q == Mark || (state_q == Here && !again);
  assign runs      = state_q == Here && start_q && !again && !empty;
  assign stops     = state_q == Mark || (state_q == Here && !start_q && (last || chained));
  assign here      = ow_streams_t'(1) << stream_q;
  assign commanded = ow_streams_t'(cmd_valid_i) << cmd_stream_i;
  assign released  = ow_streams_t'(chained_i) << chained_stream_i;
  assign runs_d    = (runs_q & ~(here & {NumStreams{stops}})) | (here & {NumStreams{runs}}) | released;

  always_ff @(posedge clk_i) begin
    if (cmd_valid_i) begin
      job_q[cmd_stream_i] <= '{
        inline_key: cmd_i.inline_key, slot: cmd_i.key,
        mode: '{tdes: is_tdes(cmd_i.opcode), cbc: is_cbc(cmd_i.opcode), decrypt: cmd_i.decrypt}
      };
    end
    if (cmd_valid_i || (state_q == Here && !start_q)) begin
      left_q[cmd_valid_i ? cmd_stream_i : stream_q] <=
        cmd_valid_i ? cmd_i.length[31:3] : {left[28:1] - 28'd1, left[0]};
    end
    if (!rst_ni) begin
      state_q <= Idle;
      waits_q <= '0;
      runs_q  <= '0;
    end else begin
      waits_q <= (waits_q & ~(here & {NumStreams{started}})) | commanded;
      runs_q  <= runs_d;
      unique case (state_q)
        Idle: begin
          second_q <= 1'b0;
          if (ended_i) begin
            stream_q <= ended_stream_i;
            if (free) state_q <= Wipe;
          end else begin
            stream_q <= picked;
            if (space_i && pick_valid) state_q <= Ask;
          end
        end
        Ask: begin
          start_q <= start;
          if (aborted_q[stream_q]) begin
            state_q <= Mark;
          end else if (fetch) begin
            state_q <= Here;
          end else if (!wanted && (!start || job.inline_key)) begin
            state_q <= Idle;
          end
        end
        Here: begin
          state_q  <= !start_q ? Idle : again ? Ask : empty ? Mark : Idle;
          second_q <= again;
        end
        Mark: if (free) state_q <= Idle;
        default: if (wiped_o) state_q <= Idle;
      endcase
    end
  end

  // ---- The word that was fetched, or one of the key.
  logic         held_q, more_q, key_q;   // more_q: another half follows
  logic [127:0] data_q;
  logic [1:0]   index_q;
  des_word_t    word_q;
  logic         done;
  assign done    = held_q && go_i && !more_q;
  assign free    = !held_q || done;
  assign wipe_o  = state_q == Wipe && go_i && index_q == 2'd0;
  assign wiped_o = state_q == Wipe && go_i && index_q == (job.mode.tdes ? 2'd2 : 2'd0);
  assign key_o   = go_i && ((held_q && key_q) || state_q == Wipe);
  assign block_o = go_i && held_q && !key_q && !word_q.empty;
  assign index_o = index_q;
  assign half_o  = aes_pkg::swap64(data_q[63:0]);
  assign push_o  = done && !key_q;
  assign word_o  = word_q;

  always_ff @(posedge clk_i) begin
    if (state_q == Idle && ended_i) begin
      if (free) word_q.stream <= ended_stream_i;
    end else if (state_q == Here || (state_q == Mark && free)) begin
      key_q  <= state_q == Here && start_q;
      word_q <= '{
        stream: stream_q, mode: job.mode, both: !(last && left[0]), empty: state_q == Mark,
        last: last || state_q == Mark, mark: 1'b0
      };
    end
    if (!rst_ni) begin
      held_q  <= 1'b0;
      data_q  <= '0;
      index_q <= '0;
    end else if (state_q == Here) begin
      held_q  <= 1'b1;
      more_q  <= start_q ? again : !(last && left[0]);
      index_q <= {start_q && second_q, 1'b0};
      data_q  <= start_q && !job.inline_key ? key_i : in_word_i;
    end else if (state_q == Mark && free) begin
      held_q  <= 1'b1;
      more_q  <= 1'b0;
      data_q  <= '0;
    end else if (done || wiped_o) begin
      held_q  <= 1'b0;
      data_q  <= '0;
      index_q <= '0;
    end else if (go_i && (held_q || state_q == Wipe)) begin
      more_q  <= 1'b0;
      data_q  <= data_q >> 64;
      index_q <= index_q + 2'd1;
    end
  end
endmodule

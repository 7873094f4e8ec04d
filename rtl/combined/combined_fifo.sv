// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A FIFO for each stream between the two engines, a few words per stream in one memory.
//
// A place is reserved when a word is popped from the stream (`room_o`: a place is free), filled when the AAD or the
// ciphertext arrives, and free again when it is popped here. The popped word is on `pop_data_o` in the next cycle.
// `enough_o` is high while at least `Enough` words are filled. A stream has no room before it has been cleared once.
module combined_fifo
  import ow_engine_pkg::*;
#(
  parameter int unsigned Depth = 16,       // words per stream, a power of two
  parameter int unsigned Enough = 9        // words of a SHA-512 block that begins with the end of the AAD
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,   // empties the FIFO of a stream
  input  ow_stream_t            clear_stream_i,
  input  ow_streams_t           reserve_i, // of at most one stream, as what follows
  input  ow_streams_t           push_i,
  input  ow_stream_t            push_stream_i,
  input  logic [127:0]          push_data_i,
  input  ow_streams_t           pop_i,
  input  ow_stream_t            pop_stream_i,
  output logic [127:0]          pop_data_o,
  output logic [NumStreams-1:0] room_o,
  output logic [NumStreams-1:0] some_o,
  output logic [NumStreams-1:0] enough_o
);
  localparam int unsigned Width = $clog2(Depth);
  typedef logic [Width-1:0] place_t;
  typedef logic [Width:0]   count_t;

  // ---- The words.
  place_t [NumStreams-1:0] filled, popped;   // places of the next word in and out
  ow_ram #(.Width(128), .Depth(NumStreams * Depth)) u_words (
    .clk_i,
    .write_i        (push_i != '0),
    .write_address_i({push_stream_i, filled[push_stream_i]}),
    .write_word_i   (push_data_i),
    .read_i         (pop_i != '0),
    .clear_i        (1'b0),
    .read_address_i ({pop_stream_i, popped[pop_stream_i]}),
    .word_o         (pop_data_o)
  );

  // ---- What each stream has. A stream counts for itself, so that no count is looked up before it is compared.
  for (genvar s = 0; s < NumStreams; s++) begin : gen_stream
    logic   reserve, push, pop, clear;
    place_t to_q, from_q;      // places of the next word in and out
    count_t used_q, words_q;   // places that are not free; words that are there
    assign reserve   = reserve_i[s];
    assign push      = push_i[s];
    assign pop       = pop_i[s];
    assign clear     = clear_i && clear_stream_i == ow_stream_t'(s);
    assign filled[s] = to_q;
    assign popped[s] = from_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear) begin
        to_q        <= '0;
        from_q      <= '0;
        used_q      <= '0;
        words_q     <= '0;
        room_o[s]   <= rst_ni;
        some_o[s]   <= 1'b0;
        enough_o[s] <= 1'b0;
      end else begin
        if (push) to_q <= to_q + place_t'(1);
        if (pop) from_q <= from_q + place_t'(1);
        if (reserve != pop) begin
          used_q    <= used_q + (pop ? '1 : count_t'(1));
          room_o[s] <= pop || used_q != count_t'(Depth - 1);
        end
        if (push != pop) begin
          words_q     <= words_q + (pop ? '1 : count_t'(1));
          some_o[s]   <= push || words_q != count_t'(1);
          enough_o[s] <= words_q >= (pop ? count_t'(Enough + 1) : count_t'(Enough - 1));
        end
      end
    end
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) if (rst_ni) begin : promises
      a_no_pop_without_a_word: assert (!pop || words_q != '0);
      a_no_word_without_a_place: assert (!push || words_q != used_q);
      a_no_place_without_room: assert (!reserve || room_o[s] || pop);
      a_flags_are_exact: assert (
          (room_o[s] == (used_q != count_t'(Depth)) || used_q == '0)
          && some_o[s] == (words_q != '0) && enough_o[s] == (words_q >= count_t'(Enough))
      );
    end
`endif
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_stream: assert (
        $onehot0(reserve_i) && (push_i == '0 || push_i == ow_streams_t'(1) << push_stream_i)
        && (pop_i == '0 || pop_i == ow_streams_t'(1) << pop_stream_i)
    );
  end
`endif
endmodule

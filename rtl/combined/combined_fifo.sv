// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A FIFO for each stream between the two engines, a few words per stream in one memory.
//
// A place is reserved when a word is popped from the stream (`room_o`: a place is free), filled when the AAD or the
// ciphertext arrives, and free again when it is popped here. The popped word is on `pop_data_o` in the next cycle.
// `enough_o` is high while at least `Enough` words are filled.
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
  input  logic                  reserve_i,
  input  ow_stream_t            reserve_stream_i,
  input  logic                  push_i,
  input  ow_stream_t            push_stream_i,
  input  logic [127:0]          push_data_i,
  input  logic                  pop_i,
  input  ow_stream_t            pop_stream_i,
  output logic [127:0]          pop_data_o,
  output logic [NumStreams-1:0] room_o,
  output logic [NumStreams-1:0] some_o,
  output logic [NumStreams-1:0] enough_o
);
  localparam int unsigned Width = $clog2(Depth);
  typedef logic [Width:0] count_t;

  logic [127:0] memory_q [NumStreams * Depth];
  count_t       reserved_q [NumStreams];   // counts of reserved, filled and popped words; modulo 2 * Depth
  count_t       filled_q [NumStreams];
  count_t       popped_q [NumStreams];
  logic [NumStreams-1:0] room_q, some_q, enough_q;
  assign room_o = room_q;
  assign some_o = some_q;
  assign enough_o = enough_q;

  count_t filled, popped, reserved_next, popped_next;
  assign filled        = filled_q[push_stream_i];
  assign popped        = popped_q[pop_stream_i];
  assign popped_next   = popped + 1'b1;
  assign reserved_next = reserved_q[reserve_stream_i] + 1'b1;

  always_ff @(posedge clk_i) begin
    if (push_i) memory_q[{push_stream_i, filled[Width-1:0]}] <= push_data_i;
    if (pop_i) pop_data_o <= memory_q[{pop_stream_i, popped[Width-1:0]}];
    if (reserve_i) reserved_q[reserve_stream_i] <= reserved_next;
    if (push_i) filled_q[push_stream_i] <= filled + 1'b1;
    if (pop_i) popped_q[pop_stream_i] <= popped_next;
    if (clear_i) begin
      reserved_q[clear_stream_i] <= '0;
      filled_q[clear_stream_i]   <= '0;
      popped_q[clear_stream_i]   <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      room_q <= '0;
      some_q <= '0;
      enough_q <= '0;
    end else begin
      // The later assignments have priority: after a pop there is room, after a push there is a word.
      if (reserve_i) begin
        room_q[reserve_stream_i] <= count_t'(reserved_next - popped_q[reserve_stream_i]) != count_t'(Depth);
      end
      if (pop_i) begin
        room_q[pop_stream_i] <= 1'b1;
        some_q[pop_stream_i] <= popped_next != filled_q[pop_stream_i];
      end
      if (push_i) some_q[push_stream_i] <= 1'b1;
      if (pop_i) begin
        enough_q[pop_stream_i] <= count_t'(filled_q[pop_stream_i] - popped_next
                                           + count_t'(push_i && push_stream_i == pop_stream_i)) >= count_t'(Enough);
      end
      if (push_i && !(pop_i && pop_stream_i == push_stream_i)) begin
        enough_q[push_stream_i] <= count_t'(filled + 1'b1 - popped_q[push_stream_i]) >= count_t'(Enough);
      end
      if (clear_i) begin
        room_q[clear_stream_i] <= 1'b1;
        some_q[clear_stream_i] <= 1'b0;
        enough_q[clear_stream_i] <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_pop_without_a_word: assert (!pop_i || some_q[pop_stream_i]);
    a_no_word_without_a_place: assert (!push_i || (filled != reserved_q[push_stream_i]));
    a_no_place_without_room:
      assert (!reserve_i || room_q[reserve_stream_i] || (pop_i && pop_stream_i == reserve_stream_i));
  end
`endif
endmodule

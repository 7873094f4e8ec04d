// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The jobs that no unit has, and whose turn it is (ow_share_pick).
//
// A job is ready when what it lacks is there: words enough for a while, or room for output. One that is aborted ends
// here. One job moves in a cycle: to its end, or else to a unit, or else back from one, or else a new one in. Which
// one goes to a unit or to its end is chosen before: its number has all the places to reach. A place is zero unless a
// job is there.
module ascon_store
  import ascon_job_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Units = 2,
  localparam int unsigned Width = Units > 1 ? $clog2(Units) : 1
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  input  logic           cmd_valid_i,
  output logic           cmd_ready_o,
  input  ow_stream_t     cmd_stream_i,
  input  ascon_context_t cmd_context_i,
  input  logic           cmd_words_i,      // some of its words are to come

  input  ow_owners_t     owners_i,
  input  ow_streams_t    enough_i,
  input  ow_streams_t    room_i,
  input  ow_streams_t    abort_i,

  input  logic [Units-1:0] free_i,
  output logic [Units-1:0] give_o,
  output ow_stream_t       give_stream_o,
  output ascon_context_t   give_context_o,
  output logic             yield_o,        // a job is chosen, and every unit has one
  input  logic [Units-1:0] put_i,
  output logic [Units-1:0] put_take_o,
  input  ow_stream_t       put_stream_i [Units],   // of each unit's job
  input  ascon_context_t   put_context_i [Units],
  input  logic [Units-1:0] put_needs_word_i,
  input  logic [Units-1:0] put_needs_room_i,
  output logic             done_o,         // an aborted job's end, until `done_ready_i`
  input  logic             done_ready_i,
  output ow_stream_t       done_stream_o,
  output logic             busy_o
);
  ascon_context_t contexts_q [NumStreams];
  ow_streams_t    waiting_q, ready_q, needs_word_q, needs_room_q;

  // The lowest unit of several.
  function automatic logic [Width-1:0] lowest(logic [Units-1:0] mask);
    lowest = '0;
    for (int u = Units - 1; u >= 0; u--) if (mask[u]) lowest = Width'(u);
  endfunction

  logic             put, take, drop, give, ready, choose;
  logic             chosen_q, dropping_q, dropped_q;   // a unit's next job; one that is to end, one that has ended
  ow_streams_t      chosen, aborted;
  ow_stream_t       pick, chosen_stream_q, dropped_stream_q;
  logic [Width-1:0] putter;
  // Jobs are short or long, so turns alone are no equal shares: queues share the units' cycles.
  localparam int unsigned Most = 255;
  logic [NumOwners-1:0][$clog2(Most+Units+1)-1:0] cycles;
  always_comb begin
    cycles = '0;
    for (int q = 0; q < NumOwners; q++) begin
      for (int u = 0; u < Units; u++) if (!free_i[u] && owners_i[q][put_stream_i[u]]) cycles[q] += 1'b1;
    end
  end
  ow_share_pick #(.Most(Most), .Greatest(Units)) u_turns (
    .clk_i, .rst_ni, .request_i(ready_q), .owners_i, .take_i(choose), .spent_i(cycles),
    .valid_o(ready), .index_o(pick)
  );
  assign putter      = lowest(put_i);
  assign put         = |put_i;
  // A job is not ready a cycle after its abort. The chosen one is a unit's in this cycle, or chosen no longer.
  assign chosen      = chosen_q ? ow_streams_t'(1) << chosen_stream_q : '0;
  assign aborted     = waiting_q & abort_i & ~ready_q & ~chosen;
  assign choose      = ready && !chosen_q;
  assign drop        = dropping_q;
  assign give        = chosen_q && |free_i && !drop;
  assign take        = put && !give && !drop;
  assign cmd_ready_o = !put && !drop && !give;
  assign yield_o     = chosen_q && free_i == '0;
  assign put_take_o  = take ? Units'(1) << putter : '0;
  assign give_o      = give ? Units'(1) << lowest(free_i) : '0;
  assign give_stream_o  = chosen_stream_q;
  assign give_context_o = contexts_q[chosen_stream_q];
  assign done_o         = dropped_q;
  assign done_stream_o  = dropped_stream_q;
  assign busy_o         = waiting_q != '0 || dropped_q;

  logic           write;
  ow_stream_t     place;
  ascon_context_t written;
  assign write   = put || drop || give || cmd_valid_i;
  assign place   = drop ? dropped_stream_q : give ? chosen_stream_q : put ? put_stream_i[putter] : cmd_stream_i;
  assign written = drop || give ? '0 : put ? put_context_i[putter] : cmd_context_i;
  always_ff @(posedge clk_i) begin
    if (write) contexts_q[place] <= written;
    if (choose) chosen_stream_q <= pick;
    if (!dropping_q && !dropped_q) dropped_stream_q <= number_of(aborted & (~aborted + ow_streams_t'(1)));
    // A command may write here before it is taken: its stream has no job.
    if (put) begin
      needs_word_q[put_stream_i[putter]] <= put_needs_word_i[putter];
      needs_room_q[put_stream_i[putter]] <= put_needs_room_i[putter];
    end else if (cmd_valid_i) begin
      needs_word_q[cmd_stream_i] <= cmd_words_i;
      needs_room_q[cmd_stream_i] <= 1'b0;
    end
    if (!rst_ni) begin
      waiting_q  <= '0;
      ready_q    <= '0;
      chosen_q   <= 1'b0;
      dropping_q <= 1'b0;
      dropped_q  <= 1'b0;
    end else begin
      chosen_q   <= choose || (chosen_q && !give && !abort_i[chosen_stream_q]);
      dropping_q <= !dropping_q && aborted != '0 && !dropped_q;
      dropped_q  <= drop || (dropped_q && !done_ready_i);
      ready_q    <= waiting_q & ~chosen & ~abort_i & (enough_i | ~needs_word_q)
                    & (room_i | ~(needs_word_q | needs_room_q));
      if (write) waiting_q[place] <= !drop && !give;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_an_abort_stays: assert (!dropping_q || (waiting_q[dropped_stream_q] && abort_i[dropped_stream_q]));
    a_one_way: assert (!(dropping_q && chosen_q) || dropped_stream_q != chosen_stream_q);
    a_the_ready_wait: assert ((ready_q & ~waiting_q) == '0);
    a_the_chosen_waits: assert (!chosen_q || waiting_q[chosen_stream_q]);
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A job's two programs with what is between them: the queue of polynomials, the ciphertext to compare with, the words
// that leave. The source may begin the next job of ML-KEM while the arithmetic ends one.
module lattice_core
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  parameter int unsigned MostRounds = 814
) (
  input  logic         clk_i,
  input  logic         over_i,          // the job is over; `clear_i` follows
  input  logic         clear_i,         // wipes all that belongs to a job, of memories an address a cycle
  input  logic         start_i,         // the source
  input  logic         poly_start_i,    // the arithmetic, with it or later
  input  logic         hold_i,          // the arithmetic is that of the job before
  input  logic         halt_i,          // the source's job is given up, the one before goes on
  input  logic [10:0]  source_entry_i,
  input  logic [10:0]  poly_entry_i,
  input  logic [3:0]   k_i,
  input  logic         dsa_i,           // ML-DSA
  output logic         ended_o,
  output logic         tail_o,          // the source has ended, the job not yet: the next one may begin
  output logic         bad_o,           // a key was none; what has left are zeros
  output logic         tail_bad_o,      // ... of the job whose `tail_o` was last
  output logic [5:0]   slot_o,          // of working memory that is written now or next

  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  output logic         in_take_o,
  output logic         out_valid_o,     // stays until a cycle with `out_ready_i`, which does not depend on it
  output logic [127:0] out_o,
  output logic [4:0]   out_bytes_o,
  input  logic         out_ready_i
);
  // ---- The queue: polynomials that are being made or wait, and those that are complete.
  localparam int unsigned PlaceWidth = $clog2(Queued);
  localparam int unsigned Width = 7 - $clog2(Butterflies);      // of a pair's number
  logic [PlaceWidth-1:0] make_q, next_q;
  logic [PlaceWidth:0]   taken_q, complete_q;
  logic                  begins, makes, completes, releases, queue_reads;
  logic [Width:0]        make_index;
  coef_t [Butterflies-1:0] make_word;
  coef_t [1:0][Butterflies-1:0] queue_word;
  logic [1:0][Width-1:0] queue_at;
  logic [PlaceWidth+Width-1:0] wipe_q;
  assign completes = makes && &make_index;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      make_q     <= '0;
      next_q     <= '0;
      taken_q    <= '0;
      complete_q <= '0;
    end else begin
      taken_q    <= taken_q + (PlaceWidth + 1)'(begins) - (PlaceWidth + 1)'(releases);
      complete_q <= complete_q + (PlaceWidth + 1)'(completes) - (PlaceWidth + 1)'(releases);
      if (completes) make_q <= make_q + 1'b1;
      if (releases) next_q <= next_q + 1'b1;
    end
    wipe_q <= clear_i ? wipe_q + 1'b1 : '0;
  end
  lattice_memory #(.Polynomials(Queued), .Butterflies(Butterflies)) u_queue (
    .clk_i, .clear_i,
    .write_i     (clear_i ? '1 : {makes && ^make_index, makes && !(^make_index)}),
    .write_at_i  (clear_i ? {2{wipe_q}} : {2{make_q, make_index[Width:1]}}),
    .write_word_i(clear_i ? '0 : {2{make_word}}),
    .read_i      (queue_reads),
    .read_at_i   ({next_q, queue_at[1], next_q, queue_at[0]}),
    .read_word_o (queue_word)
  );

  // ---- The arithmetic.
  // What the job is stands still while it runs; registers of its own keep it off long paths. A program begins later.
  dsa_set_e             set;
  logic                 dsa, dsa_late_q, signal, verdict, reject, hint_write;
  logic [Width+3:0]     hint_at;
  logic [Butterflies-1:0] hints_made, hints_kept;
  always_ff @(posedge clk_i) begin
    dsa        <= dsa_i;
    dsa_late_q <= dsa;                  // for fewer readers of each
    set        <= dsa_set_of(k_i);
  end
  localparam int unsigned Depth = 16;
  logic                 poly_ended, pair, packs, room_q;        // `room_q`: two pairs are never asked for in a row
  coef_t [Butterflies-1:0] pack_word;
  logic [4:0]           pack_bits;
  target_e              pack_target, target;
  logic [$clog2(Depth):0] waiting;
  logic [9:0]           pairs_q;        // asked for and not yet packed: a bit a cycle; the last one is of ML-DSA
  logic [4:0]           due;
  logic                 word_valid, word_take;
  logic [127:0]         word;
  // Of words of eight coefficients up to two leave for a pair; of z, of which one pair is asked for in four cycles, three.
  // More are the next pair's, and one that leaves a cycle behind.
  localparam int unsigned PerPair = Butterflies < 8 ? Butterflies / 2 : 2;
  localparam logic [5:0]  MoreDsa = 6'd5;
  assign due = 5'(PerPair) * 5'($countones(pairs_q));
  always_ff @(posedge clk_i) room_q <= 6'(waiting) + 6'(due) + (dsa ? MoreDsa : 6'd3) <= 6'(Depth);
  always_ff @(posedge clk_i) pairs_q <= clear_i ? '0 : {pairs_q[8] && dsa, pairs_q[7:0], pair};
  // The arithmetic begins a cycle behind the source, which has nothing for it then.
  logic        poly_start_q;
  logic [10:0] poly_entry_q;
  always_ff @(posedge clk_i) {poly_start_q, poly_entry_q} <= {poly_start_i && !clear_i, poly_entry_i};
  lattice_poly #(.Butterflies(Butterflies)) u_poly (
    .clk_i, .over_i, .clear_i, .start_i(poly_start_q),
    .entry_i        (poly_entry_q),
    .dsa_i          (dsa),
    .set_i          (set),
    .signal_i       (signal),
    .accept_i       (bad_o),
    .verdict_o      (verdict),
    .reject_o       (reject),
    .hint_write_o   (hint_write),
    .hint_at_o      (hint_at),
    .hint_o         (hints_made),
    .hint_i         (hints_kept),
    .ended_o        (poly_ended),
    .slot_o,
    .queue_valid_i  (complete_q != '0),
    .queue_release_o(releases),
    .queue_read_o   (queue_reads),
    .queue_at_o     (queue_at),
    .queue_word_i   (queue_word),
    .out_room_i     (room_q),
    .out_pair_o     (pair),
    .out_valid_o    (packs),
    .out_word_o     (pack_word),
    .out_bits_o     (pack_bits),
    .out_target_o   (pack_target)
  );
  lattice_packer #(.Butterflies(Butterflies), .Depth(Depth)) u_packer (
    .clk_i, .clear_i,
    .valid_i(packs), .word_i(pack_word), .bits_i(pack_bits), .target_i(pack_target), .count_o(waiting),
    .valid_o(word_valid), .data_o(word), .target_o(target), .take_i(word_take)
  );

  // ---- The source.
  logic         source_ended, stores, hash_ready, hash_word, source_out, word_out, poly_quiet_q, differs;
  logic         message_valid, message_take;
  logic [127:0] store_word, source_word, stored_word;
  logic [4:0]   source_bytes;
  logic [7:0]   stored;
  logic         stored_clear, stored_take, stores_w1;
  always_ff @(posedge clk_i) poly_quiet_q <= poly_ended && pairs_q == '0 && !word_valid && !poly_start_q;
  lattice_source #(.Butterflies(Butterflies), .MostRounds(MostRounds)) u_source (
    .clk_i, .clear_i, .start_i, .halt_i, .hold_i,
    .entry_i        (source_entry_i),
    .k_i,
    .dsa_i          (dsa),
    .set_i          (set),
    .ended_o        (source_ended),
    .tail_o, .tail_bad_o,
    .in_valid_i, .in_i, .in_take_o,
    .queue_room_i   (taken_q != (PlaceWidth + 1)'(Queued)),
    .queue_begin_o  (begins),
    .queue_write_o  (makes),
    .queue_index_o  (make_index),
    .queue_word_o   (make_word),
    .store_o        (stores),
    .store_word_o   (store_word),
    .stored_i       (stored),
    .stored_word_i  (stored_word),
    .stored_take_o  (stored_take),
    .stored_clear_o (stored_clear),
    .signal_o       (signal),
    .verdict_i      (verdict),
    .reject_i       (reject),
    .hint_write_i   (hint_write),
    .hint_at_i      (hint_at),
    .hint_i         (hints_made),
    .hint_o         (hints_kept),
    .message_valid_i(message_valid),
    .message_take_o (message_take),
    .message_i      (word),
    .poly_ended_i   (poly_quiet_q),
    .differs_i      (differs),
    .hash_ready_o   (hash_ready),
    .hash_word_i    (hash_word),
    .hash_i         (word),
    .out_valid_o    (source_out),
    .out_o          (source_word),
    .out_bytes_o    (source_bytes),
    .out_ready_i    (out_ready_i && !(word_valid && target == ToPort)),
    .bad_o
  );
  assign ended_o = source_ended && poly_quiet_q;

  // ---- The ciphertext, or w1.
  logic [127:0] stored_q [128];
  logic [7:0]   store_q;
  logic [6:0]   read, read_q;           // a memory whose address is a register of its own would be a slower one
  assign stores_w1   = dsa && word_valid && target == ToStore;
  assign stored      = store_q;
  assign stored_word = stored_q[read_q];
  always_ff @(posedge clk_i) begin
    if (clear_i || stores || stores_w1) stored_q[store_q[6:0]] <= clear_i ? '0 : dsa_late_q ? word : store_word;
    store_q <= store_q + 8'(stores || clear_i || stores_w1);
    if (poly_start_q || stored_clear) store_q <= '0;
  end
  assign read = poly_start_q || stored_clear ? '0 : read_q + 7'((word_valid && target == ToCompare) || stored_take);
  ow_copy #(.Width(7)) u_read (.clk_i, .enable_i(1'b1), .next_i(read), .copy_o(read_q));

  // ---- Where the words go.
  // The source has no word while it absorbs those that leave.
  assign word_out      = word_valid && (target == ToPort || (target == ToPortAndHash && hash_ready));
  assign out_valid_o   = word_out || source_out;
  assign out_o         = !word_out ? source_word : (tail_o ? tail_bad_o : bad_o) ? '0 : word;
  assign hash_word     = word_out && out_ready_i && target == ToPortAndHash;
  assign out_bytes_o   = word_out ? 5'd16 : source_bytes;
  assign message_valid = word_valid && target == ToMessage && !dsa;
  logic [3:0]   differs_q;              // by 32 bits, a cycle later; `poly_quiet_q` is not earlier
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      differs_q[i] <= !clear_i && word_valid && target == ToCompare && word[32*i +: 32] != stored_word[32*i +: 32];
    end
  end
  assign differs       = differs_q != '0;
  assign word_take     = message_take || stores_w1 || (word_valid && target == ToCompare) || (word_out && out_ready_i);

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_the_ciphertext_is_the_one_to_compare: assert (!hold_i || !stores);
    a_what_is_compared_was_stored: assert (!(word_valid && target == ToCompare) || 8'(read_q) < store_q);
    a_what_differs_is_known: assert (!poly_quiet_q || differs_q == '0);
    a_one_leaves: assert (!(hold_i && source_out) || tail_o);
  end
`endif
endmodule

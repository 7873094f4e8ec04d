// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// All operations except multiplication: sums, differences, selections, tables, constants, bits; one word per cycle.
//
// A step that starts in cycle t reads from t + 1 on, `reads_of` times for each word, and writes a word two cycles after
// its last read. A word has two reads at least, and a step that is not single two words. The next step may start with the
// last read. `hold_i` stops everything. The addresses of a step do not depend on data: `get` reads all entries of a table,
// `sel` both operands.
module pka_adder
  import pka_pkg::*;
  import pka_rom_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,

  input  logic         start_i,
  input  pka_step_t    step_i,
  output logic         ready_o,     // may start in this cycle
  output logic         reading_o,   // a step has reads after this cycle
  output logic [1:0]   pending_o,   // the even, the odd steps have writes after this cycle
  input  logic         hold_i,

  output logic         read_o,
  output pka_address_t address_o,
  output logic         constant_o,  // from the ROM
  input  pka_word_t [Threads-1:0] words_i,  // from each part of memory
  input  pka_thread_t  part_i,              // the one that was read
  input  pka_word_t    constant_i,
  output logic         write_o,
  output pka_address_t write_address_o,
  output pka_word_t    write_word_o,

  output logic         flag_o,
  output logic [3:0]   idx_o
);
  // ---- Reads.
  pka_step_t    step_q;
  logic         busy_q, odd_q;
  pka_length_t  word_q;
  logic [4:0]   read_q;
  logic         last_read_q, last_word_q, ends_q;   // what is read is the last of its word, is of the last word, both
  logic         last;
  assign last      = ends_q && !hold_i;
  assign ready_o   = !busy_q || last;
  assign reading_o = busy_q && !last;

  // The place of the bit of `hot` and `bit`, a cycle after the start: from the second read on.
  logic [4:0]   bit_word_q;
  logic [7:0]   bit_index_q;
  always_ff @(posedge clk_i) begin
    bit_word_q  <= word_of(step_q.value[12:0]);
    bit_index_q <= bit_of(step_q.value[12:0]);
  end

  pka_address_t entry_q;  // of a table
  logic         table_read;
  assign table_read = step_q.operation inside {OpGet, OpGetc};
  assign read_o     = busy_q && !hold_i && step_q.reads;
  assign constant_o = step_q.constant;
  always_comb begin
    address_o = step_q.a + (step_q.operation == OpBit ? pka_address_t'(bit_word_q) : pka_address_t'(word_q));
    if (table_read) address_o = entry_q + pka_address_t'(word_q);
    else if (read_q == 5'd1 && step_q.operation != OpBit) address_o = step_q.b + pka_address_t'(word_q);
    else if (read_q == 5'd2 && step_q.operation != OpBit) address_o = step_q.k + pka_address_t'(word_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      ends_q <= 1'b0;
      odd_q  <= 1'b0;
    end else if (ready_o) begin
      // Whether it starts comes late: only these two depend on it.
      busy_q      <= start_i;
      odd_q       <= odd_q ^ start_i;
      step_q      <= step_i;
      word_q      <= '0;
      read_q      <= '0;
      entry_q     <= step_i.a;
      last_read_q <= 1'b0;
      last_word_q <= step_i.single;
      ends_q      <= 1'b0;
    end else if (busy_q && !hold_i) begin
      read_q      <= last_read_q ? '0 : read_q + 5'd1;
      entry_q     <= last_read_q ? step_q.a : entry_q + pka_address_t'(step_q.stride);
      last_read_q <= !last_read_q && read_q + 5'd1 == step_q.last_read;
      ends_q      <= !last_read_q && read_q + 5'd1 == step_q.last_read && last_word_q;
      if (last_read_q) begin
        word_q      <= word_q + 5'd1;
        last_word_q <= word_q + 5'd2 == step_q.n;
      end
    end
  end

  // ---- Words, a cycle after the reads. What is done with them is decided with the reads.
  localparam int unsigned Groups = (WordBits + 15) / 16;
  typedef struct packed {
    logic         first_read, second_read, last_read, first_word, ends, writes, odd;
    logic         reads_memory, reads_constant;  // the word is of memory, of the ROM; else it is a bit or a value
    logic         is_get_first, is_select_first, is_select_second, subtract;
    logic         carries_in, carries_0, carries_1;  // into the sum: 1, the carry of the word below
    logic         sets_flag_carry, sets_flag_differs, sets_flag_idx, sets_idx;
    logic [1:0]   test;
    logic [13:0]  value;      // of ldi
    logic [7:0]   bit_index;
    logic [Groups-1:0] group; // the bit of `hot`, as a line for its group and one for its place in it
    logic [15:0]  place;
    pka_address_t address;
  } stage_t;
  stage_t    stage, stage_q;
  logic      stage_valid_q;
  logic         carry0_q, carry1_q;  // of the first and of the second sum of a word; inverted if it is a difference
  logic      carry_in, carry_out;
  logic [7:0] differs, differs_q;  // of this word, of the word before
  logic       differed_q;          // of the words before that one

  // One sum for all operations: of the words that are read one after the other for a word of the result. Where an
  // operation takes fewer words than it reads, what it does not take is zero.
  logic first_read, second_read, first_word, is_bit, moves, subtracts, set_here, takes;
  assign first_word   = word_q == '0;
  assign first_read   = read_q == '0;
  assign second_read  = read_q == 5'd1;
  assign is_bit       = step_q.operation == OpBit;
  assign moves        = step_q.operation inside {OpMov, OpHigh, OpPut, OpLdc};
  assign subtracts    = step_q.operation inside {OpSub, OpSubk, OpCmp};
  // Of a table the entry that idx names, which is not known yet with the first one.
  assign takes        = step_q.reads && (table_read ? first_read || read_q[3:0] == idx_o :
                                         is_bit ? second_read : first_read || !moves);
  assign set_here     = second_read && word_q == (step_q.operation == OpHot ? bit_word_q : '0);
  assign stage = '{
    first_read:        first_read,
    second_read:       second_read,
    last_read:         last_read_q,
    first_word:        first_word,
    ends:              ends_q,
    writes:            step_q.writes,
    odd:               odd_q,
    reads_memory:      takes && !step_q.constant,
    reads_constant:    takes && step_q.constant,
    is_get_first:      table_read && first_read,
    is_select_first:   step_q.operation == OpSel && first_read,
    is_select_second:  step_q.operation == OpSel && second_read,
    subtract:          second_read && subtracts,
    carries_in:        second_read && first_word && subtracts,
    carries_0:         second_read && !first_word,
    carries_1:         !second_read && !first_read && !first_word,
    sets_flag_carry:   step_q.operation inside {OpSub, OpCmp},
    sets_flag_differs: step_q.operation == OpDiffer,
    sets_flag_idx:     step_q.operation == OpFidx,
    sets_idx:          is_bit,
    test:              step_q.test,
    value:             step_q.operation inside {OpLdi, OpLdcnt} && set_here ? step_q.value : '0,
    bit_index:         bit_index_q,
    group:             step_q.operation == OpHot && set_here ? Groups'(1) << bit_index_q[7:4] : '0,
    place:             16'd1 << bit_index_q[3:0],
    address:           step_q.d + pka_address_t'(word_q)
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage_valid_q <= 1'b0;
    end else if (!hold_i) begin
      stage_valid_q <= busy_q;
      if (busy_q) stage_q <= stage;
    end
  end

  // `sel` drops its first word, or does not take the second one, for which flag_q has the flag.
  logic taken, flag_q;
  assign taken    = !(stage_q.is_get_first && idx_o != '0) && !(stage_q.is_select_second && flag_q);
  assign carry_in = stage_q.carries_in || (stage_q.carries_0 && carry0_q != stage_q.subtract) ||
                    (stage_q.carries_1 && carry1_q);

  pka_word_t x;
  pka_adder_words u_words (
    .clk_i, .clear_i,
    .valid_i      (stage_valid_q),
    .words_i,
    .take_i       ({stage_q.reads_memory && taken && part_i == 1'b1, stage_q.reads_memory && taken && part_i == 1'b0}),
    .constant_i,
    .take_constant_i(stage_q.reads_constant && taken),
    .group_i      (stage_q.group),
    .place_i      (stage_q.place),
    .value_i      (stage_q.value),
    .add_i        (stage_valid_q && !hold_i),
    .last_i       (stage_q.last_read),
    .drop_i       (stage_q.is_select_first && !flag_o),
    .subtract_i   (stage_q.subtract),
    .carry_i      (carry_in),
    .carry_o      (carry_out),
    .differs_o    (differs),
    .x_o          (x),
    .write_word_o
  );

  // The flag is known in the cycle after the last read, from the carry or the difference of that cycle; then `flag_q` is 0.
  logic carry_is_flag_q, differs_is_flag_q, settles;
  assign settles = stage_valid_q && !hold_i && stage_q.ends;
  assign flag_o  = (carry_is_flag_q && carry0_q) || (differs_is_flag_q && (differed_q || |differs_q)) || flag_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      flag_q            <= 1'b0;
      carry_is_flag_q   <= 1'b0;
      differs_is_flag_q <= 1'b0;
      idx_o             <= '0;
      carry0_q          <= 1'b0;
      carry1_q          <= 1'b0;
    end else begin
      carry_is_flag_q   <= settles && stage_q.sets_flag_carry;
      differs_is_flag_q <= settles && stage_q.sets_flag_differs;
      if (settles && (stage_q.sets_flag_carry || stage_q.sets_flag_differs)) flag_q <= 1'b0;
      else flag_q <= settles && stage_q.sets_flag_idx ? idx_passes(stage_q.test, idx_o) : flag_o;
      if (settles && stage_q.sets_idx) idx_o <= {idx_o[2:0], x[stage_q.bit_index]};
      if (stage_valid_q && !hold_i) begin
        if (stage_q.second_read) carry0_q <= carry_out;
        else if (stage_q.last_read) carry1_q <= carry_out;
        if (stage_q.second_read) begin
          differs_q  <= differs;
          differed_q <= !stage_q.first_word && (differed_q || |differs_q);
        end
      end
    end
  end

  // ---- Results.
  logic result_valid_q, result_writes_q, result_odd_q;
  assign write_o = result_valid_q && result_writes_q && !hold_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      result_valid_q <= 1'b0;
    end else if (!hold_i) begin
      result_valid_q <= stage_valid_q && stage_q.last_read;
    end
    if (!hold_i && stage_valid_q && stage_q.last_read) begin
      write_address_o <= stage_q.address;
      result_writes_q <= stage_q.writes;
      result_odd_q    <= stage_q.odd;
    end
  end

  always_comb begin
    for (int odd = 0; odd < 2; odd++) begin
      pending_o[odd] = (busy_q && odd_q == 1'(odd)) || (stage_valid_q && stage_q.odd == 1'(odd)) ||
                       (result_valid_q && hold_i && result_odd_q == 1'(odd));
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    a_selects_by_a_settled_flag: assert (!rst_ni || !stage_valid_q || !stage_q.is_select_second || flag_q == flag_o);
    a_adds_the_first_word_to_zero: assert (!rst_ni || !stage_valid_q || !stage_q.first_read || x == '0);
  end
`endif
endmodule

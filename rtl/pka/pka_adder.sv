// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// All operations except multiplication: sums, differences, selections, tables, constants, bits; one word per cycle.
//
// A step that starts in cycle t reads from t + 1 on, `reads_of` times for each word, and writes a word two cycles after
// its last read. The next step may start with the last read. `hold_i` stops everything. The addresses of a step do not
// depend on data: `get` reads all entries of a table, `sel` both operands.
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
  input  pka_word_t    word_i,
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
  logic         last_read, last_word, last;
  logic         writes;
  assign writes    = !(step_q.operation inside {OpCmp, OpDiffer, OpBit, OpFidx});
  assign last_read = read_q == reads_of(step_q.operation) - 5'd1;
  assign last_word = word_q == step_q.n - 5'd1 || step_q.operation inside {OpBit, OpFidx};
  assign last      = busy_q && last_read && last_word && !hold_i;
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
  assign read_o     = busy_q && !hold_i;
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
      odd_q  <= 1'b0;
    end else if (start_i) begin
      busy_q  <= 1'b1;
      odd_q   <= !odd_q;
      step_q  <= step_i;
      word_q  <= '0;
      read_q  <= '0;
      entry_q <= step_i.a;
    end else if (busy_q && !hold_i) begin
      read_q  <= last_read ? '0 : read_q + 5'd1;
      entry_q <= last_read ? step_q.a : entry_q + pka_address_t'(step_q.stride);
      if (last_read) word_q <= word_q + 5'd1;
      if (last) busy_q <= 1'b0;
    end
  end

  // ---- Words, a cycle after the reads.
  typedef struct packed {
    operation_e   operation;
    logic [1:0]   test;
    logic         first_read, second_read, last_read, first_word, last_word, writes, constant, set_here,
                  odd;
    logic [3:0]   entry;
    logic [13:0]  value;
    logic [7:0]   bit_index;
    pka_address_t address;
  } stage_t;
  stage_t    stage_q;
  logic      stage_valid_q;
  logic      carry0_q, carry1_q;  // of the first and of the second sum of a word
  logic      subtract, carry_in, carry_out;
  logic      differs_q, differs, word_differs;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage_valid_q <= 1'b0;
    end else if (!hold_i) begin
      stage_valid_q <= busy_q;
      if (busy_q) begin
        stage_q <= '{
          operation:   step_q.operation,
          test:        step_q.test,
          first_read:  read_q == '0,
          second_read: read_q == 5'd1,
          last_read:   last_read,
          first_word:  word_q == '0,
          last_word:   last_word,
          writes:      writes,
          constant:    step_q.constant,
          odd:         odd_q,
          set_here:    word_q == (step_q.operation == OpHot ? bit_word_q : '0),
          entry:       read_q[3:0],
          value:       step_q.value,
          bit_index:   bit_index_q,
          address:     step_q.d + pka_address_t'(word_q)
        };
      end
    end
  end

  // One adder for all operations: x + y in the second read, and for subk x + k in the third.
  logic is_get, is_immediate, is_entry, moves;
  assign is_get       = stage_q.operation inside {OpGet, OpGetc};
  assign is_immediate = stage_q.operation inside {OpLdi, OpLdcnt, OpHot};
  assign is_entry     = stage_q.entry == idx_o;   // of the table, which `get` returns
  assign moves        = stage_q.operation inside {OpMov, OpHigh, OpPut, OpLdc};
  assign subtract = stage_q.second_read && stage_q.operation inside {OpSub, OpSubk, OpCmp};
  assign carry_in = stage_q.second_read ? (stage_q.first_word ? subtract : carry0_q)
                                        : !stage_q.first_word && carry1_q;
  assign differs  = (!stage_q.first_word && differs_q) || word_differs;

  // The bit of `hot`, as a line for its group and one for its place in it; the value of `ldi`.
  localparam int unsigned Groups = (WordBits + 15) / 16;
  logic [Groups-1:0] group;
  logic [15:0]       place;
  logic              is_hot;
  assign is_hot = stage_q.operation == OpHot && stage_q.set_here;
  assign group  = is_hot ? Groups'(1) << stage_q.bit_index[7:4] : {Groups{stage_q.constant && !is_immediate}};
  assign place  = 16'd1 << stage_q.bit_index[3:0];

  pka_word_t word;
  pka_adder_words u_words (
    .clk_i, .clear_i,
    .valid_i      (stage_valid_q),
    .word_i, .constant_i,
    .is_bit_i     (is_immediate),
    .group_i      (group),
    .place_i      (place),
    .value_i      (stage_q.operation inside {OpLdi, OpLdcnt} && stage_q.set_here ? stage_q.value : '0),
    .set_i        (stage_valid_q && !hold_i && (is_get || stage_q.first_read || stage_q.operation == OpSubk)),
    .set_x_i      (is_get && !stage_q.first_read),
    .set_word_i   (is_get ? is_entry : stage_q.first_read),
    .set_sum_i    (!is_get && !stage_q.first_read),
    .subtract_i   (subtract),
    .carry_i      (carry_in),
    .carry_o      (carry_out),
    .differs_o    (word_differs),
    .word_o       (word),
    .write_i      (!hold_i && stage_valid_q && stage_q.last_read),
    .write_x_i    (is_get || moves || (stage_q.operation == OpSel && flag_o)),
    .write_word_i (is_get ? is_entry : is_immediate || (stage_q.operation == OpSel && !flag_o)),
    .write_sum_i  (!(is_get || moves || is_immediate || stage_q.operation == OpSel)),
    .write_word_o
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      flag_o   <= 1'b0;
      idx_o    <= '0;
      carry0_q <= 1'b0;
      carry1_q <= 1'b0;
    end else if (stage_valid_q && !hold_i) begin
      if (stage_q.second_read) carry0_q <= carry_out;
      else if (stage_q.last_read) carry1_q <= carry_out;
      if (stage_q.second_read) differs_q <= differs;
      if (stage_q.last_read && stage_q.last_word) begin
        unique case (stage_q.operation)
          OpSub, OpCmp: flag_o <= !carry_out;
          OpDiffer:     flag_o <= differs;
          OpFidx:       flag_o <= idx_passes(stage_q.test, idx_o);
          OpBit:        idx_o  <= {idx_o[2:0], word[stage_q.bit_index]};
          default: ;
        endcase
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
endmodule

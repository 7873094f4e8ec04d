// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic on polynomials: runs a program of poly_instruction_t, one instruction after the other.
//
// A pair of words enters a cycle, and passes these steps (numbers of `step_q`): 0 addresses, 1 memory, 2 operands of the
// multipliers, 3 to 5 multipliers, 6 sums, 7 write. It is read 8 cycles later or more: no layer waits for the one before.
//
// A product of polynomials takes two cycles a pair: a with x, which is the queue's or the operand that PolyNtt left, then d.
// In a job of ML-DSA its first words are multiplied in step 2, its second ones a cycle later.
//
// In one of ML-KEM multipliers of their own first make a1 gamma of each coefficient of degree one; four cycles later the
// butterflies' make the sums a0 x0 + (a1 gamma) x1 and a0 x1 + a1 x0. So d is that of two pairs before. The last two pairs of d
// are read when the next instruction may be another product already; others wait for them. What is loaded or added is read from
// the queue four cycles later. Otherwise an instruction begins when the one before has read its last pair.
//
// Pairs go through in the order of the banks. Only butterflies between words, and what leaves, ask which word is the low one.
module lattice_poly
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = 7 - $clog2(Butterflies)       // of a pair's number
) (
  input  logic         clk_i,
  input  logic         over_i,          // in the cycle before `clear_i`, or longer: what a job would write is zero
  input  logic         clear_i,         // wipes the memory, an address a cycle
  input  logic         start_i,
  input  logic [10:0]  entry_i,
  input  logic         dsa_i,           // ML-DSA
  input  dsa_set_e     set_i,
  output logic         ended_o,
  output logic [5:0]   slot_o,          // that the instruction writes; writes follow up to seven cycles later

  // ML-DSA: the source lets PolyWait go on; PolyLoop says whether a signature is rejected. Hints of a word.
  input  logic         signal_i,
  input  logic         accept_i,        // whatever the checks say
  output logic         verdict_o,
  output logic         reject_o,
  output logic         hint_write_o,
  output logic [Width+3:0] hint_at_o,
  output logic [Butterflies-1:0] hint_o,
  input  logic [Butterflies-1:0] hint_i,          // those at `hint_at_o`

  // The next polynomial of the queue.
  input  logic         queue_valid_i,
  output logic         queue_release_o,
  output logic         queue_read_o,
  output logic [1:0][Width-1:0] queue_at_o,
  input  coef_t [1:0][Butterflies-1:0] queue_word_i,

  input  logic         out_room_i,      // for another pair
  output logic         out_pair_o,      // a pair has been asked for
  output logic         out_valid_o,
  output coef_t [Butterflies-1:0] out_word_o,
  output logic [4:0]   out_bits_o,
  output target_e      out_target_o
);
  typedef coef_t [Butterflies-1:0] word_t;
  typedef word_t [1:0] pair_t;
  localparam int unsigned Half = Butterflies / 2, Pairs = 2**Width, CountWidth = Width + 3;
  localparam int unsigned Between = layers_between_words(Butterflies);
  // ---- The program.
  poly_instruction_t now;
  logic [2:0]        tail_left_q;       // a product of ML-KEM still reads d when it is 3 and 1
  logic              running_q, jumped, waits, ends, advance, back, signal_q, verdict_q, rejected;
  logic [CountWidth-1:0] count_q;
  logic              last_q, fresh_q;   // it is the instruction's last one, or zero

  // ---- Steps.
  typedef struct packed {
    logic       valid;                  // of a pair, or of a cycle of a product
    poly_op_e   op;
    logic [1:0] phase;
    logic [2:0] layer;
    logic [Width-1:0] pair;
    logic       crossed;                // the low word is in bank 1, and that matters
    logic [5:0] d;
    logic [3:0] bits;                   // or a form
    logic [2:0] n;
    logic       first, queue, negative;
    logic       multiplies;             // in a product of ML-KEM, what was read with this step or the one before
    logic       keeps;                  // leaves the operand
    target_e    target;
  } step_t;
  step_t planned, issued, tail_q, step_q [1:7];
  logic       reads_x;                  // of a product with `a`, not of one of ML-KEM with `d`
  logic [4:1] queue_late;               // steps for which the queue is read in step 4: they load or add
  logic [2:0] layer;                    // of a transform

  logic       dsa, transform, product, element, out, from_queue, seldom, innermost;
  logic [CountWidth-1:0] last;
  form_e      form;
  lattice_poly_fetch #(.Butterflies(Butterflies)) u_fetch (
    .clk_i, .clear_i, .start_i, .entry_i, .advance_i(advance), .back_i(back), .dsa_i, .jumped_o(jumped), .now_o(now),
    .dsa_o(dsa), .transform_o(transform), .product_o(product), .out_o(out), .element_o(element),
    .from_queue_o(from_queue), .layer_ends_i(running_q && !waits && &count_q[Width-1:0]), .layer_o(layer),
    .innermost_o(innermost)
  );
  assign form       = form_e'(now.x[3:0]);
  assign seldom     = dsa && form == FormZ && Butterflies == 8;     // a pair in four cycles: 2.5 words leave
  always_comb begin
    unique case (now.op)
      PolyNtt, PolyInverse: last = CountWidth'(dsa ? 8 * Pairs - 1 : 7 * Pairs - 1);
      PolyProduct:          last = CountWidth'(2 * Pairs - 1);
      PolyOut:              last = CountWidth'(seldom ? 4 * Pairs - 1 : 2 * Pairs - 1);
      PolyLoop:             last = CountWidth'(10);          // the checks have ended
      PolyWait:             last = CountWidth'(1);
      default:              last = CountWidth'(Pairs - 1);
    endcase
  end
  assign waits   = jumped || (from_queue && !queue_valid_i) || (out && !count_q[0] && !out_room_i)
                   || (now.op == PolyWait && !signal_q) || (from_queue && queue_late != '0 && fresh_q)
                   || (tail_left_q != '0 && (!product || (tail_left_q[0] && fresh_q)));
  assign ends    = running_q && !jumped && now.op == PolyEnd;
  assign advance = running_q && !ends && !waits && last_q;
  assign ended_o = !running_q;
  assign slot_o  = jumped || !running_q ? '0 : now.d;
  assign queue_release_o = (advance && from_queue && !element)
                           || (queue_late[4] && &step_q[4].pair && !(step_q[4].op == PolyLoad && step_q[4].first));
  assign verdict_o = advance && now.op == PolyLoop;
  assign reject_o  = rejected && !accept_i;
  assign back      = verdict_o && reject_o;
  always_ff @(posedge clk_i) begin
    tail_left_q <= clear_i ? '0 : advance && product && !dsa ? 3'd4 : tail_left_q - 3'(tail_left_q != '0);
    if (advance && product) tail_q <= issued;
    signal_q <= !clear_i && (signal_i || (signal_q && !(advance && now.op == PolyWait)));
    if (clear_i) running_q <= 1'b0;
    else if (start_i) running_q <= 1'b1;
    else if (ends) running_q <= 1'b0;
    if (start_i || advance) begin
      count_q <= '0;
      last_q  <= 1'b0;                  // none has only one
      fresh_q <= 1'b1;
    end else if (running_q && !waits) begin
      count_q <= count_q + 1'b1;
      last_q  <= count_q + 1'b1 == last;
      fresh_q <= 1'b0;
    end
  end

  always_comb begin
    planned = '{
      valid: 1'b0, op: now.op, phase: count_q[1:0], layer: layer, pair: count_q[Width-1:0], crossed: 1'b0,
      d: now.d, bits: now.x[3:0], n: now.n, first: now.f[0], queue: now.f[1],
      negative: now.f[2], multiplies: 1'b0, keeps: 1'b0, target: target_e'(now.f[1:0])
    };
    if (transform || element) planned.valid = 1'b1;
    if (transform) begin
      planned.queue = now.op == PolyNtt && layer == 3'(Between - 1);
      planned.keeps = now.op == PolyNtt && now.f[0] && innermost;
    end
    if (product) begin
      planned.phase      = {1'b0, count_q[0]};
      planned.multiplies = !dsa;
      planned.pair       = count_q[Width:1] - (dsa || !count_q[0] ? '0 : Width'(2));
      planned.valid      = dsa || !count_q[0] || count_q[Width:2] != '0;
    end
    if (out) begin
      planned.valid = !count_q[0] && !(seldom && count_q[1]);
      planned.pair  = seldom ? count_q[Width+1:2] : count_q[Width:1];
    end
    if (!running_q || waits) {planned.valid, planned.multiplies} = '0;
    planned.crossed = (out || (transform && 32'(layer) < Between)) && ^planned.pair;
    issued = planned;
    if (tail_left_q[0]) begin
      issued            = tail_q;
      issued.valid      = 1'b1;
      issued.pair       = {{Width-1{1'b1}}, !tail_left_q[1]};
      issued.queue      = planned.queue;
      issued.multiplies = planned.multiplies;
    end
  end
  always_ff @(posedge clk_i) begin
    step_q[1] <= issued;
    for (int unsigned i = 2; i <= 7; i++) step_q[i] <= step_q[i-1];
    if (clear_i) for (int unsigned i = 1; i <= 7; i++) step_q[i].valid <= 1'b0;
  end
  assign out_pair_o = out && planned.valid && !(dsa && form inside {FormCheckZ, FormHint});

  // ---- Memory.
  place_t     place, written, queued;
  logic       writes, hint_reads;
  logic [5:0] read_slot;
  pair_t      memory_word, result_q, write_word;    // what is written: zero with `clear_i`
  logic [Width+5:0] wipe_q;
  assign place     = place_of(6'(issued.pair), stride_of(issued.layer, Butterflies));
  assign hint_reads = out && dsa && form == FormHint && count_q[0];
  always_comb begin
    read_slot = now.d;
    if (out && !hint_reads) read_slot = now.a;
    if (now.op == PolyInverse && innermost) read_slot = now.a;
    if (product && !count_q[0]) read_slot = now.a;
    if (tail_left_q[0]) read_slot = tail_q.d;
  end
  assign written   = place_of(6'(step_q[7].pair), stride_of(step_q[7].layer, Butterflies));
  assign writes    = step_q[7].valid && step_q[7].op != PolyOut
                     && (step_q[7].op != PolyProduct || step_q[7].phase[0]);
  always_ff @(posedge clk_i) wipe_q <= clear_i ? wipe_q + 1'b1 : '0;
  lattice_restore #(.Butterflies(Butterflies)) u_restore (
    .sides_i(result_q), .layer_i(step_q[7].layer), .words_o(write_word)
  );
  lattice_memory #(.Polynomials(Slots), .Butterflies(Butterflies)) u_memory (
    .clk_i, .clear_i,
    .write_i     ({2{clear_i || writes}}),
    .write_at_i  (clear_i ? {2{wipe_q}} : {step_q[7].d, written.at1[Width-1:0], step_q[7].d, written.at0[Width-1:0]}),
    .write_word_i(write_word),
    .read_i      (issued.valid || hint_reads),
    .read_at_i   ({read_slot, place.at1[Width-1:0], read_slot, place.at0[Width-1:0]}),
    .read_word_o (memory_word)
  );

  // The operand: what a transform leaves here too.
  pair_t operand_word;
  logic  keeps;
  assign keeps   = step_q[7].valid && step_q[7].keeps;
  assign reads_x = issued.valid && (dsa || !(issued.op == PolyProduct && issued.phase[0]));
  lattice_memory #(.Polynomials(1), .Butterflies(Butterflies)) u_operand (
    .clk_i, .clear_i,
    .write_i     ({2{clear_i || keeps}}),
    .write_at_i  (clear_i ? {2{wipe_q[Width-1:0]}} : {written.at1[Width-1:0], written.at0[Width-1:0]}),
    .write_word_i(write_word),
    .read_i      (reads_x),
    .read_at_i   ({place.at1[Width-1:0], place.at0[Width-1:0]}),
    .read_word_o (operand_word)
  );

  // The queue is read with the memory for a transform and a product, four cycles later for a sum.
  always_ff @(posedge clk_i) begin
    queue_late <= clear_i ? '0 : {queue_late[3:1], issued.valid && issued.op inside {PolyLoad, PolyAdd}};
  end
  assign queued       = queue_late[4] ? place_of(6'(step_q[4].pair), 3'd0) : place;
  assign queue_read_o = queue_late[4] || (reads_x && issued.queue);
  assign queue_at_o   = {queued.at1[Width-1:0], queued.at0[Width-1:0]};

  // ---- Operands.
  // A pair of a product stands at the memories in both of its cycles; the operand is one word of it after the other.
  typedef logic [Butterflies-1:0][23:0] wide_t;     // 24 bits: half a sum and half of q may come here
  pair_t       pair_q, late_q;
  wide_t [1:0] sum_q [3:6];
  word_t       operand, operand_q;
  kem_coef_t [Butterflies-1:0] a, a_q, x_q [3:6];   // of a product of ML-KEM in step 6: a's second word, x
  lattice_choice #(.Width($bits(word_t))) u_operand_word (
    .at_i({step_q[1].queue, step_q[1].phase[0]}), .of_i({queue_word_i, operand_word}), .one_o(operand)
  );
  always_ff @(posedge clk_i) begin
    pair_q    <= step_q[1].queue && step_q[1].op == PolyNtt ? queue_word_i : memory_word;
    operand_q <= operand;
    for (int unsigned i = 0; i < Butterflies; i++) begin
      a_q[i]    <= sum_q[6][1][i][11:0];
      x_q[3][i] <= operand_q[i][11:0];
    end
    for (int unsigned i = 4; i <= 6; i++) x_q[i] <= x_q[i-1];
    if (clear_i) {pair_q, a_q, x_q[3], x_q[4], x_q[5], x_q[6], operand_q} <= '0;
  end

  // Powers of zeta, of the pair in step 2.
  word_t factors;
  lattice_zetas #(.Butterflies(Butterflies)) u_zetas (
    .clk_i, .read_i(!(step_q[1].op == PolyProduct && step_q[1].phase[0])), .dsa_i,
    .layer_i(step_q[1].op == PolyProduct ? 3'd7 : step_q[1].layer), .pair_i(step_q[1].pair),
    .backward_i(step_q[1].op == PolyInverse), .factors_o(factors)
  );

  word_t       left_q, right_q, bias_q, remainder, left, right, difference;
  kem_coef_t [Butterflies-1:0] left_second, left_second_q, right_second, right_second_q;
  coef_t [Half-1:0] scaled;
  kem_coef_t [Half-1:0] scaled_q;
  kem_coef_t [Butterflies-1:0] quotient;
  pair_t       sides;
  wide_t       half;
  kem_coef_t   power;                   // of two, to compress
  logic        out_now, out_next;
  logic  [1:0] left_from, right_from;   // chosen a cycle ahead, from the steps before
  logic  [1:0] empties;   // nothing is added to: one condition, so that it can be the registers' reset
  lattice_arrange #(.Butterflies(Butterflies)) u_arrange (
    .clk_i, .layer_i(step_q[1].layer), .crossed_i(step_q[1].crossed), .words_i(pair_q), .sides_o(sides)
  );
  assign empties     = {2{clear_i || step_q[3].op == PolyLoad
                          || (step_q[3].op == PolyProduct && step_q[3].phase[0] && step_q[3].first)}}
                       | ({2{step_q[3].op == PolyInverse}} & {!step_q[3].crossed, step_q[3].crossed});
  assign out_next    = step_q[1].op == PolyOut && (step_q[1].valid || step_q[2].valid);
  always_ff @(posedge clk_i) begin
    // The first word now, or the second one of the cycle before.
    out_now    <= out_next;
    left_from  <= step_q[5].multiplies ? 2'd0 : step_q[1].op == PolyNtt ? 2'd2 : step_q[1].op == PolyInverse ? 2'd3
                  : {1'b0, out_next ? !step_q[1].valid : step_q[1].phase[0] && dsa_i};
    right_from <= step_q[5].multiplies ? 2'd3 : out_next ? 2'd2 : {1'b0, step_q[1].op == PolyProduct};
    power      <= dsa_i || step_q[1].bits == 4'd12 ? 12'd1 : 12'd1 << step_q[1].bits;
  end
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) begin
      difference[i] = half_q(24'(sides[1][i]) - 24'(sides[0][i]), dsa_i);
      half[i]       = half_sum(sides[0][i], sides[1][i], dsa_i);
      a[i]          = step_q[6].phase[0] ? a_q[i] : sum_q[6][0][i][11:0];
    end
  end
  for (genvar i = 0; i < Butterflies; i++) begin : gen_operands
    lattice_operands u_operands (
      .left_from_i(left_from), .lefts_i({difference[i], sides[1][i], sum_q[3][1][i][22:0], sides[0][i]}),
      .right_from_i(right_from), .rights_i({23'(power), operand_q[i], factors[i]}),
      .kem_product_i(step_q[6].multiplies), .kem_left_from_i(step_q[6].phase[0]),
      .kem_lefts_i({a_q[i], sum_q[6][0][i][11:0]}),
      .kem_second_i(i % 2 == 1 ? a[i ^ 1] : scaled_q[i / 2]), .kem_rights_i({x_q[6][i | 1], x_q[6][i & ~1]}),
      .left_o(left[i]), .right_o(right[i]), .left_second_o(left_second[i]), .right_second_o(right_second[i])
    );
  end
  always_ff @(posedge clk_i) begin
    left_q  <= left;
    right_q <= right;
    {left_second_q, right_second_q} <= {left_second, right_second};
    for (int unsigned i = 0; i < Butterflies; i++) begin
      bias_q[i]      <= !out_now || dsa_i || step_q[2].bits == 4'd12 ? '0 : 23'(Q / 2);
      sum_q[3][0][i] <= step_q[2].op == PolyInverse ? half[i] : 24'(sides[0][i]);
      sum_q[3][1][i] <= step_q[2].op == PolyInverse ? half[i] : 24'(sides[step_q[2].op != PolyNtt][i]);
    end
    for (int unsigned word = 0; word < 2; word++) sum_q[4][word] <= empties[word] ? '0 : sum_q[3][word];
    for (int unsigned i = 5; i <= 6; i++) sum_q[i] <= sum_q[i-1];
    for (int unsigned i = 0; i < Half; i++) scaled_q[i] <= kem_coef_t'(scaled[i]);
    if (clear_i) {left_q, right_q, left_second_q, right_second_q, scaled_q, sum_q[3], sum_q[5], sum_q[6]} <= '0;
  end

  for (genvar i = 0; i < Butterflies; i++) begin : gen_lane
    lattice_lane u_lane (
      .clk_i, .dsa_i, .a_i(left_q[i]), .b_i(right_q[i]), .a_second_i(left_second_q[i]),
      .b_second_i(right_second_q[i]), .c_i(bias_q[i]),
      .remainder_o(remainder[i]), .quotient_o(quotient[i])
    );
  end
  for (genvar i = 0; i < Half; i++) begin : gen_gamma
    kem_coef_t unused;
    lattice_lane #(.Dsa(1'b0)) u_lane (
      .clk_i, .dsa_i(1'b0), .a_i(step_q[2].phase[0] ? 23'(sum_q[3][1][2*i+1]) : pair_q[0][2*i+1]),
      .b_i(step_q[2].phase[0] ? factors[Half+i] : factors[i]), .a_second_i('0), .b_second_i('0), .c_i('0),
      .remainder_o(scaled[i]), .quotient_o(unused)
    );
  end

  // ---- Sums. What is added: a product of this cycle, or what a register has: the queue's, or a product of the cycle before.
  pair_t late;
  always_ff @(posedge clk_i) late_q <= clear_i ? '0 : late;
  always_comb begin
    late = '0;
    if (step_q[5].op inside {PolyLoad, PolyAdd}) late = queue_word_i;
    if (step_q[5].op == PolyProduct) late[0] = remainder;
  end
  pair_t result;
  lattice_sums #(.Butterflies(Butterflies)) u_sums (
    .clk_i, .dsa_i, .op_i(step_q[5].op), .crossed_i(step_q[5].crossed), .negative_i(step_q[5].negative),
    .sums_i(sum_q[6]), .late_i(late_q), .products_i(remainder), .results_o(result)
  );
  always_ff @(posedge clk_i) result_q <= clear_i || over_i ? '0 : result;

  // ---- What leaves: the low word with step 6, the high one a cycle later; of ML-DSA three cycles after that.
  step_t      leaving;                  // step 6 or 7, chosen a cycle ahead
  logic       low, low_next, dsa_valid, kem_whole, kem_part;
  word_t      dsa_word, other;
  logic [4:0] next_dsa_bits;
  target_e    dsa_target;
  assign low_next     = step_q[5].valid && step_q[5].op == PolyOut;
  always_ff @(posedge clk_i) begin
    low     <= low_next && !clear_i;
    leaving <= low_next ? step_q[5] : step_q[6];
    if (clear_i) leaving.valid <= 1'b0;
    kem_whole <= !dsa_i && (low_next ? step_q[5].bits : step_q[6].bits) == 4'd12;
    kem_part  <= !dsa_i && (low_next ? step_q[5].bits : step_q[6].bits) != 4'd12;
    out_bits_o <= dsa ? next_dsa_bits : low_next ? 5'(step_q[5].bits) : 5'(step_q[6].bits);
  end
  logic out_dsa;                        // of few readers, as what leaves goes through the packer in the same cycle
  ow_copy u_dsa (.clk_i, .enable_i(1'b1), .next_i(dsa_i), .copy_o(out_dsa));
  assign out_valid_o  = out_dsa ? dsa_valid : leaving.valid && leaving.op == PolyOut;
  assign out_target_o = out_dsa ? dsa_target : leaving.target;
  always_comb begin
    out_word_o = dsa_word;              // zero in a job of ML-KEM
    for (int unsigned i = 0; i < Butterflies; i++) begin
      out_word_o[i][11:0] |= ({12{kem_whole}} & remainder[i][11:0]) | ({12{kem_part}} & quotient[i]);
      other[i] = low ? sum_q[5][0][i][22:0] : sum_q[6][1][i][22:0];
    end
  end
  logic [Width+3:0] hint_at_q;
  always_ff @(posedge clk_i) begin
    {hint_at_q, verdict_q} <= {leaving.n, leaving.pair, !low, verdict_o};
    hint_at_o <= hint_at_q;
  end
  lattice_round #(.Butterflies(Butterflies)) u_round (
    .clk_i, .clear_i(clear_i || verdict_q), .set_i,
    .valid_i(dsa_i && leaving.valid && leaving.op == PolyOut), .form_i(form_e'(leaving.bits)),
    .target_i(leaving.target), .word_i(remainder), .other_i(other), .hint_i, .hint_write_o, .hint_o,
    .valid_o(dsa_valid), .word_o(dsa_word), .next_bits_o(next_dsa_bits), .target_o(dsa_target), .reject_o(rejected)
  );
endmodule

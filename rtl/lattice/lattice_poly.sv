// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic on polynomials: runs a program of poly_instruction_t, one instruction after the other.
//
// A pair of words enters a cycle, and passes these steps (numbers of `step_q`): 0 addresses, 1 memory, 2 operands of the
// multipliers, 3 to 5 multipliers, 6 sums, 7 write. It is read 8 cycles later or more: no layer waits for the one before.
//
// A product of polynomials takes four cycles a pair: a, x, the pair before of d, nothing. Each coefficient of degree one of a
// is multiplied by gamma on multipliers of its own; then the butterflies' make a0 x1 + a1 x0 of both words and
// a0 x0 + (a1 gamma) x1 of both words.
//
// In a job of ML-DSA it takes two: a with x, which is the queue's or the operand that PolyNtt left, then d. Its first words
// are multiplied in step 2, its second ones a cycle later.
//
// Pairs go through in the order of the banks. Only butterflies between words, and what leaves, ask which word is the low one.
module lattice_poly
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
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
  logic [10:0]       pc_q, next;
  poly_instruction_t now_q;
  logic              running_q, waits, ends, advance, signal_q, rejected;
  logic [CountWidth-1:0] count_q;
  (* rom_style = "block" *) logic [$bits(poly_instruction_t)-1:0] program_q [PolyWords];
  initial for (int unsigned i = 0; i < PolyWords; i++) program_q[i] = PolyProgram[i];

  logic       transform, product, element, out, from_queue, seldom;
  logic [CountWidth-1:0] last;
  form_e      form;
  assign transform  = now_q.op inside {PolyNtt, PolyInverse};
  assign product    = now_q.op == PolyProduct;
  assign element    = now_q.op inside {PolyLoad, PolyAdd};
  assign out        = now_q.op == PolyOut;
  assign from_queue = now_q.op == PolyNtt || element || (product && now_q.f[1]);
  assign form       = form_e'(now_q.x[3:0]);
  assign seldom     = dsa_i && form == FormZ && Butterflies == 8;     // a pair in four cycles: 2.5 words leave
  always_comb begin
    unique case (now_q.op)
      PolyNtt, PolyInverse: last = CountWidth'(dsa_i ? 8 * Pairs - 1 : 7 * Pairs + 6);
      PolyProduct:          last = CountWidth'(dsa_i ? 2 * Pairs - 1 : 4 * Pairs + 9);
      PolyOut:              last = CountWidth'(seldom ? 4 * Pairs - 1 : 2 * Pairs - 1);
      PolyLoop:             last = CountWidth'(7);           // the checks have ended
      PolyWait:             last = '0;
      default:              last = CountWidth'(Pairs + 3);   // the queue has been read
    endcase
  end
  assign waits   = (from_queue && !queue_valid_i) || (out && !count_q[0] && !out_room_i)
                   || (now_q.op == PolyWait && !signal_q);
  assign ends    = running_q && now_q.op == PolyEnd;
  assign advance = running_q && !ends && !waits && count_q == last;
  assign ended_o = !running_q;
  assign slot_o  = now_q.d;
  assign queue_release_o = advance && from_queue && !(now_q.op == PolyLoad && now_q.f[0]);
  assign verdict_o = advance && now_q.op == PolyLoop;
  assign reject_o  = rejected && !accept_i;
  assign next      = start_i ? entry_i : verdict_o && reject_o ? 11'({now_q.a, now_q.x}) : pc_q;
  always_ff @(posedge clk_i) begin
    if (start_i || advance) now_q <= poly_instruction_t'(program_q[next[$clog2(PolyWords)-1:0]]);
    signal_q <= !clear_i && (signal_i || (signal_q && !(advance && now_q.op == PolyWait)));
    if (clear_i) begin
      running_q <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
      pc_q      <= next + 11'd1;
      count_q   <= '0;
    end else if (ends) begin
      running_q <= 1'b0;
    end else if (advance) begin
      pc_q    <= next + 11'd1;
      count_q <= '0;
    end else if (running_q && !waits) begin
      count_q <= count_q + 1'b1;
    end
  end

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
    target_e    target;
  } step_t;
  step_t issued, step_q [1:8];
  logic       ready_q, produced_q;      // the coefficients of a group of a product are here; have been added
  logic [Width-1:0] group;              // of the pair that a product's third phase reads
  logic [2:0]       layer;              // of a transform, in the order of time
  assign {layer, group} = {count_q[CountWidth-1:Width], count_q[Width+1:2] - 1'b1};
  always_comb begin
    issued = '{
      valid: 1'b0, op: now_q.op, phase: count_q[1:0], layer: 3'd0, pair: count_q[Width-1:0], crossed: 1'b0,
      d: now_q.d, bits: now_q.x[3:0], n: now_q.n, first: now_q.f[0], queue: now_q.f[1],
      negative: now_q.f[2], target: target_e'(now_q.f[1:0])
    };
    if (transform) begin
      issued.valid = dsa_i || count_q < CountWidth'(7 * Pairs);
      // Words that are furthest apart first, then within words; backward the other way.
      issued.layer = now_q.op == PolyInverse ? layer : 3'd6 + 3'(dsa_i) - layer;
      issued.layer = issued.layer < 3'(7 - Between) + 3'(dsa_i) ? 3'd6 + 3'(dsa_i) - issued.layer
                     : issued.layer - 3'(7 - Between) - 3'(dsa_i);
      issued.queue = now_q.op == PolyNtt && layer == '0;
    end
    if (product && dsa_i) begin
      issued.valid = 1'b1;
      issued.phase = {1'b0, count_q[0]};
      issued.pair  = count_q[Width:1];
    end else if (product) begin
      issued.valid = count_q < CountWidth'(4 * Pairs + 3);
      issued.pair  = count_q[1:0] == 2'd2 ? group : count_q[Width+1:2];
    end
    if (element) issued.valid = count_q < CountWidth'(Pairs);
    if (out) begin
      issued.valid = !count_q[0] && !(seldom && count_q[1]);
      issued.pair  = seldom ? count_q[Width+1:2] : count_q[Width:1];
    end
    if (!running_q || waits) issued.valid = 1'b0;
    issued.crossed = (out || (transform && 32'(issued.layer) < Between))
                     && place_of(6'(issued.pair), stride_of(issued.layer, Butterflies)).swapped;
  end
  always_ff @(posedge clk_i) begin
    step_q[1] <= issued;
    for (int unsigned i = 2; i <= 8; i++) step_q[i] <= step_q[i-1];
    if (clear_i) for (int unsigned i = 1; i <= 8; i++) step_q[i].valid <= 1'b0;
  end
  assign out_pair_o = out && issued.valid && !(dsa_i && form inside {FormCheckZ, FormHint});

  // ---- Memory.
  place_t     place, written, queued;
  logic       writes, product_written, queue_late, hint_reads;
  logic [5:0] read_slot;
  pair_t      memory_word, result_q, write_word;    // what is written: zero with `clear_i`
  logic [Width+5:0] wipe_q;
  assign place     = place_of(6'(issued.pair), stride_of(issued.layer, Butterflies));
  assign hint_reads = out && dsa_i && form == FormHint && count_q[0];
  always_comb begin
    read_slot = now_q.d;
    if (out && !hint_reads) read_slot = now_q.a;
    if (now_q.op == PolyInverse && layer == '0) read_slot = now_q.a;
    if (product && issued.phase == 2'd0) read_slot = now_q.a;
    if (product && issued.phase == 2'd1 && !dsa_i) read_slot = now_q.x;
  end
  assign written   = place_of(6'(step_q[7].pair), stride_of(step_q[7].layer, Butterflies));
  assign writes    = step_q[7].valid && step_q[7].op != PolyOut
                     && (step_q[7].op != PolyProduct || product_written);
  assign product_written = dsa_i ? step_q[7].phase[0] : step_q[7].phase == 2'd2 && produced_q;
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

  // The operand: what a transform of ML-DSA leaves here too.
  pair_t operand_word;
  logic  keeps;
  assign keeps = dsa_i && step_q[7].valid && step_q[7].op == PolyNtt && step_q[7].first && step_q[7].layer == 3'd7;
  lattice_memory #(.Polynomials(1), .Butterflies(Butterflies)) u_operand (
    .clk_i, .clear_i,
    .write_i     ({2{clear_i || keeps}}),
    .write_at_i  (clear_i ? {2{wipe_q[Width-1:0]}} : {written.at1[Width-1:0], written.at0[Width-1:0]}),
    .write_word_i(write_word),
    .read_i      (issued.valid),
    .read_at_i   ({place.at1[Width-1:0], place.at0[Width-1:0]}),
    .read_word_o (operand_word)
  );

  // The queue is read with the memory for a transform and a product, four cycles later for a sum.
  assign queue_late   = step_q[4].valid && step_q[4].op inside {PolyLoad, PolyAdd};
  assign queued       = queue_late ? place_of(6'(step_q[4].pair), 3'd0) : place;
  assign queue_read_o = queue_late || issued.valid;
  assign queue_at_o   = {queued.at1[Width-1:0], queued.at0[Width-1:0]};

  logic fetches_queue;
  assign fetches_queue = step_q[1].queue && (step_q[1].op == PolyNtt
                         || (step_q[1].op == PolyProduct && step_q[1].phase == 2'd1 && !dsa_i));

  // ---- Operands.
  // The memories read a pair of ML-DSA's products in both of its cycles; the operand is one word of it after the other.
  typedef logic [Butterflies-1:0][23:0] wide_t;     // 24 bits: half a sum and half of q may come here
  pair_t       pair_q, late_q;
  wide_t [1:0] sum_q [3:6];
  word_t       operand, operand_q;
  kem_coef_t [1:0][Butterflies-1:0] a_q, x_q;
  lattice_choice #(.Width($bits(word_t))) u_operand_word (
    .at_i({step_q[1].queue, step_q[1].phase[0]}), .of_i({queue_word_i, operand_word}), .one_o(operand)
  );
  always_ff @(posedge clk_i) begin
    pair_q    <= fetches_queue ? queue_word_i : memory_word;
    operand_q <= operand;
    for (int unsigned word = 0; word < 2; word++) begin
      for (int unsigned i = 0; i < Butterflies; i++) begin
        if (step_q[3].phase == 2'd0) a_q[word][i] <= kem_coef_t'(sum_q[3][word][i]);
        if (step_q[2].phase == 2'd1) x_q[word][i] <= kem_coef_t'(pair_q[word][i]);
      end
    end
    if (clear_i) {pair_q, a_q, x_q, operand_q} <= '0;
  end

  // Powers of zeta, of the pair in step 2.
  word_t factors;
  step_t two;
  assign two = step_q[2];
  lattice_zetas #(.Butterflies(Butterflies)) u_zetas (
    .clk_i, .dsa_i, .layer_i(step_q[1].op == PolyProduct ? 3'd7 : step_q[1].layer), .pair_i(step_q[1].pair),
    .backward_i(step_q[1].op == PolyInverse), .factors_o(factors)
  );

  word_t       left_q, right_q, bias_q, remainder, left, right, difference;
  coef_t [Half-1:0] scaled;
  kem_coef_t [Half-1:0] scaled_q;
  kem_coef_t [Butterflies-1:0] quotient;
  pair_t       sides;
  wide_t       half;
  kem_coef_t   power;                   // of two, to compress
  logic        out_now, kem_product;
  logic  [1:0] left_from, right_from;
  logic  [1:0] empties;   // nothing is added to: one condition, so that it can be the registers' reset
  lattice_arrange #(.Butterflies(Butterflies)) u_arrange (
    .words_i(pair_q), .layer_i(two.layer), .crossed_i(two.crossed), .sides_o(sides)
  );
  assign empties     = {2{clear_i || step_q[3].op == PolyLoad || (step_q[3].op == PolyProduct && step_q[3].first)}}
                       | ({2{step_q[3].op == PolyInverse}} & {!step_q[3].crossed, step_q[3].crossed});
  assign kem_product = !dsa_i && step_q[4].valid && step_q[4].op == PolyProduct;
  assign out_now     = two.op == PolyOut && (two.valid || step_q[3].valid);
  always_comb begin
    // The first word now, or the second one of the cycle before.
    left_from  = two.op == PolyNtt ? 2'd2 : two.op == PolyInverse ? 2'd3 : {1'b0, out_now ? !two.valid : two.phase[0]};
    right_from = kem_product ? 2'd3 : out_now ? 2'd2 : {1'b0, two.op == PolyProduct};
    power = dsa_i || two.bits == 4'd12 ? 12'd1 : 12'd1 << two.bits;
    for (int unsigned i = 0; i < Butterflies; i++) begin
      difference[i] = half_q(24'(sides[1][i]) - 24'(sides[0][i]), dsa_i);
      half[i]       = half_sum(sides[0][i], sides[1][i], dsa_i);
    end
  end
  for (genvar i = 0; i < Butterflies; i++) begin : gen_operands
    lattice_operands u_operands (
      .left_from_i(left_from), .lefts_i({difference[i], sides[1][i], sum_q[3][1][i][22:0], sides[0][i]}),
      .kem_product_i(kem_product), .kem_lefts_i({scaled_q[i / 2], a_q[1][i], a_q[0][i]}), .left_o(left[i]),
      .kem_left_from_i(i % 2 == 1 && step_q[4].phase[1] ? 2'd3 : {step_q[4].phase[0], !step_q[4].phase[0]}),
      .right_from_i(right_from), .rights_i({23'(power), operand_q[i], factors[i]}), .right_o(right[i]),
      .kem_right_from_i({step_q[4].phase[0], step_q[4].phase[1]}),
      .kem_rights_i({x_q[1][i], x_q[1][i ^ 1], x_q[0][i], x_q[0][i ^ 1]})
    );
  end
  always_ff @(posedge clk_i) begin
    left_q  <= left;
    right_q <= right;
    for (int unsigned i = 0; i < Butterflies; i++) begin
      bias_q[i]      <= !out_now || dsa_i || two.bits == 4'd12 ? '0 : 23'(Q / 2);
      sum_q[3][0][i] <= two.op == PolyInverse ? half[i] : 24'(sides[0][i]);
      sum_q[3][1][i] <= two.op == PolyInverse ? half[i] : two.op == PolyNtt ? 24'(sides[0][i]) : 24'(sides[1][i]);
    end
    for (int unsigned word = 0; word < 2; word++) sum_q[4][word] <= empties[word] ? '0 : sum_q[3][word];
    for (int unsigned i = 5; i <= 6; i++) sum_q[i] <= sum_q[i-1];
    for (int unsigned i = 0; i < Half; i++) scaled_q[i] <= kem_coef_t'(scaled[i]);
    if (clear_i) {left_q, right_q, scaled_q, sum_q[3], sum_q[5], sum_q[6]} <= '0;
  end

  for (genvar i = 0; i < Butterflies; i++) begin : gen_lane
    lattice_lane u_lane (
      .clk_i, .dsa_i, .a_i(left_q[i]), .b_i(right_q[i]), .c_i(bias_q[i]),
      .remainder_o(remainder[i]), .quotient_o(quotient[i])
    );
  end
  for (genvar i = 0; i < Half; i++) begin : gen_gamma
    kem_coef_t unused;
    lattice_lane #(.Dsa(1'b0)) u_lane (
      .clk_i, .dsa_i(1'b0), .a_i(two.phase == 2'd0 ? pair_q[0][2*i+1] : 23'(sum_q[3][1][2*i+1])),
      .b_i(two.phase == 2'd0 ? factors[i] : factors[Half+i]), .c_i('0), .remainder_o(scaled[i]), .quotient_o(unused)
    );
  end

  // ---- Sums. What is added: a product of this cycle, or what a register has: the queue's, or a product that took longer.
  kem_coef_t [Half-1:0] odd_q [2], even_q, sums;
  pair_t       late;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Half; i++) begin
      if (!step_q[8].phase[1]) odd_q[step_q[8].phase[0]][i] <= sums[i];
      if (step_q[8].phase == 2'd2) even_q[i] <= sums[i];
    end
    ready_q    <= !clear_i && step_q[8].valid && step_q[8].op == PolyProduct && step_q[8].phase == 2'd3;
    produced_q <= ready_q;
    late_q     <= clear_i ? '0 : late;
    if (clear_i) {odd_q[1], odd_q[0], even_q} <= '0;
  end
  always_comb begin
    for (int unsigned i = 0; i < Half; i++) sums[i] = kem_sum(remainder[2*i][11:0], remainder[2*i+1][11:0]);
    late = '0;
    if (step_q[5].op inside {PolyLoad, PolyAdd}) late = queue_word_i;
    if (step_q[5].op == PolyProduct && dsa_i) late[0] = remainder;
    if (step_q[5].op == PolyProduct && !dsa_i) begin
      for (int unsigned i = 0; i < Half; i++) begin
        late[0][2*i]   = 23'(even_q[i]);
        late[0][2*i+1] = 23'(odd_q[0][i]);
        late[1][2*i]   = 23'(sums[i]);  // of the product's fourth cycle, which is in step 8
        late[1][2*i+1] = 23'(odd_q[1][i]);
      end
    end
  end
  // One sum or difference of each coefficient, whatever the instruction: of `sum_q`, which is zero where nothing is to be
  // added to, and of `late_q` or a product, of which the other one is zero.
  pair_t      result;
  logic [1:0] subtracts, adds_product;
  always_comb begin
    adds_product = step_q[6].op == PolyNtt ? 2'b11
                   : step_q[6].op == PolyInverse ? {!step_q[6].crossed, step_q[6].crossed}
                   : {step_q[6].op == PolyProduct && dsa_i, 1'b0};
    subtracts    = {2{step_q[6].op == PolyProduct && step_q[6].negative}}
                   | ({2{step_q[6].op == PolyNtt}} & {!step_q[6].crossed, step_q[6].crossed});
    for (int unsigned word = 0; word < 2; word++) begin
      for (int unsigned i = 0; i < Butterflies; i++) begin
        result[word][i] = add_sub_q(
          sum_q[6][word][i], late_q[word][i] | (adds_product[word] ? remainder[i] : '0), subtracts[word], dsa_i
        );
      end
    end
  end
  always_ff @(posedge clk_i) result_q <= clear_i || over_i ? '0 : result;

  // ---- What leaves: the low word with step 6, the high one a cycle later; of ML-DSA a cycle after that.
  step_t      leaving;
  logic       low, dsa_valid;
  word_t      dsa_word, other;
  logic [4:0] dsa_bits;
  target_e    dsa_target;
  assign low          = step_q[6].valid && step_q[6].op == PolyOut;
  assign leaving      = low ? step_q[6] : step_q[7];
  assign out_valid_o  = dsa_i ? dsa_valid : leaving.valid && leaving.op == PolyOut;
  assign out_bits_o   = dsa_i ? dsa_bits : 5'(leaving.bits);
  assign out_target_o = dsa_i ? dsa_target : leaving.target;
  always_comb begin
    out_word_o = dsa_word;              // zero in a job of ML-KEM
    for (int unsigned i = 0; i < Butterflies; i++) begin
      if (!dsa_i) out_word_o[i][11:0] = leaving.bits == 4'd12 ? remainder[i][11:0] : quotient[i];
      other[i] = low ? sum_q[5][0][i][22:0] : sum_q[6][1][i][22:0];
    end
  end
  assign hint_at_o    = {leaving.n, leaving.pair, !low};
  lattice_round #(.Butterflies(Butterflies)) u_round (
    .clk_i, .clear_i(clear_i || verdict_o), .set_i,
    .valid_i(dsa_i && leaving.valid && leaving.op == PolyOut), .form_i(form_e'(leaving.bits)),
    .target_i(leaving.target), .word_i(remainder), .other_i(other), .hint_i, .hint_write_o, .hint_o,
    .valid_o(dsa_valid), .word_o(dsa_word), .bits_o(dsa_bits), .target_o(dsa_target), .reject_o(rejected)
  );
endmodule

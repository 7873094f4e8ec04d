// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic on polynomials: runs a program of poly_instruction_t, one instruction after the other.
//
// A pair of words enters a cycle, and passes these steps (numbers of `step_q`): 0 addresses, 1 memory, 2 operands of the
// multipliers, 3 to 5 multipliers, 6 sums, 7 write. A pair that is written is read 8 cycles later or more: the order of
// the pairs is such that no layer of a transform waits for the one before (README.md).
//
// A product of polynomials takes four cycles a pair: a, x, the pair before of d, nothing. Each coefficient of degree one
// of a is multiplied by gamma on four multipliers of its own; then the eight others make a0 x1 + a1 x0 of both words and
// a0 x0 + (a1 gamma) x1 of both words.
module lattice_poly
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,         // for 256 cycles: wipes the memory
  input  logic         start_i,
  input  logic [8:0]   entry_i,
  output logic         ended_o,

  // The next polynomial of the queue.
  input  logic         queue_valid_i,
  output logic         queue_release_o,
  output logic         queue_read_o,
  output logic [1:0][3:0] queue_at_o,
  input  pair_t        queue_word_i,

  input  logic         out_room_i,      // for another pair
  output logic         out_pair_o,      // a pair has been asked for
  output logic         out_valid_o,
  output word_t        out_word_o,
  output logic [3:0]   out_bits_o,
  output target_e      out_target_o
);
  // ---- The program.
  logic [8:0]        pc_q;
  poly_instruction_t now_q;
  logic              running_q, waits, ends, advance;
  logic [6:0]        count_q;
  (* rom_style = "block" *) logic [$bits(poly_instruction_t)-1:0] program_q [PolyWords];
  initial for (int unsigned i = 0; i < PolyWords; i++) program_q[i] = PolyProgram[i];

  logic transform, product, element, out, from_queue;
  assign transform  = now_q.op inside {PolyNtt, PolyInverse};
  assign product    = now_q.op == PolyProduct;
  assign element    = now_q.op inside {PolyLoad, PolyAdd, PolySubtract};
  assign out        = now_q.op == PolyOut;
  assign from_queue = now_q.op == PolyNtt || element || (product && now_q.f[1]);
  logic [6:0] last;
  assign last    = transform ? 7'd118 : product ? 7'd73 : out ? 7'd31 : 7'd22;
  assign waits   = (from_queue && !queue_valid_i) || (out && !count_q[0] && !out_room_i);
  assign ends    = running_q && now_q.op == PolyEnd;
  assign advance = running_q && !ends && !waits && count_q == last;
  assign ended_o = !running_q;
  assign queue_release_o = advance && from_queue;
  always_ff @(posedge clk_i) begin
    if (start_i || advance) now_q <= poly_instruction_t'(program_q[start_i ? entry_i : pc_q]);
    if (clear_i) begin
      running_q <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
      pc_q      <= entry_i + 9'd1;
      count_q   <= '0;
    end else if (ends) begin
      running_q <= 1'b0;
    end else if (advance) begin
      pc_q    <= pc_q + 9'd1;
      count_q <= '0;
    end else if (running_q && !waits) begin
      count_q <= count_q + 7'd1;
    end
  end

  // ---- Steps.
  typedef struct packed {
    logic       valid;                  // of a pair, or of a cycle of a product
    poly_op_e   op;
    logic       multiply;               // products: not behind the last group
    logic [1:0] phase;
    logic [2:0] layer;                  // 0 to 4: words apart; 5: four coefficients, 6: two
    logic [3:0] pair;
    logic [3:0] d, bits;
    logic       first, queue;
    target_e    target;
  } step_t;
  step_t issued, step_q [1:8];
  logic       ready_q, produced_q;      // the coefficients of a group of a product are here; have been added
  logic [3:0] group;                    // of the pair that a product's third phase reads
  assign group = count_q[5:2] - 4'd1;
  always_comb begin
    issued = '{
      valid: 1'b0, op: now_q.op, multiply: !count_q[6], phase: count_q[1:0], layer: 3'd0, pair: count_q[3:0],
      d: now_q.d, bits: now_q.x, first: now_q.f[0], queue: now_q.f[1], target: target_e'(now_q.f)
    };
    if (transform) begin
      issued.valid = count_q < 7'd112;
      // Words 16, 8, 4, 2, 1 apart, then within words; backward the other way.
      issued.layer = now_q.op == PolyInverse ? count_q[6:4] : 3'd6 - count_q[6:4];
      issued.layer = issued.layer < 3'd2 ? 3'd6 - issued.layer : issued.layer - 3'd2;
      issued.queue = now_q.op == PolyNtt && count_q[6:4] == '0;
    end
    if (product) begin
      issued.valid = count_q < 7'd67;
      issued.pair  = count_q[1:0] == 2'd2 ? group : count_q[5:2];
    end
    if (element) issued.valid = count_q < 7'd16;
    if (out) begin
      issued.valid = !count_q[0];
      issued.pair  = count_q[4:1];
    end
    if (!running_q || waits) issued.valid = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    step_q[1] <= issued;
    for (int unsigned i = 2; i <= 8; i++) step_q[i] <= step_q[i-1];
    if (clear_i) for (int unsigned i = 1; i <= 8; i++) step_q[i].valid <= 1'b0;
  end
  assign out_pair_o = out && issued.valid;

  function automatic logic [2:0] stride_of(logic [2:0] layer);
    return layer > 3'd4 ? 3'd0 : layer;
  endfunction

  // ---- Memory.
  place_t     place, fetched_place, written, queued;
  logic       writes, queue_late;
  logic [3:0] read_slot;
  pair_t      memory_word, fetched, result_q;
  logic [7:0] wipe_q;
  assign place     = place_of(issued.pair, stride_of(issued.layer));
  assign read_slot = out || (product && count_q[1:0] == 2'd0) ? now_q.a
                     : product && count_q[1:0] == 2'd1 ? now_q.x : now_q.d;
  assign written   = place_of(step_q[7].pair, stride_of(step_q[7].layer));
  assign writes    = step_q[7].valid && step_q[7].op != PolyOut
                     && (step_q[7].op != PolyProduct || (step_q[7].phase == 2'd2 && produced_q));
  always_ff @(posedge clk_i) wipe_q <= clear_i ? wipe_q + 8'd1 : '0;
  lattice_memory #(.Polynomials(Slots)) u_memory (
    .clk_i,
    .write_i     ({2{clear_i || writes}}),
    .write_at_i  (clear_i ? {2{wipe_q}} : {step_q[7].d, written.at1, step_q[7].d, written.at0}),
    .write_word_i(clear_i ? '0 : written.swapped ? {result_q[0], result_q[1]} : result_q),
    .read_i      (issued.valid),
    .read_at_i   ({read_slot, place.at1, read_slot, place.at0}),
    .read_word_o (memory_word)
  );

  // The queue is read with the memory for a transform and a product, four cycles later for a sum.
  assign queue_late   = step_q[4].valid && step_q[4].op inside {PolyLoad, PolyAdd, PolySubtract};
  assign queued       = queue_late ? place_of(step_q[4].pair, 3'd0) : place;
  assign queue_read_o = queue_late || issued.valid;
  assign queue_at_o   = {queued.at1, queued.at0};

  assign fetched_place = place_of(step_q[1].pair, stride_of(step_q[1].layer));
  always_comb begin
    fetched = memory_word;
    if (step_q[1].queue && step_q[1].op == PolyNtt) fetched = queue_word_i;
    if (step_q[1].queue && step_q[1].op == PolyProduct && step_q[1].phase == 2'd1) fetched = queue_word_i;
    if (fetched_place.swapped) fetched = {fetched[0], fetched[1]};
  end

  // ---- Operands.
  pair_t pair_q, pair_before_q, a_q, x_q, late_q;
  logic  queued_swapped;
  assign queued_swapped = ^low_of(step_q[5].pair, 3'd0);
  always_ff @(posedge clk_i) begin
    pair_q        <= fetched;
    pair_before_q <= pair_q;
    late_q        <= queued_swapped ? {queue_word_i[0], queue_word_i[1]} : queue_word_i;
    if (step_q[3].phase == 2'd0) a_q <= pair_before_q;
    if (step_q[2].phase == 2'd1) x_q <= pair_q;
    if (clear_i) {pair_q, pair_before_q, a_q, x_q, late_q} <= '0;
  end

  // A layer within words: its butterflies' first and second inputs are halves or quarters of words.
  function automatic pair_t arranged(pair_t words, logic [2:0] layer);
    for (int unsigned i = 0; i < 8; i++) begin
      for (int unsigned side = 0; side < 2; side++) begin
        unique case (layer)
          3'd5:    arranged[side][i] = words[i / 4][4*side + i % 4];
          3'd6:    arranged[side][i] = words[i / 4][4*(i / 2 % 2) + 2*side + i % 2];
          default: arranged[side][i] = words[side][i];
        endcase
      end
    end
  endfunction
  function automatic pair_t restored(pair_t sides, logic [2:0] layer);
    restored = sides;
    for (int unsigned i = 0; i < 8; i++) begin
      for (int unsigned side = 0; side < 2; side++) begin
        if (layer == 3'd5) restored[i / 4][4*side + i % 4] = sides[side][i];
        if (layer == 3'd6) restored[i / 4][4*(i / 2 % 2) + 2*side + i % 2] = sides[side][i];
      end
    end
  endfunction

  // Powers of zeta, four a row. Backward the same rows from the end.
  logic [3:0]       at;
  logic [4:0]       row;
  logic [3:0][11:0] zetas, gammas;
  logic [7:0][11:0] factors;
  logic             backward;
  step_t            two;
  assign two      = step_q[2];
  assign backward = two.op == PolyInverse;
  assign at       = two.pair ^ {4{backward}};
  always_comb begin
    unique case (two.layer)
      3'd6:    row = {1'b1, at};
      3'd5:    row = 5'({1'b1, at} >> 1);
      default: row = 5'(({1'b1, at} >> two.layer) >> 2);
    endcase
    zetas = Zetas[row];
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (two.layer)
        3'd6:    factors[i] = zetas[2'(i / 2) ^ {2{backward}}];
        3'd5:    factors[i] = zetas[{at[0], 1'(i / 4) ^ backward}];
        default: factors[i] = zetas[2'({1'b1, at} >> two.layer)];
      endcase
    end
  end

  coef_t [7:0] left_q, right_q, bias_q, remainder, quotient;
  logic  [3:0] out_bits;
  coef_t [3:0] scaled, scaled_q;
  pair_t       sides, sum_q [3:6];
  assign sides = arranged(pair_q, two.layer);
  always_ff @(posedge clk_i) begin
    sum_q[3] <= pair_q;
    bias_q   <= '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (two.op == PolyNtt) begin
        left_q[i]      <= sides[1][i];
        right_q[i]     <= factors[i];
        sum_q[3][0][i] <= sides[0][i];
      end
      if (two.op == PolyInverse) begin
        left_q[i]      <= half_q(sub_q(sides[1][i], sides[0][i]));
        right_q[i]     <= factors[i];
        sum_q[3][0][i] <= half_q(add_q(sides[0][i], sides[1][i]));
      end
      if (step_q[4].valid && step_q[4].op == PolyProduct) begin
        left_q[i]  <= i % 2 == 1 && step_q[4].phase[1] ? scaled_q[i/2] : a_q[step_q[4].phase[0]][i];
        right_q[i] <= x_q[step_q[4].phase[0]][step_q[4].phase[1] ? i : i ^ 1];
      end
      if ((two.valid && two.op == PolyOut) || (step_q[3].valid && step_q[3].op == PolyOut)) begin
        left_q[i]  <= two.valid && two.op == PolyOut ? pair_q[0][i] : pair_before_q[1][i];
        right_q[i] <= out_bits == 4'd12 ? 12'd1 : 12'd1 << out_bits;
        bias_q[i]  <= out_bits == 4'd12 ? '0 : 12'(Q / 2);
      end
    end
    for (int unsigned i = 4; i <= 6; i++) sum_q[i] <= sum_q[i-1];
    scaled_q <= scaled;
    if (clear_i) {left_q, right_q, scaled_q, sum_q[3], sum_q[4], sum_q[5], sum_q[6]} <= '0;
  end
  assign out_bits = two.valid && two.op == PolyOut ? two.bits : step_q[3].bits;

  for (genvar i = 0; i < 8; i++) begin : gen_lane
    lattice_lane u_lane (
      .clk_i, .a_i(left_q[i]), .b_i(right_q[i]), .c_i(bias_q[i]), .remainder_o(remainder[i]), .quotient_o(quotient[i])
    );
  end
  // gamma of the pairs of a word: zeta, -zeta, the next zeta, its negative. The row for the high word is that of step 3.
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      gammas[i] = Zetas[{1'b1, step_q[3].pair}][2 + i / 2];
      if (two.phase == 2'd0) gammas[i] = Zetas[{1'b1, two.pair}][i / 2];
      if (i % 2 == 1) gammas[i] = 12'(Q) - gammas[i];
    end
  end
  for (genvar i = 0; i < 4; i++) begin : gen_gamma
    coef_t unused;
    lattice_lane u_lane (
      .clk_i, .a_i(two.phase == 2'd0 ? pair_q[0][2*i+1] : pair_before_q[1][2*i+1]), .b_i(gammas[i]), .c_i('0),
      .remainder_o(scaled[i]), .quotient_o(unused)
    );
  end

  // ---- Sums.
  coef_t [3:0] odd_q [2], even_q [2];
  pair_t       products;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (step_q[8].phase[1]) even_q[step_q[8].phase[0]][i] <= add_q(remainder[2*i], remainder[2*i+1]);
      else odd_q[step_q[8].phase[0]][i] <= add_q(remainder[2*i], remainder[2*i+1]);
    end
    ready_q    <= !clear_i && step_q[8].valid && step_q[8].op == PolyProduct && step_q[8].phase == 2'd3;
    produced_q <= ready_q;
    if (clear_i) begin
      odd_q  <= '{default: '0};
      even_q <= '{default: '0};
    end
  end
  always_comb begin
    for (int unsigned word = 0; word < 2; word++) begin
      for (int unsigned i = 0; i < 4; i++) begin
        products[word][2*i]   = even_q[word][i];
        products[word][2*i+1] = odd_q[word][i];
      end
    end
  end
  pair_t result;
  always_comb begin
    result = sum_q[6];
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (step_q[6].op)
        PolyNtt: begin
          result[0][i] = add_q(sum_q[6][0][i], remainder[i]);
          result[1][i] = sub_q(sum_q[6][0][i], remainder[i]);
        end
        PolyInverse: result[1][i] = remainder[i];
        default: begin
          for (int unsigned word = 0; word < 2; word++) begin
            unique case (step_q[6].op)
              PolyLoad:     result[word][i] = late_q[word][i];
              PolyAdd:      result[word][i] = add_q(sum_q[6][word][i], late_q[word][i]);
              PolySubtract: result[word][i] = sub_q(late_q[word][i], sum_q[6][word][i]);
              default:      result[word][i] = add_q(step_q[6].first ? '0 : sum_q[6][word][i], products[word][i]);
            endcase
          end
        end
      endcase
    end
    if (step_q[6].op inside {PolyNtt, PolyInverse}) result = restored(result, step_q[6].layer);
  end
  always_ff @(posedge clk_i) result_q <= clear_i ? '0 : result;

  // ---- What leaves: the low word with step 6, the high one a cycle later.
  step_t leaving;
  assign leaving      = step_q[6].valid && step_q[6].op == PolyOut ? step_q[6] : step_q[7];
  assign out_valid_o  = leaving.valid && leaving.op == PolyOut;
  assign out_bits_o   = leaving.bits;
  assign out_target_o = leaving.target;
  assign out_word_o   = leaving.bits == 4'd12 ? remainder : quotient;
endmodule

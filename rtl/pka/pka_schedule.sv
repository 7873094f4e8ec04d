// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The first stage of the multiplier: selects the product of every slot (rtl/pka/schedule.py does the same).
//
// A multiplication that starts in cycle t has its first slot in t + 1, or with the next slot if the other thread's
// multiplication is in one; a slot lasts `Passes` cycles. In column `column`, the accumulator's lowest, q is made when
// the column is complete; q m_0 clears it; q m_1 goes to the next. In every other slot `walk` goes on through the
// products that wait for nothing, at most one column ahead. A product that is not granted its slot is offered again in
// the next. The last word of the result, what the last column leaves, takes a slot but no product.
//
// What the slot is for is decided a slot ahead, and so is what the choice needs of the walk, and the addresses of its
// product: registers have them. Only whether the slot is granted comes late.
module pka_schedule
  import pka_pkg::*;
#(
  parameter int unsigned Passes = 1
) (
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          slot_i,     // a slot begins in this cycle
  input  logic          slot_ends_i,
  input  logic          start_i,
  input  pka_multiply_t multiply_i,
  output logic          busy_o,
  output logic          ready_o,    // may start in this cycle
  output logic          last_o,     // this is the cycle of the last slot

  output logic          token_valid_o,
  output logic          urgent_o,   // a product that others wait for
  input  logic          grant_walk_i,   // a product has the slot, if it is not urgent
  input  logic          grant_urgent_i, // if it is
  output pka_token_t    token_o,    // but for the thread
  output logic          flush_o,    // wants to write the last word, to the token's address
  input  logic          flush_grant_i,
  output pka_address_t  address_a_o,
  output pka_address_t  address_b_o
);
  // Slots less one from a column's last product to its q, and from q to q m_0.
  localparam int unsigned ToQ  = (4 + Passes - 1 + Passes - 1) / Passes - 1;
  localparam int unsigned ToM0 = (3 + Passes - 1 + Passes - 1) / Passes - 1;
  // In short slots q m_0 is due before q has been stored, in long ones, and later, after the product has gone.
  localparam bit QIsStored = Passes > 2;

  // ---- The walk: the product a_j b_(walk-j), or q_j m_(walk-j), and what is said of it.
  typedef struct packed {
    logic [5:0]   walk, next_walk;
    logic [4:0]   next_low;      // the first index of the next column
    logic [4:0]   j;
    logic         qm;            // the walk is in q m, not in a b
    logic         last_ab;       // of the column
    logic         last_product;
    logic         in_last;       // this column is the last
    logic         double;
    pka_address_t a, b;
  } walk_t;
  pka_multiply_t op_q;
  pka_length_t   high_q;         // the highest index of a word
  walk_t         at_q, on, across, next_column;
  logic [5:0]    last_column;
  assign last_column = {high_q, 1'b0};

  function automatic logic [4:0] low_of(logic [5:0] walk);
    return walk > 6'(high_q) ? 5'(walk - 6'(high_q)) : 5'd0;
  endfunction
  function automatic logic is_last_ab(logic [5:0] walk, logic [4:0] j);
    return op_q.square ? 7'(j) * 2 + 7'd2 > 7'(walk) : walk > 6'(high_q) ? j == high_q : 6'(j) == walk;
  endfunction
  function automatic logic is_last_qm(logic [5:0] walk, logic [4:0] j);
    return walk > 6'(op_q.n) ? j == high_q : 6'(j) + 6'd2 == walk;
  endfunction
  function automatic logic has_qm(logic [5:0] walk);
    return op_q.reduce && walk >= 6'd2 && !(walk == 6'd2 && op_q.n == 5'd2);
  endfunction
  function automatic logic is_double(logic [5:0] walk, logic [4:0] j);
    return op_q.square && walk != {j, 1'b0};
  endfunction

  always_comb begin
    // The next product of the same kind in this column,
    on              = at_q;
    on.j            = at_q.j + 5'd1;
    on.last_ab      = is_last_ab(at_q.walk, on.j);
    on.last_product = at_q.qm ? is_last_qm(at_q.walk, on.j) : on.last_ab && !has_qm(at_q.walk);
    on.double       = !at_q.qm && is_double(at_q.walk, on.j);
    on.a            = at_q.a + pka_address_t'(1);
    on.b            = at_q.b - pka_address_t'(1);
    // the first q m in it,
    across              = at_q;
    across.j            = low_of(at_q.walk);
    across.qm           = 1'b1;
    across.last_product = is_last_qm(at_q.walk, across.j);
    across.double       = 1'b0;
    across.b            = op_q.m + (pka_address_t'(at_q.walk) - pka_address_t'(across.j));
    // the first product of the next column.
    next_column.walk         = at_q.next_walk;
    next_column.j            = at_q.next_low;
    next_column.next_walk    = at_q.next_walk + 6'd1;
    next_column.next_low     = low_of(next_column.next_walk);
    next_column.in_last      = at_q.next_walk == last_column;
    next_column.qm           = 1'b0;
    next_column.last_ab      = is_last_ab(next_column.walk, next_column.j);
    next_column.last_product = next_column.last_ab && !has_qm(next_column.walk);
    next_column.double       = is_double(next_column.walk, next_column.j);
    next_column.a            = op_q.a + pka_address_t'(next_column.j);
    next_column.b            = op_q.b + (pka_address_t'(next_column.walk) - pka_address_t'(next_column.j));
  end

  // ---- The column that is the accumulator's lowest, and how many columns the walk is ahead of it.
  logic                 busy_q, flushed_q;
  logic                 live_q, idle_q; // busy, and has not flushed; not busy: apart, since busy_q has most readers
  logic [5:0]           column_q;
  logic                 upper_q;        // column >= n
  logic                 lower_q;        // column < n, and it gets a q
  logic                 at_high_q;      // column == n - 1
  logic                 at_n_q;         // column == n
  logic                 at_last_q;      // column == last_column
  logic                 flush_q;        // all columns have ended, and the last word has not left
  logic                 walked_q;       // the walk has been through all of them
  logic                 lead0_q, lead1_q;  // neither: two
  pka_address_t         address_q;      // of the column's word in the result
  logic [1:0]           settle_q;       // slots until the column is complete
  logic [1:0]           wait_q;         // slots until q is ready
  logic                 q_q;            // q m_0 has not been computed yet
  logic                 late_q;         // q m_0 has waited for its slot
  // What the slot is for: q, q m_0, q m_1, one of them, or the product of the walk, if there is one.
  logic                 quotient_q, m0_q, m1_q, urgent_q, walking_q;

  // ---- The selection. When all columns have ended, the walk has been through them, and no q is open.
  logic slot, ends, product, product_ends, urgent_moves, walks, moves;
  assign slot         = live_q && slot_i;
  assign product      = walking_q && !urgent_q;
  assign product_ends = at_q.last_product && lead0_q && (upper_q || !op_q.reduce);
  assign urgent_moves = m0_q || (m1_q && at_n_q && !lead0_q);
  assign ends         = product ? product_ends : m1_q && at_n_q && !lead0_q;

  assign token_valid_o = slot && (walking_q || urgent_q);
  assign urgent_o      = urgent_q;
  assign walks         = product && grant_walk_i;
  assign moves         = urgent_q ? urgent_moves && grant_urgent_i : walks && product_ends;  // to the next column
  assign flush_o      = flush_q && slot_i;
  assign token_o = '{
    thread:   '0,
    source:   quotient_q ? FromColumn : m0_q && !late_q && !QIsStored ? FromProduct :
              m0_q || m1_q || at_q.qm ? FromQuotient : FromMemory,
    quotient: quotient_q,
    double:   product && at_q.double,
    above:    product && !lead0_q,
    shift:    m0_q || ends,
    write:    ends,
    index:    quotient_q || m0_q ? column_q[4:0] : m1_q ? column_q[4:0] - 5'd1 : at_q.j,
    address:  address_q
  };
  assign address_a_o = at_q.a;
  always_comb begin
    address_b_o = at_q.b;
    if (quotient_q) address_b_o = op_q.n0;
    if (m0_q) address_b_o = op_q.m;
    if (m1_q) address_b_o = op_q.m + pka_address_t'(1);
  end

  logic over, loads;
  assign last_o    = flush_o && flush_grant_i;
  assign over      = last_o || flushed_q;
  assign ready_o   = idle_q || (over && slot_ends_i);
  assign loads     = !busy_q || (over && slot_ends_i);
  assign busy_o    = busy_q;

  // The slot after this one, if this one is granted or not. What has been granted opens nothing for the next slot, but for
  // q m_1 after q m_0; and a slot's products are there after more than one.
  logic settles, is_due, may_make_q, quotient_d, m0_d, m1_d;
  assign settles    = !settle_q[1];
  assign is_due     = q_q && !wait_q[1];
  assign may_make_q = lower_q && !q_q && !m1_q && !lead0_q && settles;
  assign quotient_d = may_make_q && !(quotient_q && grant_urgent_i);
  assign m0_d       = is_due && !(m0_q && grant_urgent_i);
  assign m1_d       = grant_urgent_i ? m0_q : m1_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      idle_q    <= 1'b1;
      live_q    <= 1'b0;
      flush_q   <= 1'b0;
      flushed_q <= 1'b0;
    end else if (ready_o) begin
      busy_q    <= start_i;
      idle_q    <= !start_i;
      live_q    <= start_i;
      flush_q   <= 1'b0;
      flushed_q <= 1'b0;
    end else if (over) begin
      live_q    <= 1'b0;
      flush_q   <= 1'b0;
      flushed_q <= 1'b1;
    end else if (slot && moves && at_last_q) begin
      flush_q   <= 1'b1;
    end
    // Whether it starts, or is dropped, comes late: all but busy_q takes what would start.
    if (loads) begin
      op_q       <= multiply_i;
      high_q     <= multiply_i.n - 5'd1;
      at_q       <= '{
        next_walk: 6'd1, last_ab: 1'b1, last_product: 1'b1, a: multiply_i.a, b: multiply_i.b, default: '0
      };
      column_q   <= '0;
      upper_q    <= 1'b0;
      lower_q    <= multiply_i.reduce;
      at_high_q  <= 1'b0;
      at_n_q     <= 1'b0;
      at_last_q  <= 1'b0;
      walked_q   <= 1'b0;
      lead0_q    <= 1'b1;
      lead1_q    <= 1'b0;
      address_q  <= multiply_i.d - (multiply_i.reduce ? pka_address_t'(multiply_i.n) : '0);
      q_q        <= 1'b0;
      late_q     <= 1'b0;
      quotient_q <= 1'b0;
      m0_q       <= 1'b0;
      m1_q       <= 1'b0;
      urgent_q   <= 1'b0;
      walking_q  <= 1'b1;
      settle_q   <= '0;
      wait_q     <= '0;
    end else if (slot) begin
      if (settle_q != '0) settle_q <= settle_q - 1'b1;
      if (wait_q != '0) wait_q <= wait_q - 1'b1;
      quotient_q <= quotient_d;
      m0_q       <= m0_d;
      m1_q       <= m1_d;
      urgent_q   <= quotient_d || m0_d || m1_d;
      late_q     <= m0_q && !grant_urgent_i;
      if (walks) begin
        at_q <= at_q.last_product ? next_column : !at_q.qm && at_q.last_ab ? across : on;
        if (at_q.last_product) begin
          if (at_q.in_last) walked_q <= 1'b1;
          walking_q <= lead0_q && !at_q.in_last;
        end
      end
      if (m1_q ? grant_urgent_i : walks && lead0_q) settle_q <= 2'(ToQ);
      if (quotient_q && grant_urgent_i) begin
        q_q    <= 1'b1;
        wait_q <= 2'(ToM0);
      end
      if (m0_q && grant_urgent_i) q_q <= 1'b0;
      if (urgent_q && moves) walking_q <= !walked_q;
      if (moves) begin
        column_q   <= column_q + 6'd1;
        address_q  <= address_q + pka_address_t'(1);
        upper_q    <= upper_q || at_high_q;
        lower_q    <= lower_q && !at_high_q;
        at_high_q  <= column_q + 6'd1 == 6'(high_q);
        at_n_q     <= at_high_q;
        at_last_q  <= column_q + 6'd1 == last_column;
      end
      // A column that ends takes the lead back; one that the walk has been through adds to it.
      if (urgent_q ? moves : walks && at_q.last_product && !product_ends) begin
        lead0_q <= urgent_q && lead1_q;
        lead1_q <= urgent_q ? !lead1_q : lead0_q;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    a_has_two_words: assert (!rst_ni || !start_i || multiply_i.n >= 5'd2);
    a_flushes_what_has_ended: assert (!rst_ni || !flush_q || (live_q && walked_q && lead0_q && !token_valid_o));
    a_has_one_use_for_a_slot: assert (!rst_ni || !live_q || ($onehot0({quotient_q, m0_q, m1_q}) &&
      urgent_q == (quotient_q || m0_q || m1_q) && walking_q == (!walked_q && (lead0_q || (op_q.reduce && lead1_q)))));
  end
`endif
endmodule

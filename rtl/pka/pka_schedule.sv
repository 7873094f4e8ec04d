// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The first stage of the multiplier: selects the product of every slot (rtl/pka/schedule.py does the same).
//
// A multiplication that starts in cycle t has its first slot in t + 1, or with the next slot if the other thread's
// multiplication is in one; a slot lasts `Passes` cycles. In column `column`, the accumulator's lowest, q is made when
// the column is complete; q m_0 clears it; q m_1 goes to the next. In every other slot `walk` goes on through the
// products that wait for nothing, at most one column ahead. A product that is not granted its slot is offered again in
// the next. The last word of the result, what the last column leaves, takes a slot but no product.
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
  input  logic          grant_i,    // the product has the slot
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

  pka_multiply_t        op_q;
  logic                 busy_q, flushed_q;
  logic [5:0]           column_q, walk_q;
  logic [4:0]           j_q;
  logic                 qm_q;           // the walk is in q m, not in a b
  logic [1:0]           settle_q;       // slots until the column is complete
  logic [1:0]           wait_q;         // slots until q is ready
  logic                 q_q, m1_q;      // q m_0, q m_1 have not been computed yet
  logic                 late_q;         // q m_0 has waited for its slot

  // ---- The walk.
  logic [5:0] n, last_column;
  logic [4:0] high, qm_high, low_next;
  logic       has_qm, last_ab, last_product, walking;
  assign n            = 6'(op_q.n);
  assign last_column  = 6'(2 * n) - 6'd2;
  assign high         = walk_q >= n ? op_q.n - 5'd1 : walk_q[4:0];
  assign qm_high      = walk_q > n ? op_q.n - 5'd1 : 5'(walk_q - 6'd2);
  assign has_qm       = op_q.reduce && walk_q >= 6'd2 && !(walk_q == n && n == 6'd2);
  assign last_ab      = op_q.square ? 7'(j_q) * 2 + 7'd2 > 7'(walk_q) : j_q == high;
  assign last_product = qm_q ? j_q == qm_high : last_ab && !has_qm;
  assign walking      = walk_q <= last_column && walk_q <= column_q + 6'(op_q.reduce);
  // The first index in the column after this one, and in this one.
  assign low_next     = walk_q + 6'd1 >= n ? 5'(walk_q + 6'd2 - n) : 5'd0;
  logic [4:0] low;
  assign low          = walk_q >= n ? 5'(walk_q + 6'd1 - n) : 5'd0;

  // ---- The selection.
  logic slot, ends, flush, quotient, m0, m1, product;
  assign slot     = busy_q && !flushed_q && slot_i;
  assign flush    = column_q > last_column;
  assign quotient = !flush && op_q.reduce && column_q < n && !q_q && !m1_q && walk_q > column_q && settle_q == '0;
  assign m0       = !flush && q_q && wait_q == '0;
  assign m1       = !flush && !quotient && !m0 && m1_q;
  assign product  = !flush && !quotient && !m0 && !m1 && walking;
  assign ends     = product ? last_product && walk_q == column_q && (column_q >= n || !op_q.reduce)
                            : flush || (m1 && column_q == n && walk_q > column_q);

  logic [5:0] partner;
  assign partner       = walk_q - 6'(j_q);
  assign token_valid_o = slot && (quotient || m0 || m1 || product);
  assign urgent_o      = !product;
  assign flush_o       = slot && flush;
  assign token_o = '{
    thread:   '0,
    source:   quotient ? FromColumn : m0 && !late_q && !QIsStored ? FromProduct :
              m0 || m1 || qm_q ? FromQuotient : FromMemory,
    quotient: quotient,
    double:   product && op_q.square && !qm_q && partner != 6'(j_q),
    above:    product && walk_q > column_q,
    shift:    m0 || ends,
    write:    ends,
    index:    quotient || m0 ? column_q[4:0] : m1 ? column_q[4:0] - 5'd1 : j_q,
    address:  op_q.d + pka_address_t'(column_q) - (op_q.reduce ? pka_address_t'(n) : '0)
  };
  assign address_a_o = op_q.a + pka_address_t'(j_q);
  always_comb begin
    address_b_o = (qm_q ? op_q.m : op_q.b) + pka_address_t'(partner);
    if (quotient) address_b_o = op_q.n0;
    if (m0) address_b_o = op_q.m;
    if (m1) address_b_o = op_q.m + pka_address_t'(1);
  end

  logic over;
  assign last_o    = flush_o && flush_grant_i;
  assign over      = last_o || flushed_q;
  assign ready_o   = !busy_q || (over && slot_ends_i);
  assign busy_o    = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      flushed_q <= 1'b0;
    end else if (start_i) begin
      op_q      <= multiply_i;
      busy_q    <= 1'b1;
      flushed_q <= 1'b0;
      column_q  <= '0;
      walk_q    <= '0;
      j_q       <= '0;
      qm_q      <= 1'b0;
      q_q       <= 1'b0;
      m1_q      <= 1'b0;
      late_q    <= 1'b0;
      settle_q  <= '0;
      wait_q    <= '0;
    end else if (busy_q) begin
      if (over) begin
        flushed_q <= 1'b1;
        if (slot_ends_i) busy_q <= 1'b0;
      end else if (slot) begin
        if (settle_q != '0) settle_q <= settle_q - 1'b1;
        if (wait_q != '0) wait_q <= wait_q - 1'b1;
        late_q <= m0 && !grant_i;
        if (grant_i) begin
          if (m1 || (product && walk_q == column_q)) settle_q <= 2'(ToQ);
          if (quotient) begin
            q_q    <= 1'b1;
            wait_q <= 2'(ToM0);
          end
          if (m0) q_q <= 1'b0;
          m1_q <= m0;
          if (m0 || ends) column_q <= column_q + 6'd1;
          if (product) begin
            if (last_product) begin
              walk_q <= walk_q + 6'd1;
              j_q    <= low_next;
              qm_q   <= 1'b0;
            end else if (!qm_q && last_ab) begin
              j_q  <= low;
              qm_q <= 1'b1;
            end else begin
              j_q <= j_q + 5'd1;
            end
          end
        end
      end
    end
  end
endmodule

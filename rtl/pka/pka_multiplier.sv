// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The Montgomery multiplier: d = a b / R mod m, or d = a b (rtl/pka/README.md, "One multiplication"), one for each thread
// at a time.
//
// Destination and factors may be the same, but not with `reduce` off. Words of the result are written as they are made.
// Every slot is lent to a thread that has a product for it: if both have, to one whose next products wait for it, else to
// the one that did not have the last such slot. So no thread gets less than half of what it asks for, and which one gets
// a slot depends on lengths of operands and times of starts only.
module pka_multiplier
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8  // products of 136 x 17 bits per cycle: 8, 4, 2 or 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  pka_threads_t                stop_i,   // drops the thread's multiplication
  input  pka_threads_t                clear_i,

  input  pka_threads_t                start_i,
  input  pka_multiply_t [Threads-1:0] multiply_i,
  output pka_threads_t                ready_o,
  output pka_threads_t                last_o,

  output logic                        read_o,    // word b, and `read_a_o` word a too
  output logic                        read_a_o,
  output pka_thread_t                 thread_o,
  output pka_address_t                address_a_o,
  output pka_address_t                address_b_o,
  input  pka_word_t                   word_a_i,
  input  pka_word_t                   word_b_i,
  output pka_threads_t                write_o,
  output pka_threads_t                hold_o,   // as write_o
  output pka_address_t [Threads-1:0]  write_address_o,
  output pka_word_t    [Threads-1:0]  write_word_o
);
  if (Rows != 8 && Rows != 4 && Rows != 2 && Rows != 1) begin : gen_check_rows
    $error("pka: Rows is %0d; it must be 8, 4, 2 or 1.", Rows);
  end

  // ---- Slots.
  localparam int unsigned Passes    = Digits / Rows;
  localparam int unsigned PassWidth = Passes > 1 ? $clog2(Passes) : 1;
  logic [PassWidth-1:0] pass_q;
  logic                 slot_ends;
  pka_threads_t         busy;
  assign slot_ends = Passes == 1 || pass_q == PassWidth'(Passes - 1);
  always_ff @(posedge clk_i) pass_q <= busy == '0 || slot_ends ? '0 : pass_q + 1'b1;

  // ---- Whose they are.
  pka_threads_t               wants, urgent, grant, grant_walk, grant_urgent, flushes, flush_grant;
  pka_token_t   [Threads-1:0] tokens;
  pka_address_t [Threads-1:0] addresses_a, addresses_b;
  pka_thread_t                turn_q, thread, flush_thread;
  pka_token_t                 token;
  always_comb begin
    thread = wants[0] ? 1'b0 : 1'b1;
    if (&wants) thread = urgent[0] != urgent[1] ? urgent[1] : turn_q;
    // For each thread by what the other wants, with which kind of product it has the slot.
    for (int t = 0; t < Threads; t++) begin
      grant_walk[t]   = !wants[1-t] || (!urgent[1-t] && turn_q == pka_thread_t'(t));
      grant_urgent[t] = !wants[1-t] || !urgent[1-t] || turn_q == pka_thread_t'(t);
    end
    grant = wants & (urgent & grant_urgent | ~urgent & grant_walk);
    flush_thread              = !flushes[0];
    flush_grant               = '0;
    flush_grant[flush_thread] = flushes[flush_thread];
    token                     = tokens[thread];
    token.thread              = thread;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= '0;
    else if (&wants) turn_q <= !thread;
  end
  assign read_o      = |wants;
  assign read_a_o    = |wants && token.source == FromMemory;
  assign thread_o    = thread;
  assign address_a_o = addresses_a[thread];
  assign address_b_o = addresses_b[thread];

  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    pka_schedule #(.Passes(Passes)) u_schedule (
      .clk_i,
      .rst_ni        (rst_ni && !stop_i[t]),
      .slot_i        (Passes == 1 || pass_q == '0),
      .slot_ends_i   (slot_ends),
      .start_i       (start_i[t]),
      .multiply_i    (multiply_i[t]),
      .busy_o        (busy[t]),
      .ready_o       (ready_o[t]),
      .last_o        (last_o[t]),
      .token_valid_o (wants[t]),
      .urgent_o      (urgent[t]),
      .grant_walk_i  (grant_walk[t]),
      .grant_urgent_i(grant_urgent[t]),
      .token_o       (tokens[t]),
      .flush_o       (flushes[t]),
      .flush_grant_i (flush_grant[t]),
      .address_a_o   (addresses_a[t]),
      .address_b_o   (addresses_b[t])
    );
  end

  pka_product #(.Rows(Rows)) u_product (
    .clk_i, .rst_ni, .stop_i, .clear_i,
    .token_valid_i  (read_o),
    .token_i        (token),
    .word_a_i, .word_b_i,
    .flush_valid_i  (|flushes),
    .flush_thread_i (flush_thread),
    .flush_address_i(tokens[flush_thread].address),
    .write_o, .hold_o, .write_address_o, .write_word_o
  );

`ifndef SYNTHESIS
  // A slot serves one product. A thread that waits has its slot before the other has had five.
  logic [2:0] waited_q [Threads];
  always_ff @(posedge clk_i) begin
    for (int t = 0; t < Threads; t++) begin
      waited_q[t] <= !rst_ni || !wants[t] || grant[t] ? '0 : waited_q[t] + 3'd1;
      assert (!rst_ni || waited_q[t] < 3'd5) else $error("pka: a thread's product waits too long.");
    end
    assert (!rst_ni || (wants == '0 ? grant == '0 : $onehot(grant) && grant[thread]))
      else $error("pka: the slot is not of the thread whose product is in it.");
  end
`endif
endmodule

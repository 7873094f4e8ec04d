// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The end of a job of ML-KEM: registers leave when its arithmetic has ended. The source may have begun the next job.
//
// Of key generation these are H(ek) and z; of the others it is the shared secret, or the one that implicit rejection gives.
module lattice_tail
  import lattice_pkg::*;
(
  input  logic      clk_i,
  input  logic      clear_i,
  input  logic      begin_i,            // the source's program has ended, with
  input  logic      bank_i,             // its registers
  input  logic      bad_i,              // and zeros in place of what leaves
  input  logic      generates_i,
  input  logic      poly_ended_i,
  input  logic      puts_next_i,        // the source reads registers in the next cycle
  input  logic      differs_i,          // the ciphertext is another one than that of the job
  output logic      active_o,
  output logic      bad_o,              // stays when the job is over

  // Registers, of which a word is read in each cycle with `leaves_o`.
  output logic      leaves_o,
  output logic      bank_o,
  output register_e at_o,
  output logic      word_o,
  input  logic      taken_i
);
  logic       active_q, leaves_q, bank_q, bad_q, generates_q, differs_q, ends;
  logic [1:0] word_q;
  assign active_o = active_q;
  assign bad_o    = bad_q;
  assign leaves_o = leaves_q;
  assign ends     = leaves_q && taken_i && word_q == {generates_q, 1'b1};
  assign bank_o   = bank_q;
  assign at_o     = generates_q ? (word_q[1] ? Z : Hash) : differs_q ? Reject : Key;
  assign word_o   = word_q[0];
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      {active_q, leaves_q, word_q, bank_q, bad_q, generates_q, differs_q} <= '0;
    end else begin
      // A word that is offered stays: once it is, the source stands still and reads nothing.
      leaves_q <= leaves_q ? !ends : active_q && poly_ended_i && !puts_next_i;
      if (begin_i) begin
        active_q    <= 1'b1;
        bank_q      <= bank_i;
        bad_q       <= bad_i;
        generates_q <= generates_i;
      end
      differs_q <= differs_q || differs_i;
      if (leaves_q && taken_i) word_q <= word_q + 2'd1;
      if (ends) {active_q, word_q, differs_q} <= '0;
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_one_at_a_time: assert (!begin_i || !active_q);
    a_registers_are_free: assert (!leaves_q || !puts_next_i);
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Whether the source takes the word that waits at its input.
//
// The engine asks for the next word in the same cycle, so this is known before the rest of what an instruction does. yosys
// maps the module apart: it would wait for the rest.
(* keep_hierarchy = "yes" *)
module lattice_take (
  input  logic valid_i,        // a word waits
  input  logic hints_i,        // it is one of hints, which is taken
  input  logic takes_i,        // the instruction takes words; else no other input counts
  input  logic running_i,
  input  logic jumped_i,
  input  logic held_i,
  input  logic leaves_i,
  input  logic enters_i,       // the word becomes half a register; else it goes to the decoder
  input  logic decodes_i,      // ... which has begun
  input  logic decode_ready_i,
  input  logic absorbs_i,      // the word is hashed too
  input  logic keccak_ready_i,
  output logic take_o
);
  logic runs, ready;
  assign runs   = takes_i && running_i && !(jumped_i || held_i || leaves_i);
  assign ready  = (enters_i || (decodes_i && decode_ready_i)) && (!absorbs_i || keccak_ready_i);
  assign take_o = hints_i || (valid_i && runs && ready);
endmodule

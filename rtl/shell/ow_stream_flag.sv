// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Of each stream, whether its buffer has at least so many entries: the flag's next value with a pop in this cycle, and
// without one. Combinational.
//
// Which stream is popped from is known last. Synthesis maps the module alone, so that the pop only chooses between the two.
(* keep_hierarchy = "yes" *)
module ow_stream_flag
  import ow_shell_pkg::*;
(
  input  stream_mask_t flag_i,
  input  stream_mask_t push_i,
  input  stream_mask_t rises_i,   // one entry more sets the flag
  input  stream_mask_t falls_i,   // one entry less clears it
  input  stream_mask_t flush_i,
  output stream_mask_t kept_o,    // without a pop
  output stream_mask_t popped_o   // with one
);
  assign kept_o   = (flag_i | (push_i & rises_i)) & ~flush_i;
  assign popped_o = flag_i & (push_i | ~falls_i) & ~flush_i;
endmodule

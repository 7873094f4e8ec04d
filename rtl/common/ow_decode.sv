// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The set of one stream, or of none. Combinational.
//
// Many flags of a stream depend on the same few events, each of which names a stream. Synthesis maps the module alone, so
// that an event is decoded once, not again for each flag.
(* keep_hierarchy = "yes" *)
module ow_decode
  import ow_engine_pkg::*;
(
  input  logic        valid_i,
  input  ow_stream_t  stream_i,
  output ow_streams_t set_o
);
  assign set_o = valid_i ? ow_streams_t'(1) << stream_i : '0;
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The types of the signals between the parts of the DES engine.
package des_job_pkg;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;

  function automatic logic known(logic [7:0] opcode);
    return opcode inside {OpDesEcb, OpDesCbc, OpTdesEcb, OpTdesCbc};
  endfunction

  function automatic logic is_tdes(logic [7:0] opcode);
    return opcode inside {OpTdesEcb, OpTdesCbc};
  endfunction

  function automatic logic is_cbc(logic [7:0] opcode);
    return opcode inside {OpDesCbc, OpTdesCbc};
  endfunction

  function automatic logic [6:0] key_bytes(logic [7:0] opcode);
    return is_tdes(opcode) ? 7'd24 : 7'd8;
  endfunction

  typedef struct packed {
    logic tdes;
    logic cbc;
    logic decrypt;
  } des_mode_t;

  // Words on their way through the engine have a place each, in the order in which they came.
  localparam int unsigned Places = 16;
  typedef logic [3:0] des_place_t;

  typedef struct packed {
    ow_stream_t stream;
    des_mode_t  mode;
    logic       both;        // the word has two blocks
    logic       empty;       // it has none, and only ends its job
    logic       last;        // of the job
    logic       mark;        // the word is done when its place shows the same mark
  } des_word_t;

  // A block in the ring.
  typedef struct packed {
    des_word_t  word;
    des_place_t place;
    logic       second;      // of its word
    logic [1:0] pass;
    logic       final_pass;
    logic       ends;        // its word
  } des_block_t;

endpackage

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

  // One block in the ring.
  typedef struct packed {
    ow_stream_t stream;
    des_mode_t  mode;
    logic [1:0] pass;
    logic       second;      // the second block of an output word
    logic       last;        // of the job
  } des_block_t;

  // Keys of one stream: K1, K2, K3 after PC-1.
  typedef logic [2:0][55:0] des_keys_t;

endpackage

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The types of the signals between the parts of the radio engine.
package radio_pkg;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;

  // An opcode (opcode_e) has a high digit, the MAC's algorithm and the cipher's. They have 3GPP's numbers for EEA and
  // EIA, except that ZUC-256 has the number of AES, which another engine processes.
  typedef enum logic [1:0] {
    AlgNone   = 2'd0,
    AlgSnow3g = 2'(OpEea1),
    AlgZuc256 = 2'(OpZuc256),
    AlgZuc    = 2'(OpEea3)
  } alg_e;
  localparam logic [3:0] RadioDigit = 4'(OpEea1 >> 4);

  typedef struct packed {
    logic [3:0] digit;
    alg_e       mac;
    alg_e       cipher;
  } radio_opcode_t;

  // The opcodes of this engine; ZUC-256 is combined only with itself.
  function automatic logic known(logic [7:0] opcode);
    radio_opcode_t op;
    op = radio_opcode_t'(opcode);
    return op.digit == RadioDigit && (op.cipher != AlgNone || op.mac != AlgNone) &&
           (op.cipher == AlgNone || op.mac == AlgNone || op.cipher == op.mac ||
            (op.cipher != AlgZuc256 && op.mac != AlgZuc256));
  endfunction

  // The cipher's key, then the MAC's.
  function automatic logic [6:0] key_bytes(logic [7:0] opcode);
    radio_opcode_t op;
    logic [6:0]    one;
    op  = radio_opcode_t'(opcode);
    one = op.cipher == AlgZuc256 || op.mac == AlgZuc256 ? 7'd32 : 7'd16;
    return op.cipher != AlgNone && op.mac != AlgNone ? one << 1 : one;
  endfunction

  // A job on its way to a lane.
  typedef struct packed {
    ow_stream_t  stream;
    alg_e        cipher;
    alg_e        mac;
    logic        inline_key;
    logic [7:0]  slot;
    logic        decrypt;
    logic        append;
    logic [4:0]  tag_bytes;
    logic [31:0] length;
    ow_radio_iv_t iv;
  } radio_job_t;

  typedef logic [15:0][31:0] cells_t;
  typedef logic [3:0][31:0]  load_t;     // in cycle k of four: what cells k, 4 + k, 8 + k and 12 + k are loaded with

  // What a lane needs of a job.
  typedef struct packed {
    alg_e        cipher;
    alg_e        mac;
    logic        decrypt;
    logic        append;
    logic        mac_of_ciphertext;
    logic [1:0]  shift;          // bytes in the first enciphered word that stay in clear
    logic [4:0]  tag_bytes;
    logic [3:0]  last_bytes;     // in the last output word of the payload; 0: 16
    logic [35:0] length_bits;
  } lane_job_t;

  // The state of a job between two input words, but for its generators and MAC.
  typedef struct packed {
    logic [10:0] pass;           // fills the first word: other words pass through it
    lane_job_t   job;
    logic [28:0] pops;
    logic [30:0] words;
    logic [1:0]  skip;
    logic        border;
    logic [31:0] previous;
  } radio_context_t;

  // Returns the state of a job that begins.
  function automatic radio_context_t context_of(radio_job_t job);
    // Sums that do not need each other. The last byte counts in part if it has bits of its own.
    logic [35:0] bits;
    logic [1:0]  more;
    bits = {33'(job.length) - 33'(job.iv.control.last_bits != '0), job.iv.control.last_bits};
    more = 2'(job.length[3:0] != '0) + 2'(job.decrypt && job.mac != AlgNone);
    return '{
      pass: '0,
      job: '{cipher: job.cipher, mac: job.mac, decrypt: job.decrypt, append: job.append,
             mac_of_ciphertext: job.iv.control.mac_of_ciphertext, shift: job.iv.control.clear_bytes[1:0],
             tag_bytes: job.tag_bytes, last_bytes: job.length[3:0], length_bits: bits},
      pops: 29'(job.length[31:4]) + 29'(more),
      words: 31'(job.length[31:2]) + 31'(job.length[1:0] != '0),
      skip: job.iv.control.clear_bytes[3:2],
      border: 1'b1,
      previous: '0
    };
  endfunction

  // A job is moved between a lane and the memory of parked jobs through three chains of registers, a word of each per
  // cycle: the two generators, and in the shorter third one the MAC and the context.
  localparam int unsigned ChainWords     = 21;
  localparam int unsigned RestChainWords = 9 + $bits(radio_context_t) / 32;
  typedef struct packed {
    logic [31:0] rest;
    logic [31:0] mac_key;
    logic [31:0] cipher;
  } chain_word_t;

  function automatic logic [31:0] swap32(logic [31:0] a);
    return {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  // Return what cells turn, 4 + turn, 8 + turn and 12 + turn are loaded with for a word of key or IV: words 0 to 3 are
  // the keys, 4 and 5 the IV of ZUC-256.
  function automatic load_t load_zuc(ow_radio_iv_t iv, logic for_mac, logic [127:0] word, logic [1:0] turn);
    zuc_pkg::zuc_cells_t cells;
    cells = zuc_pkg::load128(word, for_mac ? zuc_pkg::iv_eia3(iv.count, iv.way.bearer, iv.way.direction) :
                                   zuc_pkg::iv_eea3(iv.count, iv.way.bearer, iv.way.direction));
    for (int j = 0; j < 4; j++) load_zuc[j] = {1'b0, cells[{2'(j), turn}]};
  endfunction

  function automatic load_t load_zuc256(logic [15:0][6:0] d, logic [2:0] index, logic [127:0] word, logic [1:0] turn);
    zuc_pkg::zuc_cells_t cells;
    logic [255:0]        key;
    logic [183:0]        iv;
    key   = {index[2] || !index[0] ? 128'd0 : word, index[2] || index[0] ? 128'd0 : word};
    iv    = {index[2] && index[0] ? word[55:0] : 56'd0, index[2] && !index[0] ? word : 128'd0};
    cells = zuc_pkg::load256(key, iv, index[2] || index[0] ? '0 : d);
    for (int j = 0; j < 4; j++) load_zuc256[j] = {1'b0, cells[{2'(j), turn}]};
  endfunction

  function automatic load_t load_snow3g(ow_radio_iv_t iv, logic for_mac, logic [127:0] word, logic [1:0] turn);
    logic [31:0] second, turn_count, turn_second;   // IV_2, and the differences of IV_1 and IV_0
    second      = for_mac ? iv.fresh : {iv.way.bearer, iv.way.direction, 26'd0};
    turn_count  = for_mac ? {iv.way.direction, 31'd0} : '0;
    turn_second = for_mac ? {16'd0, iv.way.direction, 15'd0} : '0;
    return snow3g_pkg::load(word, iv.count, second, iv.count ^ turn_count, second ^ turn_second, turn);
  endfunction

  function automatic logic [31:0] reversed(logic [31:0] a);
    for (int unsigned i = 0; i < 32; i++) reversed[i] = a[31-i];
  endfunction

  // Returns a word with its first n (0 to 32) bits; the others are zero.
  function automatic logic [31:0] first_bits(logic [31:0] x, logic [5:0] n);
    return x & ~(32'hffffffff >> n);
  endfunction

  // Returns the bit behind the first n (0 to 32).
  function automatic logic [31:0] bit_behind(logic [5:0] n);
    return (32'hffffffff >> n) & ~(32'h7fffffff >> n);
  endfunction

endpackage

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The signals between the parts of the hash engine, and the properties of the algorithms.
//
// Each job has a lane: one for each stream of the shell, and one that prepares the keys of slots. Micro-operations
// ("uops"), at most one per cycle for all lanes, move the message block by block to a unit that computes the rounds,
// and move the result out. Between blocks a lane's state is in a row of the store, so any unit can take the next block.
package hash_pkg;
  import sha_pkg::*;

  localparam int unsigned NumLanes = ow_engine_pkg::NumStreams + 1;
  typedef logic [$clog2(NumLanes)-1:0] hash_lane_t;
  localparam hash_lane_t KeyLane = hash_lane_t'(NumLanes - 1);
  typedef logic [NumLanes-1:0] hash_lanes_t;   // a bit a lane

  // ---- Algorithms: the low digit of the opcode. Opcodes with a key have the same digit: HMAC, or KMAC for SHAKE.
  typedef logic [3:0] hash_alg_t;
  localparam hash_alg_t AlgSha1 = 4'h0, AlgShake128 = 4'hc;

  typedef enum logic [1:0] {FamilySha32, FamilySha64, FamilyKeccak} hash_family_e;
  localparam int unsigned NumFamilies = 3;

  typedef struct packed {
    logic         valid;
    hash_family_e family;
    logic [6:0]   digest;    // bytes; 0: any number
    logic [3:0]   last_slot; // of a block; a slot has 16 bytes
    logic         half;      // the last slot has 8
  } hash_traits_t;

  function automatic hash_traits_t traits(hash_alg_t alg);
    unique case (alg)
      4'h0:    return '{1'b1, FamilySha32,  7'd20, 4'd3,  1'b0};
      4'h1:    return '{1'b1, FamilySha32,  7'd28, 4'd3,  1'b0};
      4'h2:    return '{1'b1, FamilySha32,  7'd32, 4'd3,  1'b0};
      4'h3:    return '{1'b1, FamilySha64,  7'd48, 4'd7,  1'b0};
      4'h4:    return '{1'b1, FamilySha64,  7'd64, 4'd7,  1'b0};
      4'h5:    return '{1'b1, FamilySha64,  7'd28, 4'd7,  1'b0};
      4'h6:    return '{1'b1, FamilySha64,  7'd32, 4'd7,  1'b0};
      4'h8:    return '{1'b1, FamilyKeccak, 7'd28, 4'd8,  1'b0};
      4'h9:    return '{1'b1, FamilyKeccak, 7'd32, 4'd8,  1'b1};
      4'ha:    return '{1'b1, FamilyKeccak, 7'd48, 4'd6,  1'b1};
      4'hb:    return '{1'b1, FamilyKeccak, 7'd64, 4'd4,  1'b1};
      4'hc:    return '{1'b1, FamilyKeccak, 7'd0,  4'd10, 1'b1};
      4'hd:    return '{1'b1, FamilyKeccak, 7'd0,  4'd8,  1'b1};
      default: return '0;
    endcase
  endfunction

  function automatic logic [7:0] block_bytes(hash_traits_t of);
    return {of.last_slot, 4'd0} + (of.half ? 8'd8 : 8'd16);
  endfunction

  // Returns the low digits of the opcodes that a build with these units has.
  function automatic logic [15:0] hash_algorithms(int unsigned sha256, int unsigned sha512, int unsigned keccak);
    hash_traits_t of;
    for (int a = 0; a < 16; a++) begin
      of = traits(hash_alg_t'(a));
      unique case (of.family)
        FamilySha32: hash_algorithms[a] = sha256 != 0;
        FamilySha64: hash_algorithms[a] = sha512 != 0;
        default:     hash_algorithms[a] = keccak != 0;
      endcase
      hash_algorithms[a] &= of.valid;
    end
  endfunction

  // Returns the bits that the number of any of these algorithms has. What comes out of a memory is cut to them, so that
  // synthesis drops what only others need.
  function automatic hash_alg_t alg_bits(logic [15:0] algorithms);
    alg_bits = '0;
    for (int a = 0; a < 16; a++) if (algorithms[a]) alg_bits |= hash_alg_t'(a);
  endfunction

  // The first byte of padding: FIPS 202 B.2, SP 800-185 3.3; for the SHA family FIPS 180-4 5.1.
  function automatic logic [7:0] padding_byte(hash_alg_t alg, logic keyed);
    if (alg < 4'h8) return 8'h80;
    if (alg < AlgShake128) return 8'h06;
    return keyed ? 8'h04 : 8'h1f;
  endfunction

  // Returns the eight bytes from 8 * place on, in memory order, of the first chaining value: the initial hash value, or
  // zeros.
  function automatic logic [63:0] initial_bytes(hash_alg_t alg, int unsigned place);
    logic [63:0] bytes;
    bytes = '0;
    if (place < 8) begin
      unique case (alg)
        4'h0:    bytes = 64'({H1, 32'd0} >> (128 - 64 * (place < 3 ? place : 2)));
        4'h1:    bytes = H224[255 - 64 * (place % 4) -: 64];
        4'h2:    bytes = H256[255 - 64 * (place % 4) -: 64];
        4'h3:    bytes = H384[511 - 64 * place -: 64];
        4'h4:    bytes = H512[511 - 64 * place -: 64];
        4'h5:    bytes = H512t224[511 - 64 * place -: 64];
        4'h6:    bytes = H512t256[511 - 64 * place -: 64];
        default: bytes = '0;
      endcase
      if ((alg == 4'h0 && place >= 3) || (alg < 4'h3 && place >= 4)) bytes = '0;
    end
    return swap64(bytes);
  endfunction

  function automatic logic [31:0] swap32(logic [31:0] x);
    return {x[7:0], x[15:8], x[23:16], x[31:24]};
  endfunction

  function automatic logic [63:0] swap64(logic [63:0] x);
    return {x[7:0], x[15:8], x[23:16], x[31:24], x[39:32], x[47:40], x[55:48], x[63:56]};
  endfunction

  // ---- The store.
  typedef enum logic [2:0] {
    RowChain,      // of a lane: chaining value or state
    RowOuter,      // of a lane: HMAC's outer chaining value
    RowKey,        // of a lane: the key that it prepares
    RowSlotInner,  // of a slot: chaining value after the first block of HMAC's inner hash, or after KMAC's key
    RowSlotOuter
  } hash_row_e;
  typedef struct packed {
    hash_row_e  kind;
    logic [4:0] index;
  } hash_row_t;
  localparam int unsigned NumRows = 5 * 32;

  // ---- A block for a unit.
  typedef struct packed {
    hash_lane_t lane;
    hash_alg_t  alg;
    hash_row_t  from;
    hash_row_t  to;
    logic       plain;     // Keccak: only added to the state, no rounds
  } hash_block_t;

  // ---- Jobs and uops.
  typedef enum logic [4:0] {
    PhIdle,
    PhKey,        // load key words
    PhInner,      // load a prepared key's inner and outer chaining values
    PhOuter,
    PhOpad,       // the block K0 ^ opad
    PhIpad,       // the block K0 ^ ipad
    PhName,       // KMAC: bytepad(encode_string("KMAC") || encode_string(""))
    PhKeyHead,    // KMAC: bytepad(encode_string(K)): the encodings, the key, the zeros
    PhKeyBody,
    PhKeyEnd,
    PhCount,      // load a saved state: lengths, chaining value, partial block
    PhState,
    PhPartial,
    PhAad,        // authenticated bytes before the payload; they may end within a word
    PhPay,
    PhEncode,     // KMAC: right_encode(L)
    PhPad,
    PhDigest,     // HMAC: the inner digest is the outer hash's message
    PhCheck,      // load the expected MAC
    PhOut,
    PhSqueeze,    // make one more block of output
    PhPlain,      // Keccak: add a partial block to the state to be saved
    PhSaveCount,  // output the state
    PhSaveState,
    PhTailPartial,// output the partial block: from the loaded state, from the payload
    PhTail,
    PhWipe,
    PhDone
  } hash_phase_e;

  typedef struct packed {
    hash_alg_t   alg;
    logic        hmac;
    logic        kmac;
    logic        raw;       // the key must be prepared: an inline key, or the key lane
    logic        prepared;  // the job brings HMAC's chaining values
    logic [4:0]  slot;
    logic        load;
    logic        save;
    logic        verify;
    logic [3:0]  key_words;
    logic [6:0]  key_bytes;
    logic [31:0] aad_bytes;
    logic [31:0] payload_bytes;
    logic [31:0] out_bytes;
  } hash_job_t;

  // The progress of a lane.
  typedef struct packed {
    hash_phase_e phase;
    logic [31:0] left;      // bytes left in the section
    logic [3:0]  step;      // words of the phase so far
    logic [3:0]  slot;      // next slot of the block
    logic [3:0]  fill;      // bytes in the residue
    logic        bound;     // the lane has a unit's buffer for its block
    logic        marked;    // the first padding byte has been added
    logic        behind;    // the partial block of a loaded state has not been loaded yet
    logic        outer;     // computing HMAC's outer hash
    hash_row_e   from;      // the chaining value of the next block
  } hash_place_t;

  // What the next uop would otherwise have to find out from the progress first.
  typedef struct packed {
    logic       last_slot;  // the next slot is the block's last one
    logic       last_word;  // the next word is the section's last one
    logic       spill;      // a residue fills the last slot, which has 8 bytes
    logic       ends;       // the state is saved behind this block, the last full one of the message
    logic       reads;      // the next uop reads a bank of the store
    logic [4:0] bytes;      // valid ones of the next word
  } hash_hints_t;

  // The conditions for the next uop.
  typedef struct packed {
    logic word;             // an input word is available
    logic room;             // the shell has room for output
    logic queue;            // the output queue has a place
    logic unit;             // a unit has a buffer for the block
    logic quiet;            // no block of the lane is in flight; its last uop has its effect by then
  } hash_wants_t;

  typedef enum logic [2:0] {
    SrcNone, SrcPop, SrcStore, SrcPort, SrcName, SrcKeyHead, SrcEncode, SrcCount
  } hash_source_e;

  // A uop moves up to 16 bytes from a source to one target, appended to the lane's residue or unchanged.
  typedef struct packed {
    hash_lane_t   lane;
    hash_alg_t    alg;
    logic         keyed;
    hash_source_e source;
    hash_row_t    row;       // read with SrcStore and `check`, otherwise written
    logic [3:0]   word;      // of the row or the key port
    logic [4:0]   bytes;     // valid bytes of the source's word
    logic [7:0]   pattern;   // added to each byte
    logic [31:0]  number;    // SrcKeyHead, SrcEncode, SrcCount: what they encode; start, count: the payload's length
    logic         merge;     // append to the residue, which keeps the bytes that do not fit
    logic [3:0]   fill;      // bytes in the residue
    logic         half;      // the slot takes 8 bytes
    logic         flush;     // send all bytes, so that the residue is empty
    logic         mark;      // add the first padding byte
    logic         finish;    // add the end of the padding
    logic         outer;
    logic         feed;      // the slot goes to a unit
    logic [3:0]   slot;
    logic         last;      // the block is complete
    hash_block_t  block;
    logic         out;       // output the slot or the word
    logic         start;     // initialise the row of the chain and the message's length
    logic         put;       // write the word to the row
    logic         zero;      // clear the row
    logic         count;     // the word has the length of a loaded state's message
    logic         check;     // compare the popped word with the row's
    logic         keep;      // the word is the beginning of the result
    logic         done;
    logic         aborted;
  } hash_uop_t;

endpackage

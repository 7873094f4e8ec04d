// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The algorithms as sequences: from a lane's place in its job to its uop, its next place, and what that will need.
//
// Combinational, for the one lane that was picked. Message bytes are collected in the lane's residue until they fill a
// slot of the block. The last slot of some Keccak blocks has 8 bytes: a residue that fills it leaves by a uop of its own.
module hash_sequence
  import hash_pkg::*;
(
  input  logic        valid_i,
  input  hash_lane_t  lane_i,
  input  hash_job_t   job_i,
  input  logic        start_i,        // a command is taken: only its row is prepared
  input  logic        abort_i,
  input  hash_place_t place_i,
  input  logic [7:0]  partial_i,      // bytes of the partial block of a state that was loaded

  output hash_uop_t   uop_o,
  output logic        feeds_o,        // the lane needs a unit's buffer for this
  output hash_place_t place_o,
  output hash_wants_t wants_o
);
  localparam logic [3:0] StateWords = 4'd4, KeccakStateWords = 4'd13;

  hash_traits_t of;
  logic         keccak, key_lane, keyed;
  logic [3:0]   area, state_words;    // words of a saved state's partial block, and before it
  logic [7:0]   block;
  hash_row_t    chain_row, key_row, inner_row, outer_row, from_row;
  // ---- The algorithm, and what follows what.
  hash_phase_e after_message, after_aad, message, begin_message, after_opad, after_key, after_result;
  always_comb begin
    of            = '0;
    {keccak, key_lane, keyed, area, state_words, block} = '0;
    {chain_row, key_row, inner_row, outer_row, from_row} = '0;
    after_message = PhIdle;
    after_aad     = PhIdle;
    message       = PhIdle;
    begin_message = PhIdle;
    after_opad    = PhIdle;
    after_key     = PhIdle;
    after_result  = PhIdle;
    if (valid_i) begin
      of          = traits(job_i.alg);
      keccak      = of.family == FamilyKeccak;
      key_lane    = lane_i == KeyLane;
      keyed       = job_i.hmac | job_i.kmac;
      area        = of.family == FamilySha32 ? 4'd4 : 4'd8;
      state_words = keccak ? KeccakStateWords : StateWords;
      block       = block_bytes(of);
      chain_row   = '{kind: RowChain, index: lane_i};
      key_row     = '{kind: RowKey, index: lane_i};
      inner_row   = key_lane ? '{kind: RowSlotInner, index: job_i.slot} : chain_row;
      outer_row   = key_lane ? '{kind: RowSlotOuter, index: job_i.slot} : '{kind: RowOuter, index: lane_i};
      from_row    = '{
        kind: place_i.from, index: place_i.from inside {RowSlotInner, RowSlotOuter} ? job_i.slot : lane_i
      };
      // A state of the SHA family is saved before the block that is not full, which goes out behind it.
      after_message = job_i.save ? PhPlain : job_i.kmac ? PhEncode : PhPad;
      after_aad     = job_i.payload_bytes == '0 ? after_message : PhPay;
      message       = job_i.aad_bytes == '0 ? after_aad : PhAad;
      begin_message = message;
      if (job_i.save && !keccak && job_i.payload_bytes < 32'(block)) begin_message = PhSaveCount;
      if (job_i.load) begin_message = PhCount;
      after_opad    = (key_lane || !job_i.load) ? PhIpad : begin_message;
      after_key     = (key_lane || !job_i.save) ? PhOpad : after_opad;
      if (job_i.kmac) after_key = (key_lane || !job_i.load) ? PhName : begin_message;
      after_result  = keyed ? PhWipe : PhDone;
    end
  end

  hash_phase_e next;
  logic        half, spill, last, feeds, takes, forced, complete, leaves;
  logic [4:0]  bytes, total;
  logic [7:0]  partial_left;
  logic [31:0] left;
  always_comb begin
    uop_o    = '0;
    place_o  = place_i;
    next     = place_i.phase;
    feeds    = 1'b0;                  // the bytes go behind the residue
    takes    = 1'b0;                  // they are taken from the section
    forced   = 1'b0;                  // the slot leaves though it is not full
    complete = 1'b0;                  // and with it the block
    leaves   = 1'b0;
    total    = '0;
    left     = '0;
    bytes    = '0;
    half     = 1'b0;
    spill    = 1'b0;
    last     = 1'b0;
    partial_left = '0;
    feeds_o  = 1'b0;
    wants_o  = '0;
    if (valid_i) begin
      half  = of.half && place_i.slot == of.last_slot;
      spill = half && place_i.fill[3] && place_i.phase inside {PhPay, PhEncode, PhPad, PhPlain};
      left  = place_i.left;
      last  = left <= 32'd16;
      bytes = last ? left[4:0] : 5'd16;
      if (partial_i > {place_i.step, 4'd0}) partial_left = partial_i - {place_i.step, 4'd0};
      uop_o.lane    = lane_i;
      uop_o.alg     = job_i.alg;
      uop_o.keyed   = keyed;
      uop_o.word    = place_i.step;
      uop_o.fill    = place_i.fill;
      uop_o.slot    = place_i.slot;
      uop_o.half    = half;
      uop_o.outer   = place_i.outer;
      uop_o.row     = chain_row;
      uop_o.block   = '{lane: lane_i, alg: job_i.alg, from: from_row, to: chain_row, plain: 1'b0};
      place_o.step  = place_i.step + 4'd1;

      if (abort_i) begin
        uop_o.aborted = 1'b1;
        place_o.bound = 1'b0;
        next          = PhWipe;
      end else if (start_i) begin
        uop_o.start   = 1'b1;
        uop_o.number  = job_i.aad_bytes + job_i.payload_bytes;
        place_o       = '0;
        place_o.from  = (keyed && !job_i.raw && !job_i.prepared && !job_i.load) ? RowSlotInner : RowChain;
        left          = job_i.payload_bytes;
        next          = begin_message;
        if (job_i.raw) next = after_key;
        if (job_i.key_words != '0) next = job_i.prepared ? PhInner : PhKey;
      end else if (spill) begin
        feeds         = 1'b1;
        bytes         = '0;
        place_o.step  = place_i.step;
      end else begin
        unique case (place_i.phase)
          PhKey: begin
            uop_o.source = key_lane ? SrcPort : SrcPop;
            uop_o.put    = 1'b1;
            uop_o.row    = key_row;
            bytes        = 5'd16;
            if (place_o.step == job_i.key_words) next = after_key;
          end
          PhInner, PhOuter: begin
            uop_o.source = SrcPop;
            uop_o.put    = 1'b1;
            if (place_i.phase == PhOuter) uop_o.row = outer_row;
            bytes        = 5'd16;
            if (place_o.step == job_i.key_words >> 1) next = place_i.phase == PhInner ? PhOuter : begin_message;
          end
          PhOpad, PhIpad: begin
            feeds            = 1'b1;
            takes            = 1'b1;
            uop_o.source     = place_i.step < 4'd4 ? SrcStore : SrcNone;
            uop_o.row        = key_row;
            uop_o.pattern    = place_i.phase == PhOpad ? 8'h5c : 8'h36;
            uop_o.block.from = chain_row;
            uop_o.block.to   = place_i.phase == PhOpad ? outer_row : inner_row;
            if (last) next = place_i.phase == PhOpad ? after_opad : key_lane ? PhWipe : begin_message;
          end
          PhName: begin
            feeds            = 1'b1;
            forced           = 1'b1;
            complete         = 1'b1;
            bytes            = 5'd10;
            uop_o.source     = SrcName;
            uop_o.block.to   = inner_row;
            next             = PhKeyHead;
          end
          PhKeyHead: begin
            feeds            = 1'b1;
            bytes            = job_i.key_bytes < 7'd32 ? 5'd4 : 5'd5;
            uop_o.source     = SrcKeyHead;
            uop_o.number     = 32'(job_i.key_bytes);
            next             = job_i.key_bytes == '0 ? PhKeyEnd : PhKeyBody;
          end
          PhKeyBody: begin
            feeds            = 1'b1;
            takes            = 1'b1;
            uop_o.source     = SrcStore;
            uop_o.row        = key_row;
            if (last) next = PhKeyEnd;
          end
          PhKeyEnd: begin
            feeds            = 1'b1;
            forced           = 1'b1;
            complete         = 1'b1;
            bytes            = '0;
            uop_o.block.from = inner_row;
            uop_o.block.to   = inner_row;
            next             = key_lane ? PhWipe : begin_message;
          end
          PhCount: begin
            uop_o.source = SrcPop;
            uop_o.count  = 1'b1;
            uop_o.number = job_i.payload_bytes;
            bytes        = 5'd16;
            next         = PhState;
          end
          PhState: begin
            uop_o.source = SrcPop;
            uop_o.put    = 1'b1;
            bytes        = 5'd16;
            if (place_o.step == state_words) begin
              next = PhPartial;
              if (keccak) begin
                place_o.slot = partial_i[7:4];
                place_o.fill = partial_i[3:0];
                next         = message;
              end else if (job_i.save && 33'(partial_i) + 33'(job_i.payload_bytes) < 33'(block)) begin
                place_o.behind = 1'b1;
                left           = job_i.payload_bytes + 32'(partial_i);
                next           = PhSaveCount;
              end
            end
          end
          PhPartial, PhTailPartial: begin
            uop_o.source = SrcPop;
            bytes        = partial_left > 8'd16 ? 5'd16 : partial_left[4:0];
            feeds        = bytes != '0;
            if (place_i.phase == PhTailPartial) left = place_i.left - 32'(bytes);
            if (place_o.step == area) next = place_i.phase == PhPartial ? message : PhTail;
          end
          PhAad, PhPay: begin
            feeds        = 1'b1;
            takes        = 1'b1;
            uop_o.source = SrcPop;
            if (last) next = place_i.phase == PhAad ? after_aad : after_message;
          end
          PhEncode: begin
            feeds        = 1'b1;
            uop_o.source = SrcEncode;
            uop_o.number = job_i.out_bytes;
            // The length's encoding, and one byte for its own length: L has 3 bits more than the number of bytes.
            bytes        = 5'd2 + 5'(|job_i.out_bytes[31:5]) + 5'(|job_i.out_bytes[31:13])
                           + 5'(|job_i.out_bytes[31:21]) + 5'(|job_i.out_bytes[31:29]);
            next         = PhPad;
          end
          // The slots between the first padding byte and the last slot are zero because nothing comes.
          PhPad: begin
            feeds          = 1'b1;
            forced         = 1'b1;
            bytes          = '0;
            uop_o.mark     = !place_i.marked;
            place_o.marked = 1'b1;
            if (place_i.marked) begin
              uop_o.slot   = of.last_slot;
              uop_o.half   = of.half;
            end
            complete       = uop_o.slot == of.last_slot;
            // The length of SHA-1 and SHA-256 fits behind 8 bytes, of SHA-512 in a slot of its own.
            uop_o.finish   = place_i.marked
                             || (complete && (keccak || (of.family == FamilySha32 && !place_i.fill[3])));
            if (uop_o.finish) begin
              next = job_i.hmac && !place_i.outer ? PhDigest : job_i.verify ? PhCheck : PhOut;
            end
          end
          PhDigest: begin
            feeds        = 1'b1;
            takes        = 1'b1;
            uop_o.source = SrcStore;
            if (last) next = PhPad;
          end
          PhCheck: begin
            takes        = 1'b1;
            uop_o.source = SrcPop;
            uop_o.check  = 1'b1;
            uop_o.keep   = place_i.step == '0;
            if (last) next = after_result;
          end
          PhOut: begin
            takes        = 1'b1;
            uop_o.source = SrcStore;
            uop_o.out    = 1'b1;
            uop_o.keep   = place_i.left == job_i.out_bytes;
            if (of.half && place_i.step == of.last_slot && bytes > 5'd8) bytes = 5'd8;
            if (place_i.left == 32'(bytes)) next = after_result;
            else if (place_i.step == of.last_slot) next = PhSqueeze;
          end
          PhSqueeze: begin
            feeds        = 1'b1;
            forced       = 1'b1;
            complete     = 1'b1;
            bytes        = '0;
            next         = PhOut;
          end
          PhPlain: begin
            feeds             = 1'b1;
            forced            = 1'b1;
            complete          = 1'b1;
            bytes             = '0;
            uop_o.block.plain = 1'b1;
            left              = 32'({place_i.slot, place_i.fill});
            next              = PhSaveCount;
          end
          PhSaveCount: begin
            uop_o.source = SrcCount;
            uop_o.number = place_i.left + 32'(place_i.fill);
            uop_o.out    = 1'b1;
            bytes        = 5'd16;
            next         = PhSaveState;
          end
          PhSaveState: begin
            uop_o.source = SrcStore;
            uop_o.row    = from_row;
            uop_o.out    = 1'b1;
            bytes        = 5'd16;
            if (place_o.step == state_words) next = keccak ? after_result : place_i.behind ? PhTailPartial : PhTail;
          end
          PhTail: begin
            feeds        = 1'b1;
            takes        = 1'b1;
            uop_o.source = place_i.left == '0 ? SrcNone : SrcPop;
            forced       = place_i.left == '0;
          end
          PhWipe: begin
            uop_o.zero = 1'b1;
            uop_o.row  = place_i.step == '0 ? '{kind: RowOuter, index: lane_i} : key_row;
            if (place_i.step == 4'd1) next = PhDone;
          end
          PhDone: begin
            uop_o.zero = 1'b1;
            uop_o.done = 1'b1;
            next       = PhIdle;
          end
          default: next = PhIdle;
        endcase
      end

      // ---- The residue and the slot.
      uop_o.bytes = bytes;
      total       = 5'(place_i.fill) + bytes;
      leaves      = feeds && (forced || total[4] || (half && total >= 5'd8));
      if (takes) left = place_i.left - 32'(bytes);
      if (feeds) begin
        uop_o.merge  = place_i.phase != PhSqueeze;   // there the residue keeps the beginning of the output
        uop_o.flush  = forced;
        place_o.fill = leaves && half ? 4'(total - 5'd8) : total[3:0];
        if (forced) place_o.fill = '0;
        if (place_i.phase inside {PhTail, PhTailPartial}) begin
          uop_o.half = 1'b0;
          uop_o.out  = leaves;
          if (place_i.phase == PhTail) begin
            if (!leaves) place_o.step = place_i.step;
            else if (place_o.step == area) next = after_result;
          end
        end else begin
          feeds_o       = 1'b1;
          uop_o.feed    = leaves;
          uop_o.last    = leaves && (complete || uop_o.slot == of.last_slot);
          place_o.bound = !uop_o.last;
          if (leaves) place_o.slot = place_i.slot + 4'd1;
          if (uop_o.last) begin
            place_o.slot = '0;
            if (uop_o.block.to.kind == RowChain) place_o.from = RowChain;
          end
        end
      end
      if (place_i.phase == PhPay && !start_i && !abort_i && job_i.save) begin
        if (!keccak && uop_o.last && left + 32'(place_o.fill) < 32'(block)) next = PhSaveCount;
      end
      if (next == PhPlain && place_o.slot == '0 && place_o.fill == '0) next = PhSaveCount;

      // ---- A phase begins.
      if (next != place_i.phase || start_i) begin
        place_o.step = '0;
        unique case (next)
          PhOpad, PhIpad: left = 32'(block);
          PhKeyBody:      left = 32'(job_i.key_bytes);
          PhAad:          left = job_i.aad_bytes;
          PhPay:          left = job_i.payload_bytes;
          PhSaveCount:    if (!(place_i.phase inside {PhPay, PhState, PhPlain})) left = job_i.payload_bytes;
          PhDigest: begin
            left           = 32'(of.digest);
            place_o.outer  = 1'b1;
            place_o.marked = 1'b0;
            place_o.from   = (job_i.raw || job_i.prepared) ? RowOuter : RowSlotOuter;
          end
          PhCheck:        left = job_i.out_bytes;
          PhOut:          if (place_i.phase != PhSqueeze) left = job_i.out_bytes;
          PhTail:         if (place_i.phase == PhTailPartial) place_o.step = partial_i[7:4];
          default: ;
        endcase
      end
      place_o.left  = left;
      place_o.phase = next;

      // ---- What the next uop needs.
      wants_o.word  = (next inside {PhInner, PhOuter, PhCount, PhState, PhPartial, PhTailPartial, PhAad, PhCheck})
                      || (next == PhKey && !key_lane) || (next == PhTail && left != '0)
                      || (next == PhPay && !(of.half && place_o.slot == of.last_slot && place_o.fill[3]));
      wants_o.room  = next inside {PhOut, PhSaveCount, PhSaveState, PhTail, PhTailPartial};
      wants_o.queue = wants_o.room || next == PhDone;
      wants_o.unit  = !place_o.bound && (next inside {
        PhOpad, PhIpad, PhName, PhKeyHead, PhKeyBody, PhKeyEnd, PhPartial, PhAad, PhPay, PhEncode, PhPad, PhDigest,
        PhSqueeze, PhPlain
      });
      // What reads a row waits until it is written, what writes one until it is read.
      wants_o.quiet = next inside {PhCount, PhSaveCount, PhWipe, PhDone}
                      || (place_o.step == '0 && (next inside {PhOpad, PhDigest, PhCheck, PhOut}))
                      || (place_i.phase == PhKey && next == PhIpad);
    end
  end
endmodule

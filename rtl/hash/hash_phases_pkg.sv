// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The algorithms as sequences of phases: the uop of each phase and the next phase.
//
// There is one function for each group of phases: keys, loading a state, the message, the result, saving a state, the
// end. It gets a step whose fields have default values, and changes those that differ in its phases. hash_step_pkg has
// the order of the phases; hash_sequence calls the functions.
package hash_phases_pkg;
  import hash_pkg::*;
  import hash_step_pkg::*;

  // Returns the default step: it only counts the word, and the phase repeats.
  function automatic hash_step_t usual_step(hash_view_t at);
    hash_step_t step;
    step            = '0;
    step.uop.lane   = at.lane;
    step.uop.alg    = at.job.alg;
    step.uop.keyed  = is_keyed(at);
    step.uop.word   = at.place.step;
    step.uop.bytes  = at.hints.bytes;
    step.uop.fill   = at.place.fill;
    step.uop.slot   = at.place.slot;
    step.uop.half   = is_half(at);
    step.uop.outer  = at.place.outer;
    step.uop.row    = chain_row(at);
    step.uop.block  = '{lane: at.lane, alg: at.job.alg, from: from_row(at), to: chain_row(at), plain: 1'b0};
    step.place      = at.place;
    step.place.step = at.place.step + 4'd1;
    return step;
  endfunction

  // Aborts the job.
  function automatic hash_step_t step_abort(hash_step_t step);
    step.uop.aborted = 1'b1;
    step.place.bound = 1'b0;
    step.place.phase = PhWipe;
    return step;
  endfunction

  // Begins a job.
  function automatic hash_step_t step_start(hash_step_t step, hash_view_t at);
    logic slot_key;
    slot_key         = is_keyed(at) && !at.job.raw && !at.job.prepared && !at.job.load;
    step.uop.start   = 1'b1;
    step.uop.number  = at.job.aad_bytes + at.job.payload_bytes;
    step.place       = '0;
    step.place.from  = slot_key ? RowSlotInner : RowChain;
    step.place.left  = at.job.payload_bytes;
    step.place.phase = begin_message(at);
    if (at.job.raw) step.place.phase = after_key(at);
    if (at.job.key_words != '0) step.place.phase = at.job.prepared ? PhInner : PhKey;
    return step;
  endfunction

  // Sends a residue that fills a half slot; the bytes of the phase follow with the next uop.
  function automatic hash_step_t step_spill(hash_step_t step, hash_view_t at);
    step.feeds      = 1'b1;
    step.place.step = at.place.step;
    return step;
  endfunction

  // Loads a key: writes its words or its chaining values to rows, then hashes HMAC's two blocks.
  function automatic hash_step_t step_key(hash_step_t step, hash_view_t at);
    logic opad;
    unique case (at.place.phase)
      PhKey: begin
        step.uop.source = is_key_lane(at) ? SrcPort : SrcPop;
        step.uop.put    = 1'b1;
        step.uop.row    = key_row(at);
        if (step.place.step == at.job.key_words) step.place.phase = after_key(at);
      end
      PhInner, PhOuter: begin
        step.uop.source = SrcPop;
        step.uop.put    = 1'b1;
        if (at.place.phase == PhOuter) step.uop.row = outer_row(at);
        if (step.place.step == at.job.key_words >> 1) begin
          step.place.phase = at.place.phase == PhInner ? PhOuter : begin_message(at);
        end
      end
      default: begin  // PhOpad, PhIpad
        opad                = at.place.phase == PhOpad;
        step.feeds          = 1'b1;
        step.takes          = 1'b1;
        step.uop.source     = at.place.step < 4'd4 ? SrcStore : SrcNone;
        step.uop.row        = key_row(at);
        step.uop.pattern    = opad ? 8'h5c : 8'h36;
        step.uop.block.from = chain_row(at);
        step.uop.block.to   = opad ? outer_row(at) : inner_row(at);
        if (is_last(at)) step.place.phase = opad ? after_opad(at) : is_key_lane(at) ? PhWipe : begin_message(at);
      end
    endcase
    return step;
  endfunction

  // Hashes KMAC's blocks before the message: one with its name, one with the key (SP 800-185 4.3).
  function automatic hash_step_t step_kmac_key(hash_step_t step, hash_view_t at);
    step.feeds = 1'b1;
    unique case (at.place.phase)
      PhName: begin
        step.forced       = 1'b1;
        step.complete     = 1'b1;
        step.uop.source   = SrcName;
        step.uop.block.to = inner_row(at);
        step.place.phase  = PhKeyHead;
      end
      PhKeyHead: begin
        step.uop.source  = SrcKeyHead;
        step.uop.number  = 32'(at.job.key_bytes);
        step.place.phase = at.job.key_bytes == '0 ? PhKeyEnd : PhKeyBody;
      end
      PhKeyBody: begin
        step.takes      = 1'b1;
        step.uop.source = SrcStore;
        step.uop.row    = key_row(at);
        if (is_last(at)) step.place.phase = PhKeyEnd;
      end
      default: begin  // PhKeyEnd
        step.forced         = 1'b1;
        step.complete       = 1'b1;
        step.uop.block.from = inner_row(at);
        step.uop.block.to   = inner_row(at);
        step.place.phase    = is_key_lane(at) ? PhWipe : begin_message(at);
      end
    endcase
    return step;
  endfunction

  // Loads a saved state.
  function automatic hash_step_t step_load(hash_step_t step, hash_view_t at);
    logic [32:0] known;  // bytes after the last full block
    known = 33'(at.partial) + 33'(at.job.payload_bytes);
    step.uop.source = SrcPop;
    unique case (at.place.phase)
      PhCount: begin
        step.uop.count   = 1'b1;
        step.uop.number  = at.job.payload_bytes;
        step.place.phase = PhState;
      end
      PhState: begin
        step.uop.put = 1'b1;
        if (step.place.step == state_words(at)) begin
          step.place.phase = PhPartial;
          if (is_keccak(at)) begin
            {step.place.slot, step.place.fill} = at.partial;
            step.place.phase = message(at);
          end else if (at.job.save && is_partial(at, known)) begin
            step.place.behind = 1'b1;
            step.place.left   = 32'(known);
            step.place.phase  = PhSaveCount;
          end
        end
      end
      default: begin  // PhPartial, PhTailPartial
        step.feeds = at.hints.bytes != '0;
        if (at.place.phase == PhTailPartial) step.place.left = at.place.left - 32'(step.uop.bytes);
        if (step.place.step == partial_words(at)) begin
          step.place.phase = at.place.phase == PhPartial ? message(at) : PhTail;
        end
      end
    endcase
    return step;
  endfunction

  // Hashes the message; HMAC's inner digest is a message too.
  function automatic hash_step_t step_message(hash_step_t step, hash_view_t at);
    step.feeds = 1'b1;
    unique case (at.place.phase)
      PhAad, PhPay: begin
        step.takes      = 1'b1;
        step.uop.source = SrcPop;
        if (is_last(at)) step.place.phase = at.place.phase == PhAad ? after_aad(at) : after_message(at);
      end
      PhDigest: begin
        step.takes      = 1'b1;
        step.uop.source = SrcStore;
        if (is_last(at)) step.place.phase = PhPad;
      end
      default: begin  // PhEncode
        step.uop.source = SrcEncode;
        step.uop.number = at.job.out_bytes;
        step.place.phase = PhPad;
      end
    endcase
    return step;
  endfunction

  // Pads the message: the first padding byte, the last slot, or both in one uop. The slots between them are zero, as
  // all slots that get no word.
  function automatic hash_step_t step_pad(hash_step_t step, hash_view_t at);
    logic length_fits;  // SHA-1 and SHA-256: the slot has room for the length; SHA-512 has a slot for it
    step.feeds        = 1'b1;
    step.forced       = 1'b1;
    step.uop.mark     = !at.place.marked;
    step.place.marked = 1'b1;
    if (at.place.marked) begin
      step.uop.slot = at.of.last_slot;
      step.uop.half = at.of.half;
    end
    step.complete   = at.place.marked || at.hints.last_slot;
    length_fits     = is_keccak(at) || (at.of.family == FamilySha32 && !at.place.fill[3]);
    step.uop.finish = at.place.marked || (step.complete && length_fits);
    if (step.uop.finish) begin
      step.place.phase = at.job.hmac && !at.place.outer ? PhDigest : at.job.verify ? PhCheck : PhOut;
    end
    return step;
  endfunction

  // Compares the result with the expected MAC, or outputs it.
  function automatic hash_step_t step_result(hash_step_t step, hash_view_t at);
    unique case (at.place.phase)
      PhCheck: begin
        step.takes      = 1'b1;
        step.uop.source = SrcPop;
        step.uop.check  = 1'b1;
        step.uop.keep   = at.place.step == '0;
        if (is_last(at)) step.place.phase = after_result(at);
      end
      PhOut: begin
        step.takes      = 1'b1;
        step.uop.source = SrcStore;
        step.uop.out    = 1'b1;
        step.uop.keep   = at.place.left == at.job.out_bytes;
        if (is_last(at)) step.place.phase = after_result(at);
        else if (at.place.step == at.of.last_slot) step.place.phase = PhSqueeze;
      end
      default: begin  // PhSqueeze
        step.feeds       = 1'b1;
        step.forced      = 1'b1;
        step.complete    = 1'b1;
        step.place.phase = PhOut;
      end
    endcase
    return step;
  endfunction

  // Outputs the state, and after it the bytes that do not fill a block.
  function automatic hash_step_t step_save(hash_step_t step, hash_view_t at);
    unique case (at.place.phase)
      PhPlain: begin
        step.feeds           = 1'b1;
        step.forced          = 1'b1;
        step.complete        = 1'b1;
        step.uop.block.plain = 1'b1;
        step.place.left      = 32'({at.place.slot, at.place.fill});
        step.place.phase     = PhSaveCount;
      end
      PhSaveCount: begin
        step.uop.source  = SrcCount;
        step.uop.number  = at.place.left + 32'(at.place.fill);
        step.uop.out     = 1'b1;
        step.place.phase = PhSaveState;
      end
      PhSaveState: begin
        step.uop.source = SrcStore;
        step.uop.row    = from_row(at);
        step.uop.out    = 1'b1;
        if (step.place.step == state_words(at)) begin
          step.place.phase = is_keccak(at) ? after_result(at) : at.place.behind ? PhTailPartial : PhTail;
        end
      end
      default: begin  // PhTail
        step.feeds      = 1'b1;
        step.takes      = 1'b1;
        step.forced     = at.place.left == '0;
        step.uop.source = at.place.left == '0 ? SrcNone : SrcPop;
      end
    endcase
    return step;
  endfunction

  // Wipes the rows that depend on the key; the last uop then signals the end.
  function automatic hash_step_t step_end(hash_step_t step, hash_view_t at);
    step.uop.zero = 1'b1;
    if (at.place.phase == PhDone) begin
      step.uop.done    = 1'b1;
      step.place.phase = PhIdle;
    end else begin
      step.uop.row = at.place.step == '0 ? '{kind: RowOuter, index: 5'(at.lane)} : key_row(at);
      if (at.place.step == 4'd1) step.place.phase = PhDone;
    end
    return step;
  endfunction
endpackage

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What enters, is hashed and sampled: runs a program of source_instruction_t. It fills the queue of polynomials.
//
// Keccak works for one instruction at a time; the sampler and the decoder go on with a polynomial while the next
// instruction begins. A job of ML-KEM ends in lattice_tail.sv, so that the next one can begin: it has the other registers, and
// takes nothing that the arithmetic of the one before still uses (`hold_i`). yosys maps the module apart: waits stay short.
(* keep_hierarchy = "yes" *)
module lattice_source
  import keccak_pkg::keccak_state_t;
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  parameter int unsigned MostRounds = 814,
  localparam int unsigned Width = 8 - $clog2(Butterflies)       // of a word's number
) (
  input  logic         clk_i,
  input  logic         clear_i,         // wipes all registers
  input  logic         start_i,         // wipes all but registers and the tail
  input  logic         halt_i,          // the same; the program is given up
  input  logic         hold_i,          // the arithmetic is still that of the job before
  input  logic [10:0]  entry_i,
  input  logic [3:0]   k_i,
  input  logic         dsa_i,           // ML-DSA
  input  dsa_set_e     set_i,
  output logic         ended_o,
  output logic         tail_o,          // the program has ended, the job not yet
  output logic         tail_bad_o,

  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  output logic         in_take_o,

  // The queue: a polynomial begins, its words, it is complete.
  input  logic         queue_room_i,
  output logic         queue_begin_o,
  output logic         queue_write_o,
  output logic [Width-1:0] queue_index_o,
  output coef_t [Butterflies-1:0] queue_word_o,

  // The ciphertext, word by word, for the comparison.
  output logic         store_o,
  output logic [127:0] store_word_o,
  // ML-DSA: w1 instead, from the arithmetic.
  input  logic [7:0]   stored_i,        // words
  input  logic [127:0] stored_word_i,
  output logic         stored_take_o,   // ... the next one
  output logic         stored_clear_o,  // all have been absorbed
  // The arithmetic's checks and hints.
  output logic         signal_o,
  input  logic         verdict_i,
  input  logic         reject_i,
  input  logic         hint_write_i,
  input  logic [Width+2:0] hint_at_i,
  input  logic [Butterflies-1:0] hint_i,
  output logic [Butterflies-1:0] hint_o,

  // From the packer.
  input  logic         message_valid_i,
  output logic         message_take_o,
  input  logic [127:0] message_i,
  input  logic         poly_ended_i,
  input  logic         differs_i,
  output logic         hash_ready_o,    // a word that leaves can be absorbed
  input  logic         hash_word_i,     // ... leaves
  input  logic [127:0] hash_i,

  output logic         out_valid_o,
  output logic [127:0] out_o,
  output logic [4:0]   out_bytes_o,
  input  logic         out_ready_i,
  output logic         bad_o            // a key is not one, a signature is not valid or was not found
);
  // ---- The program.
  source_instruction_t now;
  logic                running_q, jumped, runs, hold_q, held, leaves, wipes, advance, back, idle;
  logic                expands, samples, holds;         // what the instruction is
  logic [3:0][2:0]     reads;           // registers that it reads
  logic                masks, enters, takes, absorbs_out, puts_next, inits_next, of_message, of_register, of_stored;
  logic [7:0]          words, count_q;  // words, or steps, of an instruction
  logic                fresh_q;         // ... of which there were none
  logic                put_q, put_next; // a block is put into Keccak: known in the cycle before
  lattice_fetch u_fetch (
    .clk_i, .clear_i(clear_i || halt_i), .start_i, .entry_i, .advance_i(advance), .back_i(back), .dsa_i, .set_i,
    .jumped_o(jumped), .puts_next_o(puts_next), .inits_next_o(inits_next), .now_o(now), .words_o(words),
    .expands_o(expands), .samples_o(samples), .masks_o(masks), .of_message_o(of_message), .of_register_o(of_register),
    .enters_o(enters), .takes_o(takes), .of_stored_o(of_stored), .absorbs_out_o(absorbs_out), .holds_o(holds),
    .reads_o(reads)
  );

  register_e  register_a;
  logic      last_half;                // of a register: 0 if only half of it is meant
  assign register_a = register_e'(now.a[2:0]);
  assign last_half  = !now.f[1];
  assign ended_o    = !running_q && !tail_o;
  assign held       = hold_q && holds;
  always_ff @(posedge clk_i) hold_q <= hold_i;       // nothing runs in a program's first cycle
  assign runs       = running_q && !jumped && !held && !leaves;

  logic bad_q, bank_q;
  assign bad_o = bad_q;
  // ML-DSA: the number of the first polynomial of y, the rounds that were rejected, the answer of the checks.
  logic [15:0] kappa_q;
  logic [9:0]  rounds_q;
  logic        verdict_q, reject_q;

  // ---- Registers.
  logic          into, hash_write, compare, block_last, hash_last, tail_bank, tail_word, word;
  logic [1:0]    messages_q;            // words of M that have come
  logic [1:0]    part, part_q, hash_part_q;       // of a block that Keccak takes, or of a hash (for its bits)
  logic [255:0]  register_word;
  logic          whole, wrong;          // whether a part of a hash counts whole, and was another one than it should be
  register_e     read_at, hash_register, tail_at;
  keccak_state_t state;
  padding_t      padding;
  assign message_take_o = message_valid_i && !enters && !hash_write;
  lattice_registers u_registers (
    .clk_i, .clear_i, .bank_i(bank_q),
    .enter_i(into || message_take_o), .enter_at_i(enters ? register_a : Message),
    .enter_half_i(enters ? count_q[0] : messages_q[0]), .enter_word_i(enters ? in_i : message_i),
    .hash_i(hash_write), .hash_at_i(hash_register), .hash_part_i(hash_part_q), .state_i(state[15:0]),
    .read_bank_i(leaves ? tail_bank : bank_q), .at_i(read_at), .word_o(register_word),
    .compare_i({compare && whole, compare}), .differs_o(wrong)
  );
  lattice_blocks u_blocks (
    .op_i(now.op), .a_i(now.a), .b_i(now.b), .f_i(now.f), .k_i, .dsa_i, .set_i, .kappa_i(kappa_q),
    .at_i(part_q), .last_o(block_last), .padding_o(padding),
    .into_o(hash_register), .into_last_o(hash_last)
  );
  always_comb begin
    read_at = register_e'(reads[part_q]);
    if (leaves) read_at = tail_at;
  end
  lattice_tail u_tail (
    .clk_i, .clear_i, .begin_i(runs && now.op == SourceLeave && idle), .bank_i(bank_q), .bad_i(bad_q),
    .generates_i(now.f[0]), .poly_ended_i, .puts_next_i(put_next), .differs_i, .active_o(tail_o), .bad_o(tail_bad_o),
    .leaves_o(leaves), .bank_o(tail_bank), .at_o(tail_at), .word_o(tail_word), .taken_i(out_ready_i)
  );
  // Later than the rest: when a program starts, nothing runs in the cycle behind (lattice_fetch.sv).
  always_ff @(posedge clk_i) wipes <= clear_i || start_i || halt_i;

  // ---- Units.
  logic          keccak_again, keccak_halt, keccak_init, keccak_final, keccak_ready, keccak_empty;
  logic          keccak_busy, keccak_word_valid, keccak_taken, ball_final;
  logic [127:0]  keccak_word;
  lattice_sponge #(.Butterflies(Butterflies)) u_sponge (
    .clk_i, .clear_i(wipes),
    .put_i(put_q), .put_at_i(part_q), .put_last_i(block_last), .put_word_i(register_word), .padding_i(padding),
    .put_ready_o(keccak_taken), .again_i(keccak_again), .halt_i(keccak_halt),
    .init_i(keccak_init), .word_valid_i(keccak_word_valid), .word_i(keccak_word), .ready_o(keccak_ready),
    .empty_o(keccak_empty), .final_i(keccak_final || ball_final), .suffix_i(now.f[0] ? 8'h1f : 8'h06),
    .busy_o(keccak_busy), .state_o(state)
  );

  logic       sample_load, sample_first, sample_ready, sample_active, sample_valid;
  logic [Width-1:0] sample_index, decode_index, ball_index;
  coef_t [Butterflies-1:0] sample_word, decode_word, ball_word;
  logic        piece_valid, piece_take, piece_last, mask_in, ball_start, ball_take, ball_valid;
  logic [63:0] piece;
  lattice_sampler #(.Butterflies(Butterflies)) u_sampler (
    .clk_i, .clear_i(wipes),
    .load_i(sample_load), .first_i(sample_first), .reject_i(now.op == SourceXof), .three_i(now.f[0]),
    .dsa_i, .set_i, .mask_i(now.op inside {SourceMask, SourceBall}), .block_i(state[20:0]), .ready_o(sample_ready),
    .active_o(sample_active), .valid_o(sample_valid), .index_o(sample_index), .word_o(sample_word),
    .piece_valid_o(piece_valid), .piece_o(piece), .piece_take_i(piece_take), .piece_last_i(piece_last)
  );

  logic         decode_start, decode_active, decode_free, decode_in, decode_ready, decode_valid, decode_range;
  logic [127:0] decode_data;
  assign mask_in    = runs && masks && piece_valid && decode_ready;
  assign piece_take = mask_in || ball_take;
  assign piece_last = (masks && decode_valid && &decode_index) || (ball_valid && &ball_index);
  lattice_ball #(.Butterflies(Butterflies)) u_ball (
    .clk_i, .clear_i, .set_i, .start_i(ball_start),
    .piece_valid_i(piece_valid && now.op == SourceBall), .piece_i(piece), .piece_take_o(ball_take),
    .valid_o(ball_valid), .index_o(ball_index), .word_o(ball_word)
  );

  logic         hints_unpack, hints_take, hints_pack, hints_done, hints_bad;
  logic [127:0] hints_word;
  // It takes words only while SourceHints runs.
  lattice_hints #(.Butterflies(Butterflies)) u_hints (
    .clk_i, .clear_i, .set_i, .k_i,
    .unpack_i(hints_unpack), .in_valid_i, .in_i, .in_take_o(hints_take),
    .pack_i(hints_pack), .word_at_i(count_q[2:0] - 3'd1), .word_o(hints_word), .done_o(hints_done), .bad_o(hints_bad),
    .write_i(hint_write_i), .at_i(hint_at_i), .hints_i(hint_i), .hints_o(hint_o)
  );

  lattice_decoder #(.Butterflies(Butterflies)) u_decoder (
    .clk_i, .clear_i(wipes),
    .start_i(decode_start), .bits_i(now.op == SourceMessage ? 5'd1 : 5'(now.a)), .dsa_i, .set_i,
    .form_i(masks ? FormZ : form_e'(now.a)), .check_i(now.op == SourceDecode && now.f[2]), .active_o(decode_active),
    .free_o(decode_free), .in_valid_i(decode_in || mask_in), .in_i(masks ? 128'(piece) : decode_data), .half_i(masks),
    .in_ready_o(decode_ready), .valid_o(decode_valid), .index_o(decode_index), .word_o(decode_word),
    .range_o(decode_range)
  );
  assign queue_write_o = sample_valid || decode_valid || ball_valid;
  assign queue_index_o = sample_valid ? sample_index : ball_valid ? ball_index : decode_index;
  assign queue_word_o  = sample_valid ? sample_word : ball_valid ? ball_word : decode_word;

  // ---- Steps of an instruction: blocks that are hashed whole, samplers.
  logic squeezed, sample_ends, sample_runs;
  logic [1:0] step;                     // a sampler's instruction has no more
  assign idle        = !sample_active && !decode_active;
  assign squeezed    = !fresh_q && !keccak_busy;
  assign step        = count_q[1:0];
  assign sample_runs = runs && samples;
  assign put_next    = jumped || (advance && !back) ? puts_next : put_q && !(keccak_taken && block_last);
  always_ff @(posedge clk_i) begin
    put_q       <= put_next && !(clear_i || start_i || halt_i);
    keccak_init <= ((jumped || (advance && !back)) && inits_next) || clear_i || start_i || halt_i;
  end
  always_comb begin
    ball_final   = runs && now.op == SourceBall && fresh_q && keccak_empty;
    sample_first = sample_runs && step == 2'd1 && !keccak_busy && idle && queue_room_i;
    sample_load  = sample_first || (sample_runs && step == 2'd2 && !keccak_busy && sample_ready && sample_active);
    keccak_again = sample_load && (now.op != SourcePrf || (now.f[0] && step == 2'd1));
    ball_start   = sample_first && now.op == SourceBall;
    sample_ends  = sample_runs
                   && (now.op == SourcePrf ? step == (now.f[0] ? 2'd3 : 2'd2) : step == 2'd2 && !sample_active);
    keccak_halt  = sample_ends;
  end

  // ---- What is done with a hash.
  logic hashed, part_ends, hashed_q;    // `hashed_q`: a word has left, and cannot in this cycle
  always_ff @(posedge clk_i) hashed_q <= hash_word_i;
  assign hashed     = runs && squeezed && (expands || now.op == SourceFinal);
  assign compare    = hashed && now.op == SourceFinal && register_a == Compared;
  assign hash_write = hashed && !compare;
  assign part_ends  = hashed ? hash_last : block_last;
  always_comb begin
    part = part_q;
    if ((put_q && keccak_taken) || hashed) part = part_ends ? '0 : part_q + 2'd1;
    if (start_i) part = '0;
  end
  always_ff @(posedge clk_i) part_q <= part;
  ow_copy #(.Width(2)) u_hash_part (.clk_i, .enable_i(1'b1), .next_i(part), .copy_o(hash_part_q));
  // c~ has 32, 48 or 64 bytes: the second part counts whole in ML-DSA-87 alone.
  assign whole      = part_q == '0 || set_i == Dsa87;

  // ---- Steps: words that enter, are hashed and leave; what ML-DSA waits for.
  // Whether Keccak is ready or has ended, and whether a word leaves, is known late: it decides last.
  logic       absorbs, into_done, decode_begin, ends, counts;     // `counts`: a word has passed, or a step
  logic       passes, passes_keccak, passed;      // a word, if Keccak is ready for it, where it should take it
  logic       offers, ends_passing, ends_out;     // a word is to leave; it ends with a word that passes, or that leaves
  logic [7:0] stored_words;
  logic [2:0] hint_words;
  assign absorbs      = now.f[0];
  assign into_done    = count_q[0] == last_half;
  assign stored_words = set_i == Dsa87 ? 8'd64 : 8'd48;
  assign hint_words   = set_i == Dsa65 ? 3'd4 : 3'd6;
  always_comb begin
    {decode_begin, passes, passes_keccak, ends, ends_passing, offers, ends_out, signal_o, back} = '0;
    {hints_unpack, hints_pack} = '0;
    unique case (now.op)
      SourceIn: begin
        passes        = in_valid_i;
        passes_keccak = absorbs;
        ends_passing  = into_done;
      end
      SourceDecode: begin
        decode_begin  = fresh_q && !sample_active && decode_free && queue_room_i;
        passes        = !fresh_q && in_valid_i && decode_ready;
        passes_keccak = absorbs;
        ends_passing  = count_q == words;
      end
      SourceMessage: begin
        decode_begin = fresh_q && !sample_active && decode_free && queue_room_i;
        passes       = !fresh_q && decode_ready;
        ends_passing = count_q == words;
      end
      SourceInit: ends = 1'b1;
      SourceAbsorb: begin
        {passes, passes_keccak} = '1;
        ends_passing = into_done;
      end
      SourceHashOut: ends = hashed_q && count_q == words;
      SourceEmit: begin
        offers   = 1'b1;
        ends_out = into_done;
      end
      SourceWait:  ends = messages_q == 2'd2;
      SourceLeave: ends = idle;
      SourceStored: begin
        passes        = stored_i > count_q;
        passes_keccak = 1'b1;
        ends_passing  = count_q == stored_words - 8'd1;
      end
      SourceHints: begin
        hints_unpack = fresh_q;
        ends         = !fresh_q && hints_done;
      end
      SourceHintOut: begin
        hints_pack = fresh_q;
        offers     = !fresh_q && hints_done && poly_ended_i;
        ends_out   = count_q == 8'(hint_words);
      end
      SourceSignal: {signal_o, ends} = '1;
      SourceLoop: {ends, back} = {verdict_q, verdict_q && reject_q};
      default: ;
    endcase
    if (!runs) {decode_begin, passes, ends, offers, signal_o, back, hints_unpack, hints_pack} = '0;
  end
  assign passed  = passes && (!passes_keccak || keccak_ready);
  assign advance = ends || sample_ends || (hashed && hash_last) || (passed && ends_passing)
                   || (offers && ends_out && out_ready_i);
  assign counts  = passed || decode_begin || keccak_final || hints_unpack || hints_pack || sample_first || ball_final
                   || (put_q && keccak_taken && block_last) || (sample_load && now.op == SourcePrf)
                   || (runs && absorbs_out && hashed_q) || (offers && out_ready_i);
  lattice_take u_take (
    .valid_i(in_valid_i), .hints_i(hints_take), .takes_i(takes), .running_i(running_q), .jumped_i(jumped),
    .held_i(held), .leaves_i(leaves), .enters_i(enters), .decodes_i(!fresh_q), .decode_ready_i(decode_ready),
    .absorbs_i(absorbs), .keccak_ready_i(keccak_ready), .take_o(in_take_o)
  );
  // What passes.
  assign into              = passed && enters;
  assign decode_in         = passed && now.op inside {SourceDecode, SourceMessage};
  assign decode_data       = of_message ? register_word[128*(!count_q[0]) +: 128] : in_i;
  assign store_o           = passed && now.op == SourceDecode && now.f[1];
  assign stored_take_o     = passed && now.op == SourceStored;
  assign stored_clear_o    = stored_take_o && ends_passing;
  assign out_valid_o       = offers || leaves;
  assign hash_ready_o      = runs && absorbs_out && keccak_ready;
  assign keccak_final      = runs && now.op == SourceFinal && fresh_q && keccak_empty;
  assign keccak_word_valid = (passed && passes_keccak) || (runs && absorbs_out && hash_word_i);
  assign keccak_word       = absorbs_out ? hash_i : of_register ? register_word[128*count_q[0] +: 128]
                             : of_stored ? stored_word_i : in_i;
  assign queue_begin_o = decode_begin || sample_first;
  assign decode_start  = decode_begin || (sample_first && masks);
  assign store_word_o  = in_i;

  always_comb begin
    word        = leaves ? tail_word : count_q[0];
    out_o       = (leaves ? tail_bad_o : bad_q) ? '0 : register_word[128*word +: 128];
    out_bytes_o = 5'd16;
    if (now.op == SourceHintOut && !leaves) begin
      out_o = bad_q ? '0 : hints_word;
      // omega + k bytes: 84, 61, 83.
      if (count_q == 8'(hint_words)) out_bytes_o = set_i == Dsa87 ? 5'd3 : set_i == Dsa65 ? 5'd13 : 5'd4;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      running_q  <= 1'b0;
      messages_q <= '0;
      bad_q      <= 1'b0;
      verdict_q  <= 1'b0;
      kappa_q    <= '0;
      rounds_q   <= '0;
      bank_q     <= 1'b0;
    end else begin
      if (halt_i) begin
        running_q <= 1'b0;
      end else if (start_i) begin
        running_q <= 1'b1;
        count_q   <= '0;
        fresh_q   <= 1'b1;
        bank_q    <= !bank_q;
      end else if (running_q && !jumped && now.op == SourceEnd) begin
        running_q <= 1'b0;
      end else if (jumped || advance) begin
        count_q <= '0;
        fresh_q <= 1'b1;
      end else if (counts) begin
        count_q <= count_q + 8'd1;
        fresh_q <= 1'b0;
      end
      if (wrong) bad_q <= 1'b1;
      if (now.op == SourceHints && ends && hints_bad) bad_q <= 1'b1;
      if (verdict_i) reject_q <= reject_i;
      verdict_q <= verdict_i || (verdict_q && !(ends && now.op == SourceLoop));
      if (back) begin
        kappa_q  <= kappa_q + 16'(dsa_l(set_i));
        rounds_q <= rounds_q + 10'd1;
        if (rounds_q == 10'(MostRounds - 1)) bad_q <= 1'b1;
      end
      if (message_take_o) messages_q <= messages_q + 2'd1;
      if (decode_range) bad_q <= 1'b1;
      if (start_i) {messages_q, bad_q} <= '0;
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i && running_q && !jumped) begin : promises
    a_only_a_new_instruction_puts: assert (put_q == ((expands || samples) && now.op != SourceBall && fresh_q));
    a_only_a_new_instruction_inits: assert (!keccak_init || (now.op == SourceInit && fresh_q));
    a_what_puts_is_not_held: assert (!put_q || !(held || leaves));
    a_none_have_passed: assert (fresh_q == (count_q == '0));
    a_samplers_have_few_steps: assert (!samples || count_q < 8'd4);
    a_what_passes_is_taken: assert (in_take_o == ((passed && takes) || hints_take));
    a_hints_enter_for_their_instruction: assert (!hints_take || (runs && now.op == SourceHints));
  end
`endif
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What enters, is hashed and sampled: runs a program of source_instruction_t. It fills the queue of polynomials.
//
// Keccak works for one instruction at a time; the sampler and the decoder go on with a polynomial while the next
// instruction begins.
module lattice_source
  import keccak_pkg::keccak_state_t;
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,         // wipes all registers
  input  logic         start_i,
  input  logic [8:0]   entry_i,
  input  logic [2:0]   k_i,
  output logic         ended_o,

  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  output logic         in_take_o,

  // The queue: a polynomial begins, its words, it is complete.
  input  logic         queue_room_i,
  output logic         queue_begin_o,
  output logic         queue_write_o,
  output logic [4:0]   queue_index_o,
  output word_t        queue_word_o,

  // The ciphertext, word by word, for the comparison.
  output logic         store_o,
  output logic [127:0] store_word_o,

  // From the packer.
  input  logic         message_valid_i,
  input  logic [127:0] message_i,
  input  logic         poly_ended_i,
  input  logic         differs_i,
  output logic         hash_ready_o,    // a word that leaves can be absorbed
  input  logic         hash_word_i,     // ... leaves
  input  logic [127:0] hash_i,

  output logic         out_valid_o,
  output logic [127:0] out_o,
  input  logic         out_ready_i,
  output logic         bad_o            // a key is not one
);
  // ---- The program.
  logic [8:0]          pc_q;
  source_instruction_t now_q;
  logic                running_q, advance;
  logic [6:0]          count_q;         // words, or steps, of an instruction
  (* rom_style = "block" *) logic [$bits(source_instruction_t)-1:0] program_q [SourceWords];
  initial for (int unsigned i = 0; i < SourceWords; i++) program_q[i] = SourceProgram[i];

  register_e  register_a;
  logic [1:0] halves;
  assign register_a = register_e'(now_q.a[2:0]);
  assign ended_o    = !running_q;
  assign halves     = 2'(count_q);

  // ---- Registers.
  logic [1:0][127:0] registers_q [7];
  logic [1:0]        messages_q;        // words of M that have come
  logic              bad_q, differs_q, decode_check_q;
  assign bad_o = bad_q;

  // ---- Units.
  logic          keccak_set, keccak_again, keccak_halt, keccak_init, keccak_final, keccak_ready, keccak_busy;
  logic          keccak_word_valid;
  logic [127:0]  keccak_word;
  keccak_state_t block, state;
  lattice_keccak u_keccak (
    .clk_i, .clear_i,
    .set_i(keccak_set), .block_i(block), .again_i(keccak_again), .halt_i(keccak_halt),
    .init_i(keccak_init), .word_valid_i(keccak_word_valid), .word_i(keccak_word), .ready_o(keccak_ready),
    .final_i(keccak_final), .suffix_i(now_q.f[0] ? 8'h1f : 8'h06),
    .busy_o(keccak_busy), .state_o(state)
  );

  logic       sample_load, sample_first, sample_ready, sample_active, sample_valid;
  logic [4:0] sample_index, decode_index;
  word_t      sample_word, decode_word;
  lattice_sampler u_sampler (
    .clk_i, .clear_i,
    .load_i(sample_load), .first_i(sample_first), .reject_i(now_q.op == SourceXof), .three_i(now_q.f[0]),
    .block_i(state[20:0]), .ready_o(sample_ready), .active_o(sample_active),
    .valid_o(sample_valid), .index_o(sample_index), .word_o(sample_word)
  );

  logic         decode_start, decode_active, decode_in, decode_ready, decode_valid, decode_range;
  logic [127:0] decode_data;
  lattice_decoder u_decoder (
    .clk_i, .clear_i,
    .start_i(decode_start), .bits_i(now_q.op == SourceMessage ? 4'd1 : now_q.a), .active_o(decode_active),
    .in_valid_i(decode_in), .in_i(decode_data), .in_ready_o(decode_ready),
    .valid_o(decode_valid), .index_o(decode_index), .word_o(decode_word), .range_o(decode_range)
  );
  assign queue_write_o = sample_valid || decode_valid;
  assign queue_index_o = sample_valid ? sample_index : decode_index;
  assign queue_word_o  = sample_valid ? sample_word : decode_word;

  // ---- Blocks that are hashed whole.
  always_comb begin
    block     = '0;
    unique case (now_q.op)
      SourceG: begin                    // SHA3-512: 72 bytes
        block[3:0] = registers_q[Message];
        block[8]   = 64'h80 << 56;
        if (now_q.f[0]) begin
          block[7:4]  = registers_q[Hash];
          block[8][7:0] = 8'h06;
        end else begin
          block[4][15:0] = {8'h06, 8'(k_i)};
        end
      end
      SourcePrf: begin                  // SHAKE256: 136 bytes
        block[3:0]     = registers_q[Sigma];
        block[4][15:0] = {8'h1f, 8'(now_q.a)};
        block[16]      = 64'h80 << 56;
      end
      default: begin                    // SHAKE128: 168 bytes
        block[3:0]     = registers_q[Rho];
        block[4][23:0] = {8'h1f, 8'(now_q.b), 8'(now_q.a)};
        block[20]      = 64'h80 << 56;
      end
    endcase
  end

  // ---- Steps of an instruction.
  logic       idle, absorbs, into, compare, squeezed, write_a, write_sigma;
  logic [6:0] words;
  assign idle     = !sample_active && !decode_active;
  assign absorbs  = now_q.f[0];
  assign words    = now_q.op == SourceMessage ? 7'd2 : 7'(now_q.a) << 1;
  assign squeezed = count_q != '0 && !keccak_busy;
  always_comb begin
    {keccak_set, keccak_again, keccak_halt, keccak_init, keccak_final, keccak_word_valid} = '0;
    {sample_load, sample_first, decode_start, decode_in, queue_begin_o, in_take_o, store_o, out_valid_o} = '0;
    {advance, into, compare, write_a, write_sigma, hash_ready_o} = '0;
    keccak_word = in_i;
    decode_data = in_i;
    unique case (now_q.op)
      SourceIn: begin
        into              = in_valid_i && (!absorbs || keccak_ready);
        keccak_word_valid = into && absorbs;
        in_take_o         = into;
        advance           = into && halves == 2'd1;
      end
      SourceDecode: begin
        if (count_q == '0) begin
          queue_begin_o = idle && queue_room_i;
          decode_start  = queue_begin_o;
        end else begin
          in_take_o         = in_valid_i && decode_ready && (!absorbs || keccak_ready);
          decode_in         = in_take_o;
          keccak_word_valid = in_take_o && absorbs;
          store_o           = in_take_o && now_q.f[1];
          advance           = in_take_o && count_q == words;
        end
      end
      SourceMessage: begin
        decode_data = registers_q[Message][~count_q[0]];
        if (count_q == '0) begin
          queue_begin_o = idle && queue_room_i;
          decode_start  = queue_begin_o;
        end else begin
          decode_in = decode_ready;
          advance   = decode_ready && count_q == words;
        end
      end
      SourceInit: begin
        keccak_init = 1'b1;
        advance     = 1'b1;
      end
      SourceAbsorb: begin
        keccak_word       = registers_q[register_a][count_q[0]];
        keccak_word_valid = keccak_ready;
        advance           = keccak_ready && halves == 2'd1;
      end
      SourceFinal: begin
        keccak_final = count_q == '0 && keccak_ready;
        advance      = squeezed;
        write_a      = advance && register_a != Compared;
        compare      = advance && register_a == Compared;
      end
      SourceG: begin
        keccak_set  = count_q == '0;
        advance     = squeezed;
        write_a     = advance;
        write_sigma = advance;
      end
      SourcePrf, SourceXof: begin
        keccak_set = count_q == '0;
        if (count_q == 7'd1) begin
          sample_load  = !keccak_busy && idle && queue_room_i;
          sample_first = sample_load;
        end else if (count_q == 7'd2) begin
          sample_load = !keccak_busy && sample_ready && sample_active;
        end
        queue_begin_o = sample_first;
        keccak_again  = sample_load && (now_q.op == SourceXof || (now_q.f[0] && count_q == 7'd1));
        if (now_q.op == SourceXof) advance = count_q == 7'd2 && !sample_active;
        else advance = sample_load && (count_q == 7'd2 || !now_q.f[0]);
        keccak_halt   = advance;
      end
      SourceHashOut: begin
        hash_ready_o      = keccak_ready;
        keccak_word       = hash_i;
        keccak_word_valid = hash_word_i;
        advance           = hash_word_i && count_q == 7'(now_q.a) * 7'd24 - 7'd1;
      end
      SourceEmit: begin
        out_valid_o = 1'b1;
        advance     = out_ready_i && halves == 2'd1;
      end
      SourceWait: advance = now_q.f[0] ? poly_ended_i && idle : messages_q == 2'd2;
      default: ;
    endcase
    if (!running_q) begin
      {advance, keccak_set, keccak_init, keccak_final, keccak_word_valid, sample_load, decode_start} = '0;
      {queue_begin_o, in_take_o, store_o, out_valid_o, into, hash_ready_o, decode_in} = '0;
    end
  end
  assign store_word_o = in_i;

  // The count: words that have passed, or the step.
  logic counts;
  always_comb begin
    unique case (now_q.op)
      SourceIn:                counts = into;
      SourceDecode:            counts = queue_begin_o || in_take_o;
      SourceMessage:           counts = queue_begin_o || decode_in;
      SourceAbsorb:            counts = keccak_word_valid;
      SourceFinal:             counts = keccak_final;
      SourceG:                 counts = keccak_set;
      SourcePrf, SourceXof:    counts = keccak_set || sample_first;
      SourceHashOut:           counts = hash_word_i;
      SourceEmit:              counts = out_ready_i;
      default:                 counts = 1'b0;
    endcase
  end

  logic [127:0] key;
  always_comb begin
    out_o = '0;
    key   = differs_q ? registers_q[Reject][count_q[0]] : registers_q[Key][count_q[0]];
    if (!bad_q) out_o = register_a == Key ? key : registers_q[register_a][count_q[0]];
  end

  always_ff @(posedge clk_i) begin
    if (start_i || advance) now_q <= source_instruction_t'(program_q[start_i ? entry_i : pc_q]);
    if (clear_i) begin
      running_q  <= 1'b0;
      messages_q <= '0;
      bad_q      <= 1'b0;
      differs_q  <= 1'b0;
      registers_q <= '{default: '0};
    end else begin
      if (start_i) begin
        running_q <= 1'b1;
        pc_q      <= entry_i + 9'd1;
        count_q   <= '0;
      end else if (running_q && now_q.op == SourceEnd) begin
        running_q <= 1'b0;
      end else if (advance) begin
        pc_q    <= pc_q + 9'd1;
        count_q <= '0;
      end else if (counts) begin
        count_q <= count_q + 7'd1;
      end
      if (into) registers_q[register_a][count_q[0]] <= in_i;
      if (write_a) registers_q[register_a] <= state[3:0];
      if (write_sigma) registers_q[Sigma] <= state[7:4];
      if (compare) bad_q <= bad_q || (state[3:0] != registers_q[Hash]);
      if (message_valid_i) begin
        registers_q[Message][messages_q[0]] <= message_i;
        messages_q                          <= messages_q + 2'd1;
      end
      differs_q <= differs_q || differs_i;
      if (decode_range && decode_check_q) bad_q <= 1'b1;
      if (decode_start) decode_check_q <= now_q.op == SourceDecode && now_q.f[2];
    end
  end
endmodule

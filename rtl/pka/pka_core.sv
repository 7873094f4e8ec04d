// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic unit: a sequencer, an adder and a part of operand memory for each thread; they share the multiplier, the
// ROMs and the converter of bytes.
//
// A thread runs one program at a time. With `whole_i` thread 0 has all of operand memory, and the other must be idle.
// Otherwise nothing that a thread reads or writes is of another: an address has no bit that could name the other's part.
// `clear_i` wipes the part of a thread and every register that held a word of it, in 512 cycles during which it must stay
// high. A thread's memory is zero when its program starts.
module pka_core
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  pka_threads_t     clear_i,
  input  logic             whole_i,

  input  pka_threads_t     start_i,
  input  logic [10:0]      entry_i,
  input  logic [Threads-1:0][7:0][15:0] parameter_i,
  input  pka_threads_t     stop_i,
  output pka_threads_t     end_o,
  output logic [Threads-1:0][7:0] status_o,

  // Bytes of the thread that the converter works for. A result begins to leave with `out_o`, if it may.
  input  pka_threads_t     may_out_i,
  output pka_threads_t     out_o,
  output pka_thread_t      byte_thread_o,
  input  logic             byte_valid_i,
  input  logic [7:0]       byte_i,
  output logic             byte_take_o,
  output logic             byte_valid_o,
  output logic [7:0]       byte_o,
  input  logic             byte_take_i
);
  pka_threads_t                multiply, multiply_ready, multiply_last, multiply_write, multiply_hold;
  pka_multiply_t [Threads-1:0] multiply_op;
  pka_address_t  [Threads-1:0] multiply_address;
  pka_word_t     [Threads-1:0] multiply_word, words_a, words_b, words_c, word_c;
  logic          read_ab, read_a, bank_a_q, bank_b_q, bank_c_q;
  pka_thread_t   thread_ab;
  pka_address_t  address_a, address_b;
  pka_threads_t                step_read, step_constant, fetch;
  pka_address_t  [Threads-1:0] step_address;
  pka_word_t     [Threads-1:0] constant;
  logic [Threads-1:0][10:0]    fetch_address;
  logic [Threads-1:0][31:0]    instruction;

  pka_multiplier #(.Rows(Rows)) u_multiplier (
    .clk_i, .rst_ni, .stop_i, .clear_i,
    .start_i    (multiply),
    .multiply_i (multiply_op),
    .ready_o    (multiply_ready),
    .last_o     (multiply_last),
    .read_o     (read_ab),
    .read_a_o   (read_a),
    .thread_o   (thread_ab),
    .address_a_o(address_a),
    .address_b_o(address_b),
    .word_a_i   (words_a[bank_a_q]),
    .word_b_i   (words_b[bank_b_q]),
    .write_o        (multiply_write),
    .hold_o         (multiply_hold),
    .write_address_o(multiply_address),
    .write_word_o   (multiply_word)
  );

  pka_rom u_rom (
    .clk_i,
    .fetch_i        (fetch),
    .fetch_address_i(fetch_address),
    .instruction_o  (instruction),
    .read_i         (step_read & step_constant),
    .address_i      (step_address),
    .constant_o     (constant)
  );

  // ---- Bytes. The converter works for one thread at a time; one that wants it waits. Thread 1 also waits while thread 0
  // is about to begin: whether it begins in this cycle comes late in it.
  pka_threads_t               bytes_in, bytes_out, bytes_wanted;
  pka_address_t [Threads-1:0] bytes_address;
  logic [Threads-1:0][9:0]    bytes_count;
  logic [Threads-1:0][5:0]    bytes_words;
  logic                       bytes_ready, bytes_read, bytes_write;
  pka_address_t               bytes_read_address, bytes_write_address;
  pka_word_t                  bytes_word;
  pka_thread_t                bytes_next, bytes_thread_q;
  assign bytes_next    = !bytes_wanted[0];
  assign out_o         = bytes_out;
  assign byte_thread_o = bytes_thread_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) bytes_thread_q <= '0;
    else if (|bytes_in || |bytes_out) bytes_thread_q <= bytes_next;
  end
  // A thread may be stopped in the cycle in which it begins with a number, too. The result of a failed job is zeros.
  pka_bytes u_bytes (
    .clk_i, .rst_ni,
    .stop_i   (stop_i[bytes_ready ? bytes_next : bytes_thread_q]),
    .clear_i  (|clear_i),
    .in_i     (|bytes_in),
    .out_i    (|bytes_out),
    .address_i(bytes_address[bytes_next]),
    .count_i  (bytes_count[bytes_next]),
    .words_i  (bytes_words[bytes_next]),
    .blank_i  (status_o[bytes_thread_q] != '0),
    .ready_o  (bytes_ready),
    .byte_valid_i, .byte_i, .byte_take_o, .byte_valid_o, .byte_o, .byte_take_i,
    .read_o         (bytes_read),
    .read_address_o (bytes_read_address),
    .word_i         (word_c[bytes_thread_q]),
    .write_o        (bytes_write),
    .write_address_o(bytes_write_address),
    .write_word_o   (bytes_word)
  );

  // ---- Threads. What they ask of their memory: with the write port, the multiplier has priority over the adder, and
  // bytes move only while the units are idle.
  pka_threads_t               read_c, write;
  pka_address_t [Threads-1:0] address_c, write_address;
  pka_word_t    [Threads-1:0] write_word;
  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    logic          step, step_ready, step_reading, step_write, flag, mine;
    logic [1:0]    step_pending;
    logic [3:0]    idx;
    pka_step_t     step_op;
    pka_address_t  step_write_address;
    pka_word_t     step_word;
    assign mine = bytes_thread_q == pka_thread_t'(t);

    pka_sequencer #(.Passes(Digits / Rows)) u_sequencer (
      .clk_i, .rst_ni,
      .start_i         (start_i[t]),
      .entry_i,
      .parameter_i     (parameter_i[t][3:0]),   // no program has more
      .stop_i          (stop_i[t]),
      .end_o           (end_o[t]),
      .fetch_o         (fetch[t]),
      .fetch_address_o (fetch_address[t]),
      .instruction_i   (instruction[t]),
      .status_o        (status_o[t]),
      .multiply_o      (multiply[t]),
      .multiply_op_o   (multiply_op[t]),
      .multiply_ready_i(multiply_ready[t]),
      .multiply_last_i (multiply_last[t]),
      .step_o          (step),
      .step_op_o       (step_op),
      .step_ready_i    (step_ready),
      .step_reading_i  (step_reading),
      .step_pending_i  (step_pending),
      .flag_i          (flag),
      .idx_i           (idx),
      .bytes_wanted_o  (bytes_wanted[t]),
      .bytes_in_o      (bytes_in[t]),
      .bytes_out_o     (bytes_out[t]),
      .bytes_address_o (bytes_address[t]),
      .bytes_count_o   (bytes_count[t]),
      .bytes_words_o   (bytes_words[t]),
      .bytes_busy_i    (!bytes_ready && mine),
      .bytes_free_i    (bytes_ready && (t == 0 || !bytes_wanted[0])),
      .may_out_i       (may_out_i[t])
    );

    pka_adder u_adder (
      .clk_i,
      .rst_ni         (rst_ni && !stop_i[t]),
      .clear_i        (clear_i[t]),
      .start_i        (step),
      .step_i         (step_op),
      .ready_o        (step_ready),
      .reading_o      (step_reading),
      .pending_o      (step_pending),
      .hold_i         (multiply_hold[t]),
      .read_o         (step_read[t]),
      .address_o      (step_address[t]),
      .constant_o     (step_constant[t]),
      .words_i        (words_c),
      .part_i         (t == 0 ? bank_c_q : pka_thread_t'(t)),
      .constant_i     (constant[t]),
      .write_o        (step_write),
      .write_address_o(step_write_address),
      .write_word_o   (step_word),
      .flag_o         (flag),
      .idx_o          (idx)
    );

    logic bytes_reads, bytes_writes;
    assign bytes_reads  = bytes_read && mine;
    assign bytes_writes = bytes_write && mine;
    assign read_c[t]    = (step_read[t] && !step_constant[t]) || bytes_reads;
    assign address_c[t] = bytes_reads ? bytes_read_address : step_address[t];
    always_comb begin
      write[t]         = multiply_write[t] || step_write || bytes_writes;
      write_address[t] = bytes_write_address;
      write_word[t]    = bytes_word;
      if (multiply_write[t]) begin
        write_address[t] = multiply_address[t];
        write_word[t]    = multiply_word[t];
      end else if (step_write) begin
        write_address[t] = step_write_address;
        write_word[t]    = step_word;
      end
    end
  end

  // ---- Memory. Part b is of thread b, or with `whole_i` of thread 0, whose addresses then have one bit more.
  function automatic logic is_in(int part, pka_thread_t thread, pka_address_t address, logic whole);
    return whole ? thread == '0 && address[PartWidth] == 1'(part) : thread == pka_thread_t'(part);
  endfunction
  always_ff @(posedge clk_i) begin
    if (read_ab) begin
      bank_a_q <= whole_i ? address_a[PartWidth] : thread_ab;
      bank_b_q <= whole_i ? address_b[PartWidth] : thread_ab;
    end
    if (read_c[0]) bank_c_q <= whole_i && address_c[0][PartWidth];
  end
  assign word_c = {words_c[1], words_c[bank_c_q]};

  for (genvar b = 0; b < Threads; b++) begin : gen_part
    pka_thread_t from;
    pka_place_t  clear_address_q;
    assign from = whole_i ? '0 : pka_thread_t'(b);
    always_ff @(posedge clk_i) clear_address_q <= clear_i[b] ? clear_address_q + 1'b1 : '0;
    pka_memory u_memory (
      .clk_i,
      .read_a_i       (read_a && is_in(b, thread_ab, address_a, whole_i)),
      .address_a_i    (pka_place_t'(address_a)),
      .read_b_i       (read_ab && is_in(b, thread_ab, address_b, whole_i)),
      .address_b_i    (pka_place_t'(address_b)),
      .word_a_o       (words_a[b]),
      .word_b_o       (words_b[b]),
      .read_c_i       (read_c[from] && is_in(b, from, address_c[from], whole_i)),
      .address_c_i    (pka_place_t'(address_c[from])),
      .word_c_o       (words_c[b]),
      .write_i        (clear_i[b] || (write[from] && is_in(b, from, write_address[from], whole_i))),
      .write_address_i(clear_i[b] ? clear_address_q : pka_place_t'(write_address[from])),
      .write_word_i   (clear_i[b] ? '0 : write_word[from])
    );
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    for (int t = 0; t < Threads; t++) begin
      assert (!rst_ni || !clear_i[t] || !write[t]) else $error("pka: a thread writes to memory that is being wiped.");
      assert (!rst_ni || !clear_i[t] || bytes_ready || bytes_thread_q != pka_thread_t'(t))
        else $error("pka: a thread that has ended has the converter of bytes.");
    end
    assert (!rst_ni || $onehot0(bytes_in | bytes_out)) else $error("pka: two threads have the converter of bytes.");
    assert (!rst_ni || !whole_i || !(read_c[1] || write[1] || (read_ab && thread_ab == 1'b1)))
      else $error("pka: a thread works while another has all of memory.");
  end
`endif
endmodule

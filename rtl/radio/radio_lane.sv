// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One lane: processes one job with a cipher generator and a MAC generator, one 32-bit word per cycle.
//
// The starter gives a job to a free lane (`take_i`),
// loads the generators and starts them; after that the lane pops its stream's words itself. A MAC of the plaintext is
// enciphered with the keystream after that of the payload, as PDCP does (TS 36.323 5.6, TS 38.323 5.8). After the
// payload the words of the tag are processed: output with APPEND_TAG, compared with the expected tag with DECRYPT.
// Between two input words, when no word of the job is in the lane (`quiet_o`), the job can be parked: on `park_i`
// `context_o` is stored elsewhere and the lane is free; `resume_i` continues from `context_i` in an idle lane. While
// `stop_i` is high the lane requests no more words, so that it becomes quiet. It requests a word only when there is
// room for the output of that word, so words in the lane never wait for room. Requests (`pop_o`, `out_valid_o`,
// `done_valid_o`) are registers and hold until they are granted; an abort withdraws them. No output depends
// combinationally on an input, so the clock of a lane without a job can stop (outwork_top.sv).
module radio_lane
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import radio_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  output logic                  free_o,        // may be given a job
  output logic                  idle_o,        // free and wiped
  input  logic                  take_i,
  input  radio_job_t            job_i,
  input  logic                  load_cipher_i,
  input  logic                  load_mac_i,
  input  cells_t                cells_i,
  input  logic                  start_i,

  input  logic                  stop_i,
  output logic                  quiet_o,
  output logic                  starving_o,    // quiet for so long that its words are late
  output logic                  long_o,        // more than a few words are left
  input  logic                  park_i,        // with quiet_o
  output radio_context_t        context_o,
  input  logic                  resume_i,      // with idle_o
  input  radio_context_t        context_i,

  input  logic [NumStreams-1:0] in_available_i,
  output logic                  pop_o,
  output ow_stream_t            stream_o,      // of all requests
  input  logic                  pop_ready_i,
  input  logic [127:0]          in_word_i,     // in the cycle after the grant

  input  logic [NumStreams-1:0] out_room_i,
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,

  output logic                  done_valid_o,
  input  logic                  done_ready_i,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,

  input  logic [NumStreams-1:0] abort_i
);
  typedef enum logic [2:0] {Idle, Load, Run, Finish, Tail, Drain, Done, Wipe} state_e;
  state_e      state_q;
  radio_job_t  job_q;
  logic        aborted_q, mismatch_q;
  logic        cipher, mac, verify, wipe;

  assign cipher   = job_q.cipher != AlgNone;
  assign mac      = job_q.mac != AlgNone;
  assign verify   = mac && job_q.decrypt;
  assign idle_o   = state_q == Idle;
  assign free_o   = idle_o || state_q == Wipe;
  assign stream_o = job_q.stream;

  // ---- The generators and the MAC.
  logic        cipher_ready, cipher_next, mac_key_ready, mac_key_next;
  logic [31:0] cipher_key, mac_key;
  generator_state_t cipher_state, mac_key_state;
  mac_state_t       mac_state;
  radio_generator u_cipher (
    .clk_i, .rst_ni,
    .load_i   (load_cipher_i),
    .cells_i  (cells_i),
    .start_i  (start_i && cipher),
    .snow3g_i (job_q.cipher == AlgSnow3g),
    .next_i   (cipher_next),
    .ready_o  (cipher_ready),
    .word_o   (cipher_key),
    .state_o  (cipher_state),
    .restore_i(resume_i && context_i.job.cipher != AlgNone),
    .state_i  (context_i.cipher),
    .wipe_i   (wipe)
  );
  radio_generator u_mac_key (
    .clk_i, .rst_ni,
    .load_i   (load_mac_i),
    .cells_i  (cells_i),
    .start_i  (start_i && mac),
    .snow3g_i (job_q.mac == AlgSnow3g),
    .next_i   (mac_key_next),
    .ready_o  (mac_key_ready),
    .word_o   (mac_key),
    .state_o  (mac_key_state),
    .restore_i(resume_i && context_i.job.mac != AlgNone),
    .state_i  (context_i.mac_key),
    .wipe_i   (wipe)
  );

  logic         go, last;         // a word of payload is processed; it is the last one
  logic         mac_valid, mac_ready, mac_idle, mac_done;
  logic [31:0]  mac_word;
  logic [127:0] tag;
  logic [2:0]   tag_words;
  logic [35:0]  length_bits_q;
  assign tag_words = job_q.tag_bytes[4:2];
  radio_mac u_mac (
    .clk_i, .rst_ni,
    .active_i   (mac && !free_o),
    .alg_i      (job_q.mac),
    .tag_words_i(tag_words),
    .length_i   (length_bits_q),
    .key_ready_i(mac_key_ready),
    .key_i      (mac_key),
    .key_next_o (mac_key_next),
    .valid_i    (mac_valid),
    .ready_o    (mac_ready),
    .word_i     (mac_word),
    .last_i     (last),
    .idle_o     (mac_idle),
    .end_i      (state_q == Finish),
    .done_o     (mac_done),
    .tag_o      (tag),
    .state_o    (mac_state),
    .restore_i  (resume_i && context_i.job.mac != AlgNone),
    .state_i    (context_i.mac),
    .wipe_i     (wipe)
  );

  // ---- Input: the word in use and the next one; the present 32-bit word is in the lowest bits.
  logic [127:0] head_q, next_q;
  logic         head_have_q, next_have_q, pop_q, popped_q;
  logic [1:0]   place_q;           // 32-bit words of the word in use that have been processed
  logic [28:0]  pops_q;            // words to request, with those of the expected tag
  logic         head_done, hungry;
  logic [2:0]   held;
  // Words in the lane and granted pops, at most two. In the load state the words belong to the starter.
  // `in_available_i` includes a pop only one cycle after its grant, so there is a cycle between two requests.
  assign held   = 3'(head_have_q) + 3'(next_have_q) + 3'(popped_q) - 3'(head_done);
  logic         room_q;
  assign hungry = !pop_q && pops_q != '0 && held < 3'd2 && state_q inside {Run, Finish, Tail} && !stop_i &&
                  (room_q || !cipher);
  assign pop_o  = pop_q;

  // ---- A word of payload.
  logic [30:0] words_q;            // left
  logic [5:0]  last_bits_q;        // of the last word: 1 to 32
  logic [1:0]  skip_q;             // words at the start that stay in clear
  logic        border_q;           // the next enciphered word is the first, and its first `shift` bytes stay in clear
  logic [1:0]  shift;
  logic [2:0]  spare, tag_shift;
  logic        out_ready, ends_word, tail_go, tail_last;
  logic [31:0] previous_q;         // keystream
  logic [1:0]  beat_q;             // word of the tag
  assign shift = job_q.iv.control.clear_bytes[1:0];
  // Bytes of the last word that the payload does not use, 0 to 3. If it ends before the position of the clear bytes in
  // the word, the tag begins in the previous keystream word.
  assign spare     = 3'd4 - last_bits_q[5:3];
  assign tag_shift = 3'(shift) + spare;
  logic keep;
  assign keep = tag_shift > 3'd4;

  assign go   = state_q == Run && words_q != '0 && head_have_q && (!cipher || (cipher_ready && out_ready)) &&
                (!mac || mac_ready);
  assign last = words_q == 31'd1;
  assign mac_valid = go && mac;

  logic        through, enciphered_tag;
  logic [2:0]  key_shift;
  logic [31:0] word, key, mixed, tag_word;
  assign enciphered_tag = cipher && !job_q.iv.control.mac_of_ciphertext;
  assign key_shift      = state_q == Run ? 3'(shift) : keep ? tag_shift - 3'd4 : tag_shift;
  assign through        = skip_q != '0;
  assign tag_word       = tag[127-32*beat_q -: 32];
  always_comb begin
    word     = '0;
    key      = '0;
    mixed    = '0;
    mac_word = '0;
    if (go || tail_go) begin
      word = swap32(head_q[31:0]);
      if (cipher) key = 32'({previous_q, cipher_key} >> {key_shift, 3'd0});
      if (go && through) key = '0;
      if (go && border_q) key = key & (32'hffffffff >> {shift, 3'd0});
      mixed = word ^ key;
      if (last) mixed = first_bits(mixed, last_bits_q);
      mac_word = job_q.decrypt == job_q.iv.control.mac_of_ciphertext ? word : mixed;
      if (last) mac_word = first_bits(mac_word, last_bits_q);
      if (tail_go && job_q.append) mixed = tag_word ^ (enciphered_tag ? key : '0);
      if (tail_go && verify) mixed = word ^ (enciphered_tag ? key : '0);
    end
  end
  assign cipher_next = (go && cipher && !through && !(last && keep)) || (tail_go && enciphered_tag);
  assign head_done   = (go && (last || place_q == 2'd3)) || (tail_go && verify && tail_last);

  // ---- The tag.
  assign tail_go   = state_q == Tail && (verify ? head_have_q : out_ready);
  assign tail_last = beat_q == 2'(tag_words - 3'd1);

  // ---- Output: the word being filled, and the word that waits for its grant.
  logic [127:0] fill_q, send_q, filled;
  logic [4:0]   send_bytes_q;
  logic         sending_q, produce;
  assign ends_word   = state_q == Run ? last || place_q == 2'd3 : tail_last;
  assign out_ready   = !ends_word || !sending_q;
  assign out_valid_o = sending_q;
  assign out_data_o  = send_q;
  assign out_bytes_o = send_bytes_q;
  assign produce     = (go && cipher) || (tail_go && job_q.append);
  always_comb begin
    filled = '0;
    if (produce) begin
      filled = fill_q;
      filled[{state_q == Run ? place_q : beat_q, 5'd0} +: 32] = swap32(mixed);
    end
  end

  // ---- Parking. No word is in the lane, so none is partly used or partly filled.
  localparam logic [4:0] Late = 5'd31;   // cycles
  logic [4:0] waited_q;
  logic       quiet;
  assign quiet = ((state_q == Run && words_q != '0) || (state_q == Tail && verify)) &&
                 !head_have_q && !next_have_q && !pop_q && !popped_q && !sending_q && beat_q == '0 &&
                 (!cipher || cipher_ready) && (!mac || (mac_idle && mac_key_ready));
  assign quiet_o    = quiet && !abort_i[job_q.stream];
  assign starving_o = quiet_o && waited_q == Late;
  assign long_o     = pops_q > 29'd8;
  assign context_o  = '{
    job: job_q, tail: state_q == Tail, pops: pops_q, words: words_q, last_bits: last_bits_q,
    length_bits: length_bits_q, skip: skip_q, border: border_q, previous: previous_q,
    cipher: cipher_state, mac_key: mac_key_state, mac: mac_state
  };
  always_ff @(posedge clk_i) begin
    if (!quiet) waited_q <= '0;
    else if (waited_q != Late) waited_q <= waited_q + 1'b1;
  end

  // ---- The result.
  logic         refused;
  logic [127:0] tag_bytes;
  assign refused       = verify && mismatch_q;
  assign done_valid_o  = state_q == Done;
  assign done_status_o = aborted_q ? StAborted : refused ? StAuthFailed : StOk;
  always_comb begin
    tag_bytes = '0;
    if (state_q == Done && mac && !aborted_q && !refused) begin
      for (int unsigned k = 0; k < 4; k++) begin
        if (k < 32'(tag_words)) tag_bytes[32*k +: 32] = swap32(tag[127-32*k -: 32]);
      end
    end
  end
  assign done_tag_o = tag_bytes;
  assign wipe       = state_q == Wipe;

  // ---- The job and its state.
  logic        begins, gives_up, ends;   // a new or parked job begins; it is aborted; it ends and must be wiped
  logic [35:0] bits;
  assign begins   = free_o && (take_i || resume_i);
  assign gives_up = abort_i[job_q.stream] && state_q != Done;
  assign ends     = park_i || gives_up || (state_q == Done && done_ready_i);
  assign bits     = {1'b0, job_i.length, 3'd0} -
                    (job_i.iv.control.last_bits == '0 ? 36'd0 : 36'd8 - 36'(job_i.iv.control.last_bits));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else if (free_o) begin
      state_q <= resume_i ? (context_i.tail ? Tail : Run) : take_i ? Load : Idle;
      if (begins) begin
        job_q         <= take_i ? job_i : context_i.job;
        length_bits_q <= take_i ? bits : context_i.length_bits;
        aborted_q     <= 1'b0;
        mismatch_q    <= 1'b0;
      end
    end else begin
      unique case (state_q)
        Load:    if (start_i) state_q <= Run;
        Run:     if (words_q == '0 || (go && last)) state_q <= mac ? Finish : Drain;
        Finish:  if (mac_done) state_q <= job_q.append || verify ? Tail : Drain;
        Tail:    if (tail_go && tail_last) state_q <= Drain;
        Drain:   if (!sending_q || out_ready_i) state_q <= Done;
        default: if (done_ready_i) state_q <= Wipe;
      endcase
      if (tail_go && verify && mixed != tag_word) mismatch_q <= 1'b1;
      if (gives_up) begin
        state_q   <= Done;
        aborted_q <= 1'b1;
      end
      if (park_i) state_q <= Wipe;
    end
  end

  // ---- Input words.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (!free_o && ends)) begin
      head_q      <= '0;
      next_q      <= '0;
      head_have_q <= 1'b0;
      next_have_q <= 1'b0;
      pop_q       <= 1'b0;
      popped_q    <= 1'b0;
    end else if (!free_o) begin
      if (pop_q) pop_q <= !pop_ready_i;
      else       pop_q <= hungry && in_available_i[job_q.stream];
      popped_q <= pop_q && pop_ready_i;
      if (head_done || !head_have_q) begin
        head_q      <= next_have_q ? next_q : popped_q ? in_word_i : head_q;
        head_have_q <= next_have_q || popped_q;
        next_have_q <= next_have_q && popped_q;
      end else begin
        if (go || (tail_go && verify)) head_q <= head_q >> 32;
        if (popped_q) next_have_q <= 1'b1;
      end
      if (popped_q) next_q <= in_word_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) begin
      place_q <= '0;
      pops_q  <= context_i.pops;
      if (take_i) pops_q <= 29'((33'(job_i.length) + 33'd15) >> 4) + 29'(job_i.decrypt && job_i.mac != AlgNone);
    end else if (!free_o) begin
      if (go) place_q <= head_done ? '0 : place_q + 1'b1;
      if (hungry && in_available_i[job_q.stream]) pops_q <= pops_q - 1'b1;
    end
  end

  // ---- Words of payload and their keystream.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (!free_o && ends)) previous_q <= '0;
    else if (free_o && resume_i) previous_q <= context_i.previous;
    else if (cipher_next) previous_q <= cipher_key;
  end
  always_ff @(posedge clk_i) begin
    if (free_o && take_i) begin
      skip_q   <= job_i.iv.control.clear_bytes[3:2];
      border_q <= 1'b1;
      words_q     <= 31'((bits + 36'd31) >> 5);
      last_bits_q <= bits[4:0] == '0 ? 6'd32 : {1'b0, bits[4:0]};
    end else if (begins) begin
      skip_q      <= context_i.skip;
      border_q    <= context_i.border;
      words_q     <= context_i.words;
      last_bits_q <= context_i.last_bits;
    end else if (go) begin
      words_q <= words_q - 1'b1;
      if (cipher && through) skip_q <= skip_q - 1'b1;
      else if (cipher) border_q <= 1'b0;
    end
  end

  // ---- Output words.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (!free_o && ends)) begin
      fill_q    <= '0;
      send_q    <= '0;
      sending_q <= 1'b0;
    end else if (!free_o) begin
      if (produce && ends_word) begin
        send_q    <= filled;
        sending_q <= 1'b1;
      end else if (out_ready_i) begin
        sending_q <= 1'b0;
      end
      if (produce) fill_q <= ends_word ? '0 : filled;
    end
  end
  always_ff @(posedge clk_i) begin
    room_q <= !free_o && out_room_i[job_q.stream];
    if (begins) beat_q <= '0;
    else if (tail_go) beat_q <= beat_q + 1'b1;
    if (produce && ends_word) begin
      send_bytes_q <= tail_go ? job_q.tag_bytes : last && job_q.length[3:0] != '0 ? {1'b0, job_q.length[3:0]} : 5'd16;
    end
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One lane: processes one job with a cipher generator and a MAC generator, one 32-bit word per cycle.
//
// The starter gives a job to a free lane (`take_i`), loads the generators and starts them; after that the lane pops its
// stream's words itself. A MAC of the plaintext is enciphered with the keystream after that of the payload, as PDCP does
// (TS 36.323 5.6, TS 38.323 5.8). After the payload the words of the tag are processed: output with APPEND_TAG, compared
// with the expected tag with DECRYPT. Between two input words, when no word of the job is in the lane (`quiet_o`), the job
// can be parked: after `park_i` `shift_next_i` moves it out through `chain_o`, and with `moved_i` the lane is free. After
// `resume_i` a parked job is moved into an idle lane, where it continues. While `stop_i` is high the lane requests no more
// words, so that it becomes quiet. It requests a word only when there is room for the output of that word, so words in the
// lane never wait for room. Requests (`pop_o`, `out_valid_o`, `done_valid_o`) are registers and hold until they are
// granted; an abort withdraws them. No output depends combinationally on an input, so the clock of a lane without a job
// can stop (outwork_top.sv).
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
  input  ow_stream_t            take_stream_i,
  input  radio_context_t        context_i,
  input  logic                  load_cipher_i,
  input  logic                  load_mac_i,
  input  load_t                 cells_i,
  input  logic                  start_i,

  input  logic                  stop_i,
  output logic                  quiet_o,       // a cycle late
  output logic                  starving_o,    // quiet for so long that its words are late
  output logic                  long_o,        // more than a few words are left
  input  logic                  park_i,        // with quiet_o
  input  logic                  resume_i,      // with idle_o
  input  ow_stream_t            resume_stream_i,
  input  logic                  shift_next_i,  // these three: for the lane whose job is moved; in the next cycle
  input  logic                  shift_rest_next_i,
  input  logic                  moved_i,
  input  chain_word_t           chain_i,
  output chain_word_t           chain_o,

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
  output logic [127:0]          done_tag_o,    // its first words
  output logic [3:0]            done_tag_has_o,

  input  logic [NumStreams-1:0] abort_i
);
  typedef enum logic [3:0] {Idle, Load, Run, Finish, Tail, Drain, Done, Wipe, Park, Resume} state_e;
  state_e      state_q;
  lane_job_t   job_q;
  logic [10:0] pass_q;
  ow_stream_t  stream_q;
  logic        aborted_q, mismatch_q;
  logic        cipher, mac, verify, refused, wipe, gives_up;

  // What the job is, a cycle after `job_q`: many wait for it.
  logic       cipher_snow3g, mac_snow3g, mac_zuc256;
  logic [3:0] tag_has_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < 4; k++) tag_has_q[k] <= job_q.mac != AlgNone && k < 32'(job_q.tag_bytes[4:2]);
    cipher        <= job_q.cipher != AlgNone;
    mac           <= job_q.mac != AlgNone;
    cipher_snow3g <= job_q.cipher == AlgSnow3g;
    mac_snow3g    <= job_q.mac == AlgSnow3g;
    mac_zuc256    <= job_q.mac == AlgZuc256;
  end
  assign verify   = mac && job_q.decrypt;
  assign idle_o   = state_q == Idle;
  assign free_o   = idle_o || state_q == Wipe;
  assign stream_o = stream_q;

  // ---- The generators and the MAC.
  logic        cipher_ready, cipher_next, mac_key_ready, mac_key_next;
  logic [31:0] cipher_key, mac_key;
  logic        moving, resume, shift, shift_rest;
  radio_context_t present, start;
  assign moving     = state_q inside {Park, Resume};
  // Registers, because all of the chains wait for them.
  always_ff @(posedge clk_i) begin
    shift      <= rst_ni && moving && shift_next_i;
    shift_rest <= rst_ni && moving && shift_rest_next_i;
  end
  assign resume     = state_q == Resume && moved_i;
  radio_generator u_cipher (
    .clk_i, .rst_ni,
    .load_i   (load_cipher_i),
    .cells_i  (cells_i),
    .start_i  (start_i && cipher),
    .snow3g_i (cipher_snow3g),
    .next_i   (cipher_next),
    .ready_o  (cipher_ready),
    .word_o   (cipher_key),
    .shift_i  (shift),
    .chain_i  (chain_i.cipher),
    .chain_o  (chain_o.cipher),
    .resume_i (resume && cipher),
    .wipe_i   (wipe)
  );
  radio_generator u_mac_key (
    .clk_i, .rst_ni,
    .load_i   (load_mac_i),
    .cells_i  (cells_i),
    .start_i  (start_i && mac),
    .snow3g_i (mac_snow3g),
    .next_i   (mac_key_next),
    .ready_o  (mac_key_ready),
    .word_o   (mac_key),
    .shift_i  (shift),
    .chain_i  (chain_i.mac_key),
    .chain_o  (chain_o.mac_key),
    .resume_i (resume && mac),
    .wipe_i   (wipe)
  );

  logic         go;               // a word of payload is processed
  logic         sending_q;        // an output word waits for its grant
  logic         more_q, last_q;   // words of payload are left; only one is
  logic         mac_ready, mac_idle, mac_done;
  logic [31:0]  mac_word;
  logic [127:0] tag;
  logic [2:0]   tag_words;
  logic [30:0]  words_q;           // of payload, left
  assign tag_words = job_q.tag_bytes[4:2];
  radio_mac u_mac (
    .clk_i, .rst_ni,
    .active_i   (mac && !free_o),
    .snow3g_i   (mac_snow3g),
    .zuc256_i   (mac_zuc256),
    .tag_words_i(tag_words),
    .length_i   (job_q.length_bits),
    .key_ready_i(mac_key_ready),
    .key_i      (mac_key),
    .key_next_o (mac_key_next),
    .valid_i    (go && mac),
    .ready_o    (mac_ready),
    .word_i     (mac_word),
    .last_i     (last_q),
    .idle_o     (mac_idle),
    .end_i      (state_q == Finish),
    .done_o     (mac_done),
    .tag_o      (tag),
    .shift_i    (shift_rest),
    .chain_i    (present[31:0]),
    .chain_o    (chain_o.rest),
    .resume_i   (resume && mac),
    .resume_half_i(words_q[0] ^ job_q.length_bits[5] ^ |job_q.length_bits[4:0]),
    .wipe_i     (wipe)
  );

  // ---- Input: the word in use and the next one; the present 32-bit word is in the lowest bits.
  logic [127:0] head_q, next_q;
  logic         head_have_q, next_have_q, pop_q, popped_q, room_q;
  logic [1:0]   place_q;           // 32-bit words of the word in use that have been processed
  logic [28:0]  pops_q;            // words to request, with those of the expected tag
  logic [1:0]   held;
  logic         head_done, hungry;
  // Words in the lane and granted pops, at most two. In the load state the words belong to the starter.
  // `in_available_i` includes a pop only one cycle after its grant, so there is a cycle between two requests.
  assign held   = 2'(head_have_q) + 2'(next_have_q) + 2'(popped_q);
  assign hungry = !pop_q && pops_q != '0 && (held < 2'd2 || (held == 2'd2 && head_done)) &&
                  state_q inside {Run, Finish, Tail} && !stop_i && (room_q || !cipher);
  assign pop_o  = pop_q;

  // ---- A word of payload.
  logic [5:0]  last_bits;          // of the last word: 1 to 32
  logic [1:0]  skip_q;             // words at the start that stay in clear
  logic        border_q;           // the next enciphered word is the first, and its first `shift` bytes stay in clear
  logic [2:0]  tag_shift_q;
  logic        ends_word, tail_go, tail_last, keep;
  logic [31:0] previous_q;         // keystream
  logic [1:0]  beat_q, fill_place, key_shift_q;   // word of the tag, of the output; bytes of `previous_q` that are used
  logic        whole_q;            // the last word has 32 bits
  assign last_bits = {whole_q, job_q.length_bits[4:0]};
  // The tag is shifted by what the payload leaves free of the last word too. If it needs no keystream beyond that of the
  // word before, the last word does not take the next one, with which the tag begins.
  always_ff @(posedge clk_i) begin
    whole_q     <= job_q.length_bits[4:0] == '0;
    tag_shift_q <= 3'(job_q.shift) + (3'd4 - last_bits[5:3]);
    key_shift_q <= state_q inside {Finish, Tail} ? tag_shift_q[1:0] : job_q.shift;
  end
  assign keep = tag_shift_q[2];
  // A word that ends a word of the output needs room for it.
  assign ends_word = last_q || place_q == 2'd3;
  assign go   = state_q == Run && more_q && head_have_q && (!cipher || (cipher_ready && !(ends_word && sending_q))) &&
                (!mac || mac_ready);

  logic        through, enciphered_tag;
  logic [31:0] word, key, mixed, tag_word;
  assign enciphered_tag = cipher && !job_q.mac_of_ciphertext;
  assign through        = skip_q != '0;
  assign tag_word       = tag[127-32*beat_q -: 32];
  // Of no effect without `go` or `tail_go`.
  always_comb begin
    word = swap32(head_q[31:0]);
    key  = cipher ? 32'({previous_q, cipher_key} >> {key_shift_q, 3'd0}) : '0;
    if (state_q == Run && through) key = '0;
    if (state_q == Run && border_q) key = key & (32'hffffffff >> {job_q.shift, 3'd0});
    mixed = word ^ key;
    mac_word = job_q.decrypt == job_q.mac_of_ciphertext ? word : mixed;
    if (last_q) begin
      mixed    = first_bits(mixed, last_bits);
      // ZUC appends a one to the message.
      mac_word = first_bits(mac_word, last_bits) | (job_q.mac != AlgSnow3g ? bit_behind(last_bits) : '0);
    end
    if (state_q == Tail) mixed = (verify ? word : tag_word) ^ (enciphered_tag ? key : '0);
  end
  // `keep`: the mapper would put what is known early behind `go`.
  (* keep *) logic go_takes, tail_takes;
  assign go_takes    = cipher && !through && !(last_q && keep);
  assign tail_takes  = tail_go && enciphered_tag;
  assign cipher_next = (go && go_takes) || tail_takes;
  assign head_done   = (go && ends_word) || (tail_go && verify && tail_last);

  // ---- The tag.
  assign tail_go   = state_q == Tail && (verify ? head_have_q : !(tail_last && sending_q));
  assign tail_last = beat_q == 2'(tag_words - 3'd1);
  logic [3:0] differs_q;           // bytes of a word of the tag and the expected one
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < 4; i++) begin
      differs_q[i] <= rst_ni && tail_go && verify && mixed[8*i +: 8] != tag_word[8*i +: 8];
    end
  end

  // ---- Output: the word being filled, and the word that waits for its grant.
  logic [2:0][31:0] fill_q;
  logic [3:0][31:0] send_q, filled;
  logic         produce, produce_last;
  assign {out_valid_o, out_data_o} = {sending_q, send_q};
  assign produce      = (go && cipher) || (tail_go && job_q.append);
  assign produce_last = (go && cipher && ends_word) || (tail_go && job_q.append && tail_last);
  assign fill_place   = state_q == Tail ? beat_q : place_q;
  always_comb begin
    filled = {swap32(mixed), fill_q};
    for (int k = 0; k < 3; k++) if (fill_place == 2'(k)) filled[k] = swap32(mixed);
  end

  // ---- Parking. No word is in the lane, so none is partly used or partly filled.
  localparam logic [4:0] Late = 5'd31;   // cycles
  logic [4:0] waited_q;
  logic       quiet, quiet_q, set;
  assign quiet = ((state_q == Run && more_q) || (state_q == Tail && verify)) &&
                 !head_have_q && !next_have_q && !pop_q && !popped_q && !sending_q && beat_q == '0 &&
                 (!cipher || cipher_ready) && (!mac || (mac_idle && mac_key_ready));
  assign quiet_o    = quiet_q;
  assign starving_o = quiet_q && waited_q == Late;
  assign long_o     = pops_q > 29'd8;
  assign present    = '{
    pass: pass_q, job: job_q, pops: pops_q, words: words_q, skip: skip_q, border: border_q, previous: previous_q
  };
  // A free lane always loads the context of the job that may be next; in a moved one the next word comes in.
  assign set        = free_o || shift_rest;
  assign start      = free_o ? context_i : radio_context_t'({chain_i.rest, present[$bits(present)-1:32]});
  always_ff @(posedge clk_i) begin
    // The lane is quiet in the next cycle too if nothing begins.
    quiet_q <= rst_ni && quiet && !(hungry && in_available_i[stream_q]) && !gives_up && !park_i;
    if (!quiet_q) waited_q <= '0;
    else if (waited_q != Late) waited_q <= waited_q + 1'b1;
  end

  // ---- The result.
  assign refused       = verify && mismatch_q;
  assign done_valid_o  = state_q == Done;
  assign done_status_o = aborted_q ? StAborted : refused ? StAuthFailed : StOk;
  assign done_tag_has_o = aborted_q || refused ? '0 : tag_has_q;
  always_comb begin
    for (int unsigned k = 0; k < 4; k++) done_tag_o[32*k +: 32] = swap32(tag[127-32*k -: 32]);
  end
  assign wipe       = state_q == Wipe;

  // ---- The job and its state.
  assign gives_up = abort_i[stream_q] && state_q != Done && !moving;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else if (free_o) begin
      state_q <= resume_i ? Resume : take_i ? Load : Idle;
      stream_q   <= take_i ? take_stream_i : resume_stream_i;
      aborted_q  <= 1'b0;
      mismatch_q <= 1'b0;
    end else begin
      unique case (state_q)
        Load:    if (start_i) state_q <= Run;
        Run:     if (!more_q || (go && last_q)) state_q <= mac ? Finish : Drain;
        Finish:  if (mac_done) state_q <= job_q.append || verify ? Tail : Drain;
        Tail:    if (tail_go && tail_last) state_q <= Drain;
        Drain:   if (!sending_q || out_ready_i) state_q <= Done;
        Park:    if (moved_i) state_q <= Wipe;
        // Without words left it waits for the expected tag.
        Resume:  if (moved_i) state_q <= more_q ? Run : Tail;
        default: if (done_ready_i) state_q <= Wipe;
      endcase
      if (differs_q != '0) mismatch_q <= 1'b1;
      if (gives_up) begin
        state_q   <= Done;
        aborted_q <= 1'b1;
      end
      if (park_i) state_q <= Park;
    end
  end

  // ---- Input words. They are cleared when the job has left the lane, and nothing uses them before.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || free_o || park_i || gives_up) begin
      pop_q    <= 1'b0;
      popped_q <= 1'b0;
    end else begin
      if (pop_q) pop_q <= !pop_ready_i;
      else       pop_q <= hungry && in_available_i[stream_q];
      popped_q <= pop_q && pop_ready_i;
    end
    if (!rst_ni || wipe) begin
      head_q      <= '0;
      next_q      <= '0;
      head_have_q <= 1'b0;
      next_have_q <= 1'b0;
    end else if (!free_o) begin
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
    if (free_o) place_q <= '0;
    else if (go) place_q <= head_done ? '0 : place_q + 1'b1;
    if (set) pops_q <= start.pops;
    else if (hungry && in_available_i[stream_q] && !park_i) pops_q <= pops_q - 1'b1;
  end

  // ---- Words of payload and their keystream.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe) previous_q <= '0;
    else if (set) previous_q <= start.previous;
    else if (cipher_next) previous_q <= cipher_key;
  end
  always_ff @(posedge clk_i) begin
    if (set) begin
      pass_q   <= start.pass;
      job_q    <= start.job;
      skip_q   <= start.skip;
      border_q <= start.border;
      words_q  <= start.words;
    end else if (go) begin
      words_q <= words_q - 1'b1;
      if (cipher && through) skip_q <= skip_q - 1'b1;
      else if (cipher) border_q <= 1'b0;
    end
  end

  // A cycle after a new value of `words_q`, which is set before the job runs.
  always_ff @(posedge clk_i) begin
    more_q <= go ? !last_q : words_q != '0;
    last_q <= words_q == (go ? 31'd2 : 31'd1);
  end

  // ---- Output words.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || gives_up) sending_q <= 1'b0;
    else if (produce_last)   sending_q <= 1'b1;
    else if (out_ready_i)    sending_q <= 1'b0;
    if (!rst_ni || wipe) begin
      fill_q <= '0;
      send_q <= '0;
    end else begin
      if (produce_last) send_q <= filled;
      for (int k = 0; k < 3; k++) if (produce && fill_place == 2'(k)) fill_q[k] <= swap32(mixed);
    end
  end
  always_ff @(posedge clk_i) begin
    room_q <= !free_o && out_room_i[stream_q];
    if (free_o) beat_q <= '0;
    else if (tail_go) beat_q <= beat_q + 1'b1;
    if (produce_last) begin
      out_bytes_o <= tail_go ? job_q.tag_bytes : last_q && job_q.last_bytes != '0 ? {1'b0, job_q.last_bytes} : 5'd16;
    end
  end
endmodule

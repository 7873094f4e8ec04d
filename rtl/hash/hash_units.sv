// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The units of all families, their store, and the assignment of lanes to units.
//
// The blocks of a lane are computed in order, so a lane has at most one block being computed and one in a buffer, both
// in the same unit. Uops have priority at the store's ports; the units use the other cycles, lower numbers first.
module hash_units
  import hash_pkg::*;
#(
  parameter int unsigned Sha256Units  = 4,
  parameter int unsigned Sha512Units  = 2,
  parameter int unsigned KeccakUnits  = 1,
  parameter int unsigned ShaRounds    = 2,   // per cycle
  parameter int unsigned KeccakRounds = 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // PICK: which lanes may send a word of a block, and the one that does.
  input  logic                active_i,      // there are jobs
  input  logic [NumFamilies-1:0][NumLanes-1:0] family_lanes_i,
  output logic [NumLanes-1:0] feedable_o,    // could in the cycle before
  output logic [NumLanes-1:0] quiet_o,       // no block of the lane is in a unit
  output logic [NumLanes-1:0] partial_o,     // the lane has only an incomplete block in a buffer
  output logic                wiped_o,       // no word is left in the buffers of SHA units
  input  logic                feed_i,        // a word will follow
  input  logic                feed_last_i,   // the last word of the block
  input  hash_lane_t          lane_i,
  input  hash_family_e        family_i,      // of that lane
  input  logic                drop_i,        // drop the lane's incomplete block

  // EXEC, the cycle after.
  input  logic                word_valid_i,
  input  logic [3:0]          word_slot_i,
  input  logic [127:0]        word_i,
  input  logic                word_last_i,
  input  hash_block_t         block_i,

  // The store: uops read in PICK and write in EXEC.
  input  logic                read_i,
  input  hash_row_t           read_row_i,
  input  logic [3:0]          read_bank_i,
  output logic [1663:0]       row_o,         // the bank that a uop reads is in its place; the rest is zero
  input  logic                put_i,
  input  logic [3:0]          put_bank_i,
  input  logic [127:0]        put_word_i,
  input  logic                start_i,
  input  hash_alg_t           start_alg_i,
  input  logic                zero_i,
  input  logic                write_i,       // one of put, start and zero
  input  hash_row_t           write_row_i
);
  localparam int unsigned NumUnits = Sha256Units + Sha512Units + KeccakUnits;
  localparam int unsigned Width = NumUnits > 1 ? $clog2(NumUnits) : 1;
  typedef logic [Width-1:0]    unit_t;
  typedef logic [NumUnits-1:0] units_t;
  typedef logic [NumLanes-1:0] lanes_t;
  if (NumUnits == 0 || NumUnits > 15) begin : gen_check_units   // numbers and counts of units have four bits
    $error("hash_units: %0d units; there must be 1 to 15 in all.", NumUnits);
  end

  // Units are numbered family by family.
  localparam int unsigned Units [NumFamilies] = '{Sha256Units, Sha512Units, KeccakUnits};
  localparam int unsigned FirstUnit [NumFamilies] = '{0, Sha256Units, Sha256Units + Sha512Units};
  function automatic units_t family_units(hash_family_e family);
    return units_t'(((32'd1 << Units[family]) - 32'd1) << FirstUnit[family]);
  endfunction

  function automatic unit_t lowest(units_t mask);
    lowest = '0;
    for (int u = NumUnits - 1; u >= 0; u--) if (mask[u]) lowest = unit_t'(u);
  endfunction

  // ---- The assignment.
  units_t     filling_q, filling;        // the buffer is used by a lane: a cycle late, and now
  hash_lane_t fill_lane_q [NumUnits];
  hash_lane_t run_lane_q [NumUnits];
  lanes_t     bound_q, bound;            // the lane fills a buffer: a cycle late, and now
  lanes_t     buffered_q, running_q;     // a buffer has its complete block; a unit computes its block
  unit_t      unit_q [NumLanes];
  units_t     start, finish, idle;

  // Idle units first, so that a lane that has its turn does not wait for another lane.
  unit_t  choice [NumFamilies];
  units_t free, rested;
  assign free = ~filling;
  always_comb begin
    rested = '0;
    for (int f = 0; f < NumFamilies; f++) choice[f] = '0;
    if (active_i) begin
      for (int f = 0; f < NumFamilies; f++) begin
        rested = free & idle & family_units(hash_family_e'(f));
        if (rested == '0) rested = free & family_units(hash_family_e'(f));
        choice[f] = lowest(rested);
      end
    end
  end

  // A buffer is free for the next block from the cycle on in which its block starts.
  lanes_t family_free, started, finished, running, running_free;
  always_comb begin
    family_free  = '0;
    started      = '0;
    finished     = '0;
    running      = running_q;
    running_free = '0;
    if (active_i) begin
      for (int f = 0; f < NumFamilies; f++) begin
        if (((free | start) & family_units(hash_family_e'(f))) != '0) family_free |= family_lanes_i[f];
      end
      for (int u = 0; u < NumUnits; u++) begin
        if (start[u]) started |= lanes_t'(1) << fill_lane_q[u];
        if (finish[u]) finished |= lanes_t'(1) << run_lane_q[u];
        if (free[u] && !idle[u]) running_free |= lanes_t'(1) << run_lane_q[u];
      end
      running      |= started;
      running_free |= started;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) feedable_o <= '0;
    else feedable_o <= bound | (running & running_free) | (~running_q & ~buffered_q & family_free);
  end
  assign quiet_o    = ~(buffered_q | running_q);
  assign partial_o  = bound & ~running_q;

  // The unit of the lane that sends a word.
  unit_t  unit;
  lanes_t lane;
  units_t dropped, fed_unit;
  logic   fed_q, dropped_q, touched, binds_q;
  unit_t  fed_unit_q;
  hash_lane_t fed_lane_q;
  units_t     word_unit_q;             // which gets the word; one of them
  assign lane     = lanes_t'(1) << lane_i;
  assign fed_unit = units_t'(1) << fed_unit_q;
  assign touched  = fed_q || dropped_q;
  assign dropped  = dropped_q ? fed_unit : '0;
  assign filling  = filling_q | (fed_q ? fed_unit : '0);
  always_comb begin
    bound = bound_q;
    if (touched) bound[fed_lane_q] = binds_q;
  end
  always_comb begin
    unit = '0;
    if (active_i) begin
      unit = unit_q[lane_i];
      if (!bound_q[lane_i] && !running_q[lane_i]) begin
        for (int f = 0; f < NumFamilies; f++) if (family_i == hash_family_e'(f)) unit = choice[f];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      filling_q  <= '0;
      bound_q    <= '0;
      buffered_q <= '0;
      running_q  <= '0;
    end else begin
      buffered_q <= ((buffered_q & ~started) | (feed_i ? lane : '0)) & ~(drop_i ? lane : '0);
      running_q  <= running & ~finished;
      bound_q    <= bound;
      for (int u = 0; u < NumUnits; u++) begin
        if (start[u]) run_lane_q[u] <= fill_lane_q[u];
      end
      filling_q  <= filling & ~(start | dropped);
    end
    // Asked for when the word has arrived, and by the lane's next uop: two cycles later at the soonest.
    fed_q     <= rst_ni && feed_i;
    binds_q   <= feed_i && !feed_last_i;
    {fed_unit_q, fed_lane_q} <= {unit, lane_i};
    if (fed_q) begin
      fill_lane_q[fed_unit_q] <= fed_lane_q;
      unit_q[fed_lane_q]      <= fed_unit_q;
      word_unit_q             <= fed_unit;
    end
    dropped_q <= rst_ni && drop_i;
  end

  // ---- The store's ports: of uops, else of the exchange, else of the Keccak units, lower numbers first.
  localparam int unsigned ShaUnits = Sha256Units + Sha512Units;
  localparam int unsigned ShaPlaces = ShaUnits == 0 ? 1 : ShaUnits;
  logic [ShaPlaces-1:0] want, writes, read_sha1, write_sha1, grant, step;
  hash_row_t            sha_read_row [ShaPlaces];
  hash_row_t            sha_write_row [ShaPlaces];
  logic [1:0][ShaRounds-1:0][31:0] load32, result32;
  logic [1:0][ShaRounds-1:0][63:0] load64, result64;
  logic       sha_reads, sha_writes, sha_sha1;
  hash_row_t  sha_from, sha_to;
  logic [3:0] sha_unit;
  logic [1:0] sha_step;
  hash_exchange #(
    .Sha256Units(ShaUnits == 0 ? 1 : Sha256Units), .Sha512Units(Sha512Units), .RoundsPerCycle(ShaRounds)
  ) u_exchange (
    .clk_i, .rst_ni,
    .want_i       (want),
    .writes_i     (writes),
    .read_row_i   (sha_read_row),
    .write_row_i  (sha_write_row),
    .read_sha1_i  (read_sha1),
    .write_sha1_i (write_sha1),
    .grant_o      (grant),
    .step_o       (step),
    .load32_o     (load32),
    .load64_o     (load64),
    .uop_reads_i  (read_i),
    .uop_writes_i (write_i),
    .read_o       (sha_reads),
    .read_row_o   (sha_from),
    .row_i        (row_o[511:0]),
    .write_o      (sha_writes),
    .write_row_o  (sha_to),
    .write_unit_o (sha_unit),
    .write_sha1_o (sha_sha1),
    .step_number_o(sha_step)
  );
  if (ShaUnits == 0) begin : gen_no_sha
    assign {want, writes, read_sha1, write_sha1} = '0;
    assign sha_read_row[0]  = '0;
    assign sha_write_row[0] = '0;
  end

  // Of the Keccak units. Arrays have one element more than units, because a family may have none.
  logic [KeccakUnits:0] read, read_ready, write, write_ready;
  hash_row_t     read_row [KeccakUnits + 1];
  hash_row_t     write_row [KeccakUnits + 1];
  logic [1599:0] states [KeccakUnits + 1];
  logic [1599:0] state;
  hash_row_t     keccak_from, keccak_to;
  assign read[KeccakUnits]      = 1'b0;
  assign write[KeccakUnits]     = 1'b0;
  assign read_row[KeccakUnits]  = '0;
  assign write_row[KeccakUnits] = '0;
  assign states[KeccakUnits]    = '0;
  assign read_ready  = (read_i || sha_reads) ? '0 : read & (~read + (KeccakUnits + 1)'(1));
  assign write_ready = (write_i || sha_writes) ? '0 : write & (~write + (KeccakUnits + 1)'(1));
  always_comb begin
    keccak_from = read_row[0];
    keccak_to   = write_row[0];
    state       = states[0];
    for (int u = int'(KeccakUnits) - 1; u > 0; u--) begin
      if (read_ready[u]) keccak_from = read_row[u];
      if (write_ready[u]) begin
        keccak_to = write_row[u];
        state     = states[u];
      end
    end
  end

  logic [1:0][ShaRounds-1:0][31:0] sha256 [Sha256Units + 1];
  logic [1:0][ShaRounds-1:0][63:0] sha512 [Sha512Units + 1];
  assign sha256[Sha256Units] = '0;
  assign sha512[Sha512Units] = '0;
  always_comb begin
    result32 = sha256[0];
    result64 = sha512[0];
    for (int u = 1; u < int'(Sha256Units); u++) if (sha_unit == 4'(u)) result32 = sha256[u];
    for (int u = 1; u < int'(Sha512Units); u++) if (sha_unit == 4'(Sha256Units + u)) result64 = sha512[u];
  end

  hash_row_t from, to;
  always_comb begin
    from = read_row_i;
    if (!read_i) from = sha_reads ? sha_from : keccak_from;
    to = write_row_i;
    if (!write_i) to = sha_writes ? sha_to : keccak_to;
  end
  hash_store #(.KeccakUnits(KeccakUnits), .RoundsPerCycle(ShaRounds)) u_store (
    .clk_i,
    .read_i     (read_i || sha_reads || read != '0),
    .read_row_i (from),
    .read_one_i (read_i),
    .read_bank_i,
    .row_o,
    .put_i, .put_bank_i, .put_word_i, .start_i, .start_alg_i, .zero_i,
    .sha_i      (sha_writes),
    .sha_wide_i (sha_unit >= 4'(Sha256Units)),
    .sha_sha1_i (sha_sha1),
    .sha_step_i (sha_step),
    .sha256_i   (result32),
    .sha512_i   (result64),
    .keccak_i   (write_ready != '0),
    .state_i    (state),
    .write_row_i(to)
  );

  // ---- The units. Those of SHA clear their buffers with the zeros between the words.
  logic [127:0] word;
  units_t       wiped;
  assign word    = word_valid_i ? word_i : '0;
  assign wiped_o = wiped == '1;
  for (genvar u = 0; u < NumUnits; u++) begin : gen_unit
    logic word_valid, drop;
    assign word_valid = word_valid_i && word_unit_q[u];
    assign drop       = dropped[u];
    if (u < Sha256Units) begin : gen_sha256
      sha_unit #(.Width(32), .RoundsPerCycle(ShaRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i[1:0]),
        .feed_word_i  (word),
        .feed_free_i  (!word_valid_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .want_o       (want[u]),
        .writes_o     (writes[u]),
        .read_row_o   (sha_read_row[u]),
        .write_row_o  (sha_write_row[u]),
        .read_sha1_o  (read_sha1[u]),
        .write_sha1_o (write_sha1[u]),
        .grant_i      (grant[u]),
        .step_i       (step[u]),
        .load_i       (load32),
        .result_o     (sha256[u]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u]),
        .wiped_o      (wiped[u])
      );
    end else if (u < Sha256Units + Sha512Units) begin : gen_sha512
      sha_unit #(.Width(64), .RoundsPerCycle(ShaRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i[2:0]),
        .feed_word_i  (word),
        .feed_free_i  (!word_valid_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .want_o       (want[u]),
        .writes_o     (writes[u]),
        .read_row_o   (sha_read_row[u]),
        .write_row_o  (sha_write_row[u]),
        .read_sha1_o  (read_sha1[u]),
        .write_sha1_o (write_sha1[u]),
        .grant_i      (grant[u]),
        .step_i       (step[u]),
        .load_i       (load64),
        .result_o     (sha512[u-Sha256Units]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u]),
        .wiped_o      (wiped[u])
      );
    end else begin : gen_keccak
      assign wiped[u] = 1'b1;
      keccak_unit #(.RoundsPerCycle(KeccakRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i),
        .feed_word_i  (word_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .read_o       (read[u-ShaUnits]),
        .read_row_o   (read_row[u-ShaUnits]),
        .read_ready_i (read_ready[u-ShaUnits]),
        .row_i        (row_o),
        .write_o      (write[u-ShaUnits]),
        .write_row_o  (write_row[u-ShaUnits]),
        .write_ready_i(write_ready[u-ShaUnits]),
        .result_o     (states[u-ShaUnits]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u])
      );
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_word_goes_to_its_unit: assert (!word_valid_i || word_unit_q == units_t'(1) << unit_q[block_i.lane]);
    a_family_is_the_lane_s: assert (!feed_i || family_lanes_i[family_i][lane_i]);
    a_not_in_two_cycles: assert (!feed_i || !touched || lane_i != fed_lane_q);   // `bound_q` is true of the lane
    a_buffer_is_free: assert (!feed_i || bound_q[lane_i] || !filling[unit] || start[unit]);
  end
`endif
endmodule

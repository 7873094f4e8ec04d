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
  output logic [NumLanes-1:0] feedable_o,
  output logic [NumLanes-1:0] bound_o,       // the lane has begun a block, which is in a buffer
  output logic [NumLanes-1:0] quiet_o,       // no block of the lane is in a unit
  output logic [NumLanes-1:0] partial_o,     // the lane has only an incomplete block in a buffer
  input  logic                feed_i,        // a word will follow
  input  logic                feed_last_i,   // the last word of the block
  input  hash_lane_t          lane_i,
  input  logic                drop_i,        // drop the lane's incomplete block

  // EXEC, the cycle after.
  input  logic                word_valid_i,
  input  hash_lane_t          word_lane_i,
  input  logic [3:0]          word_slot_i,
  input  logic [127:0]        word_i,
  input  logic                word_last_i,
  input  hash_block_t         block_i,

  // The store: uops read in PICK and write in EXEC.
  input  logic                read_i,
  input  hash_row_t           read_row_i,
  output logic [1663:0]       row_o,
  input  logic                put_i,
  input  logic [3:0]          put_bank_i,
  input  logic [127:0]        put_word_i,
  input  logic                start_i,
  input  hash_alg_t           start_alg_i,
  input  logic                zero_i,
  input  hash_row_t           write_row_i
);
  localparam int unsigned NumUnits = Sha256Units + Sha512Units + KeccakUnits;
  localparam int unsigned Width = NumUnits > 1 ? $clog2(NumUnits) : 1;
  typedef logic [Width-1:0]    unit_t;
  typedef logic [NumUnits-1:0] units_t;
  typedef logic [NumLanes-1:0] lanes_t;
  if (NumUnits == 0 || NumUnits > 16) begin : gen_check_units
    $error("hash_units: %0d units; there must be 1 to 16 in all.", NumUnits);
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
  units_t     filling_q;                 // the buffer is used by a lane
  hash_lane_t fill_lane_q [NumUnits];
  hash_lane_t run_lane_q [NumUnits];
  lanes_t     bound_q;                   // the lane fills a buffer
  lanes_t     buffered_q, running_q;     // a buffer has its complete block; a unit computes its block
  unit_t      unit_q [NumLanes];
  units_t     start, finish, idle;

  // Idle units first, so that a lane that has its turn does not wait for another lane.
  unit_t  choice [NumFamilies];
  lanes_t family_free, running_free;
  units_t free, rested;
  assign free = ~filling_q;
  always_comb begin
    family_free  = '0;
    running_free = '0;
    rested       = '0;
    for (int f = 0; f < NumFamilies; f++) choice[f] = '0;
    if (active_i) begin
      for (int f = 0; f < NumFamilies; f++) begin
        rested    = free & idle & family_units(hash_family_e'(f));
        if (rested == '0) rested = free & family_units(hash_family_e'(f));
        choice[f] = lowest(rested);
        if (rested != '0) family_free |= family_lanes_i[f];
      end
      for (int u = 0; u < NumUnits; u++) if (free[u] && !idle[u]) running_free |= lanes_t'(1) << run_lane_q[u];
    end
  end
  assign feedable_o = bound_q | (running_q & running_free) | (~running_q & ~buffered_q & family_free);
  assign bound_o    = bound_q;
  assign quiet_o    = ~(buffered_q | running_q);
  assign partial_o  = bound_q & ~running_q;

  // The unit of the lane that sends a word.
  unit_t unit;
  always_comb begin
    unit = '0;
    if (active_i) begin
      unit = unit_q[lane_i];
      if (!bound_q[lane_i] && !running_q[lane_i]) begin
        for (int f = 0; f < NumFamilies; f++) if (family_lanes_i[f][lane_i]) unit = choice[f];
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
      for (int u = 0; u < NumUnits; u++) begin
        if (start[u]) begin
          filling_q[u]               <= 1'b0;
          buffered_q[fill_lane_q[u]] <= 1'b0;
          running_q[fill_lane_q[u]]  <= 1'b1;
          run_lane_q[u]              <= fill_lane_q[u];
        end
        if (finish[u]) running_q[run_lane_q[u]] <= 1'b0;
      end
      if (feed_i) begin
        bound_q[lane_i]    <= !feed_last_i;
        buffered_q[lane_i] <= 1'b1;
        filling_q[unit]    <= 1'b1;
        fill_lane_q[unit]  <= lane_i;
        unit_q[lane_i]     <= unit;
      end
      if (drop_i) begin
        bound_q[lane_i]    <= 1'b0;
        buffered_q[lane_i] <= 1'b0;
        filling_q[unit]    <= 1'b0;
      end
    end
  end

  // ---- The store's ports.
  units_t    read, read_ready, write, write_ready;
  hash_row_t read_row [NumUnits];
  hash_row_t write_row [NumUnits];
  unit_t     reader, writer;
  logic      uop_writes;
  assign uop_writes  = put_i || start_i || zero_i;
  assign reader      = lowest(read);
  assign writer      = lowest(write);
  assign read_ready  = read_i ? '0 : read & (~read + units_t'(1));
  assign write_ready = uop_writes ? '0 : write & (~write + units_t'(1));

  // One element more than units, because a family may have none.
  logic [255:0]  sha256 [Sha256Units + 1];
  logic [511:0]  sha512 [Sha512Units + 1];
  logic [1599:0] keccak [KeccakUnits + 1];
  assign sha256[Sha256Units] = '0;
  assign sha512[Sha512Units] = '0;
  assign keccak[KeccakUnits] = '0;
  hash_family_e result_family;
  always_comb begin
    result_family = FamilySha32;
    if ((write_ready & family_units(FamilySha64)) != '0) result_family = FamilySha64;
    if ((write_ready & family_units(FamilyKeccak)) != '0) result_family = FamilyKeccak;
  end
  hash_store #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits)
  ) u_store (
    .clk_i,
    .read_i         (read_i || read != '0),
    .read_row_i     (read_i ? read_row_i : read_row[reader]),
    .row_o,
    .put_i, .put_bank_i, .put_word_i, .start_i, .start_alg_i, .zero_i, .write_row_i,
    .result_i       (write_ready != '0),
    .result_family_i(result_family),
    .result_unit_i  (4'(32'(writer) - FirstUnit[result_family])),
    .result_row_i   (write_row[writer]),
    .sha256_i       (sha256),
    .sha512_i       (sha512),
    .keccak_i       (keccak)
  );

  // ---- The units.
  for (genvar u = 0; u < NumUnits; u++) begin : gen_unit
    logic word_valid, drop;
    assign word_valid = word_valid_i && unit_q[word_lane_i] == unit_t'(u);
    assign drop       = drop_i && unit == unit_t'(u);
    if (u < Sha256Units) begin : gen_sha256
      sha_unit #(.Width(32), .RoundsPerCycle(ShaRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i[1:0]),
        .feed_word_i  (word_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .read_o       (read[u]),
        .read_row_o   (read_row[u]),
        .read_ready_i (read_ready[u]),
        .row_i        (row_o[511:0]),
        .write_o      (write[u]),
        .write_row_o  (write_row[u]),
        .write_ready_i(write_ready[u]),
        .result_o     (sha256[u]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u])
      );
    end else if (u < Sha256Units + Sha512Units) begin : gen_sha512
      sha_unit #(.Width(64), .RoundsPerCycle(ShaRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i[2:0]),
        .feed_word_i  (word_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .read_o       (read[u]),
        .read_row_o   (read_row[u]),
        .read_ready_i (read_ready[u]),
        .row_i        (row_o[511:0]),
        .write_o      (write[u]),
        .write_row_o  (write_row[u]),
        .write_ready_i(write_ready[u]),
        .result_o     (sha512[u-Sha256Units]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u])
      );
    end else begin : gen_keccak
      keccak_unit #(.RoundsPerCycle(KeccakRounds)) u_unit (
        .clk_i, .rst_ni,
        .feed_valid_i (word_valid),
        .feed_slot_i  (word_slot_i),
        .feed_word_i  (word_i),
        .feed_last_i  (word_last_i),
        .feed_block_i (block_i),
        .drop_i       (drop),
        .read_o       (read[u]),
        .read_row_o   (read_row[u]),
        .read_ready_i (read_ready[u]),
        .row_i        (row_o),
        .write_o      (write[u]),
        .write_row_o  (write_row[u]),
        .write_ready_i(write_ready[u]),
        .result_o     (keccak[u-Sha256Units-Sha512Units]),
        .start_o      (start[u]),
        .end_o        (finish[u]),
        .idle_o       (idle[u])
      );
    end
  end
endmodule

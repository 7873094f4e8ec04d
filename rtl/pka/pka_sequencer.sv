// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Executes a program in order, at most one instruction per cycle. An instruction waits for its unit and its operands.
//
// While one instruction waits or issues, the next one is read and decoded; a jump that is taken costs a cycle, since
// what was read behind it is dropped.
// rtl/pka/isa.py defines the instructions, rtl/pka/machine.py the cycles in which they issue. Only two conditions
// depend on words of operand memory: `jbit`, which programs use for public exponents, and `fail`, which does not
// branch.
//
// yosys maps the module apart: together with the rest what many registers wait for becomes a chain.
(* keep_hierarchy = "yes" *)
module pka_sequencer
  import pka_pkg::*;
  import pka_rom_pkg::*;
#(
  parameter int unsigned Passes = 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  input  logic              start_i,
  input  logic [10:0]       entry_i,
  input  logic [3:0][15:0]  parameter_i,
  input  logic              stop_i,       // aborts the program
  output logic              end_o,        // the program ends in this cycle
  output logic              fetch_o,
  output logic [10:0]       fetch_address_o,
  input  logic [31:0]       instruction_i,  // from the cycle after a fetch until the next
  output logic [7:0]        status_o,

  output logic              multiply_o,
  output pka_multiply_t     multiply_op_o,
  input  logic              multiply_ready_i,
  input  logic              multiply_last_i,

  output logic              step_o,
  output pka_step_t         step_op_o,
  input  logic              step_ready_i,
  input  logic              step_reading_i,
  input  logic [1:0]        step_pending_i,
  input  logic              flag_i,
  input  logic [3:0]        idx_i,

  output logic              bytes_wanted_o, // waits for the units and the converter, or begins with a number
  output logic              bytes_in_o,
  output logic              bytes_out_o,
  output pka_address_t      bytes_address_o,
  output logic [9:0]        bytes_count_o,
  output logic [5:0]        bytes_words_o,
  input  logic              bytes_busy_i,   // with a number of this thread
  input  logic              bytes_free_i,   // may begin with one
  input  logic              may_out_i       // the result may leave
);
  // Cycles from a multiplication's last slot until others may use its result; two more, and all words are written.
  localparam int unsigned Tail = 4 + Passes - 1;

  // ---- The present instruction, decoded. Behind it is `instruction_i`, read from `at_q`.
  typedef struct packed {
    operation_e  op;
    pka_slot_t   d, a, b;
    logic [2:0]  c, f;
    logic        product, wide, step, put, moves, leaves, ends;
    logic        writes, uses_a, uses_b, uses_k, table_a, constant;
    logic        after_adder, after_units;  // waits until all is written by the adder, by both units
  } decoded_t;
  decoded_t    decoded, now_q;
  operation_e  op_read;
  assign op_read = operation_e'(instruction_i[31:27]);
  always_comb begin
    decoded = '{
      op:          op_read,
      product:     op_read inside {OpMul, OpMulw},
      wide:        op_read == OpMulw,
      step:        op_read inside {[OpAdd:OpFidx]},
      put:         op_read == OpPut,
      moves:       op_read inside {OpIn, OpOut},
      leaves:      op_read == OpOut,
      ends:        op_read == OpEnd,
      writes:      !(op_read inside {OpCmp, OpDiffer, OpBit, OpFidx}),
      uses_a:      !(op_read inside {OpGetc, OpLdc, OpLdi, OpLdcnt, OpHot, OpFidx}),
      uses_b:      op_read inside {OpAdd, OpSub, OpSubk, OpSel, OpCmp, OpDiffer},
      uses_k:      op_read == OpSubk,
      table_a:     op_read == OpGet,
      constant:    op_read inside {OpGetc, OpLdc},
      after_adder: op_read inside {OpFail, OpFailn, OpJbit},
      after_units: op_read inside {OpSize, OpEnd, OpIn, OpOut},
      default:     '0
    };
    {decoded.d, decoded.a, decoded.b, decoded.c, decoded.f} = instruction_i[26:0];
  end

  logic        running_q, valid_q, issue, taken;
  logic [10:0] at_q, target;
  logic [13:0] immediate;
  assign immediate = {now_q.a, now_q.b};

  // ---- The state that instructions set.
  pka_count_t  counter_q [8];
  pka_count_t  counter, counter_d;
  pka_length_t n_q;
  logic [2:0]  log_q;
  pka_slot_t   modulus_q, inverse_q, multiple_q;  // and the slots behind it
  logic [10:0] stack_q [4];
  logic [1:0]  depth_q;
  assign counter = counter_q[now_q.c];

  function automatic pka_address_t address(pka_slot_t slot, logic [2:0] log);
    return pka_address_t'({3'b0, slot} << log);
  endfunction

  // ---- In flight.
  typedef struct packed {
    pka_slot_t d, a, b, m, n0;
    logic      wide;
  } product_t;
  typedef struct packed {
    logic      writes, uses_a, uses_b, uses_k, table_a;
    pka_slot_t d, a, b, k;
  } access_t;
  product_t    front_q, tail_product_q;
  logic        front_valid_q;
  logic [4:0]  tail_q;
  access_t     access, access_q [2];
  logic        odd_q;

  // ---- The adder's slots in this instruction.
  assign access = '{
    writes:  now_q.writes,
    uses_a:  now_q.uses_a,
    uses_b:  now_q.uses_b,
    uses_k:  now_q.uses_k,
    table_a: now_q.table_a,
    d:       now_q.put ? {now_q.d[6:4], counter[3:0]} : now_q.d,
    a:       now_q.a,
    b:       now_q.b,
    k:       multiple_q
  };

  function automatic logic reads(access_t step, pka_slot_t slot);
    return (step.uses_a && (step.table_a ? slot[6:4] == step.a[6:4] : slot == step.a)) ||
           (step.uses_b && slot == step.b) || (step.uses_k && slot == step.k);
  endfunction
  function automatic logic touches(product_t product, pka_slot_t slot);
    return slot == product.d || slot == product.a || slot == product.b || slot == product.m ||
           slot == product.n0;
  endfunction
  // Tables begin at multiples of sixteen slots. `put` may write each entry of its table: the counter comes too late to say
  // which.
  function automatic logic may_write(pka_slot_t slot);
    return now_q.writes && slot[6:4] == now_q.d[6:4] && (now_q.put || slot[3:0] == now_q.d[3:0]);
  endfunction
  function automatic logic may_disturb(product_t product);
    return may_write(product.d) || may_write(product.a) || may_write(product.b) || may_write(product.m) ||
           may_write(product.n0);
  endfunction

  // ---- The conditions to issue.
  logic chain, tail, settled, units_quiet, adder_quiet;
  product_t product;
  assign product     = '{d: now_q.d, a: now_q.a, b: now_q.b, m: modulus_q, n0: inverse_q, wide: now_q.wide};
  assign chain       = n_q >= 5'd5;
  assign tail        = tail_q > 5'd2;
  assign adder_quiet = step_pending_i == '0;
  assign settled     = !front_valid_q && tail_q == '0;
  assign units_quiet = settled && adder_quiet;

  logic wide_waits, product_waits, step_waits;
  always_comb begin
    wide_waits    = (front_valid_q && front_q.wide) || (tail && tail_product_q.wide);
    product_waits = wide_waits || !multiply_ready_i || (product.wide && !adder_quiet);
    // With enough words the first ones of the result are ready in time.
    if (!chain && tail) begin
      product_waits |= product.d == tail_product_q.d || product.a == tail_product_q.d || product.b == tail_product_q.d;
      product_waits |= !product.wide && (product.m == tail_product_q.d || product.n0 == tail_product_q.d);
    end
    if (!chain && front_valid_q) begin
      product_waits |= product.d == front_q.d || product.a == front_q.d || product.b == front_q.d;
      product_waits |= !product.wide && (product.m == front_q.d || product.n0 == front_q.d);
    end
    for (int odd = 0; odd < 2; odd++) begin
      if (step_pending_i[odd] && access_q[odd].writes) product_waits |= touches(product, access_q[odd].d);
    end
    if (step_reading_i) product_waits |= reads(access_q[odd_q], product.d);

    step_waits = wide_waits || !step_ready_i;
    if (front_valid_q) begin
      step_waits |= reads(access, front_q.d) || may_write(front_q.d);
      if (!multiply_last_i) step_waits |= may_disturb(front_q);
    end
    if (tail) step_waits |= reads(access, tail_product_q.d) || may_write(tail_product_q.d);
  end

  // What waits for the units goes on in the cycle after they are quiet: it is the last thing that they were given.
  logic quiet_q;
  always_ff @(posedge clk_i) quiet_q <= valid_q && !issue && (now_q.after_units ? units_quiet : adder_quiet);

  // Each unit's start by itself, since many registers wait for it, and so does the next instruction.
  logic may_issue, may_go_on, goes_on, waits;
  assign may_issue  = valid_q && !bytes_busy_i;
  assign multiply_o = may_issue && now_q.product && !product_waits;
  assign step_o     = may_issue && now_q.step && !step_waits;
  always_comb begin
    may_go_on = !now_q.product && !now_q.step;
    if (now_q.after_adder || now_q.after_units) may_go_on &= quiet_q;
    if (now_q.moves) may_go_on &= bytes_free_i;
    if (now_q.leaves) may_go_on &= may_out_i;
  end
  assign goes_on = may_issue && may_go_on;
  assign waits   = (now_q.product && product_waits) || (now_q.step && step_waits) ||
                   (!now_q.product && !now_q.step && !may_go_on);
  assign issue   = may_issue && !waits;

  // ---- The next instruction.
  always_comb begin
    target = immediate[10:0];
    unique case (now_q.op)
      OpJmp, OpCall: taken = 1'b1;
      OpRet: begin
        taken  = 1'b1;
        target = stack_q[depth_q-2'd1];
      end
      OpLoop:  taken = !counter[13];
      OpJbit:  taken = !idx_i[0];
      default: taken = 1'b0;
    endcase
  end
  assign end_o = goes_on && now_q.ends;

  logic reads_on;
  assign reads_on        = running_q && (!valid_q || (!bytes_busy_i && !waits));
  assign fetch_o         = start_i || reads_on;
  assign fetch_address_o = start_i ? entry_i : valid_q && taken ? target : at_q + 11'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      running_q <= 1'b0;
      valid_q   <= 1'b0;
    end else if (start_i) begin
      running_q <= 1'b1;
    end else begin
      if (end_o) running_q <= 1'b0;
      if (reads_on) valid_q <= !(valid_q && (taken || now_q.ends));
    end
    if (fetch_o) at_q <= fetch_address_o;
    if (reads_on) now_q <= decoded;

    if (start_i) begin
      depth_q <= '0;
    end else if (goes_on && now_q.op == OpCall) begin
      stack_q[depth_q] <= at_q;
      depth_q          <= depth_q + 2'd1;
    end else if (goes_on && now_q.op == OpRet) begin
      depth_q <= depth_q - 2'd1;
    end
    if (start_i) begin
      status_o <= '0;
    end else if (goes_on && now_q.op inside {OpFail, OpFailn} && flag_i == (now_q.op == OpFail) && status_o == '0) begin
      status_o <= immediate[7:0];
    end
  end

  // ---- Counters, lengths.
  pka_count_t  wide_n, extended;
  logic [12:0] rounded;
  logic [4:0]  words;
  logic [2:0]  curve;
  assign wide_n   = {1'd0, 6'(n_q) + 6'(n_q[4]), n_q[3:0], 3'd0};   // n * 128 + n * 8: a product is a slow DSP block
  assign rounded  = 13'(counter) + 13'd135;
  assign words    = word_of(rounded) < 5'd2 ? 5'd2 : word_of(rounded);
  assign curve    = parameter_i[1][2:0];
  assign extended = immediate >= 14'd8 ? pka_count_t'(CurveParameter[curve][4'(immediate - 14'd8)])
                                       : pka_count_t'(parameter_i[immediate[1:0]]);
  always_comb begin
    unique case (count_e'(now_q.f))
      CountSet:     counter_d = immediate;
      CountPar:     counter_d = extended;
      CountPlus:    counter_d = counter + immediate;
      CountFrom:    counter_d = counter_q[immediate[2:0]];
      CountMax:     counter_d = $signed(counter_q[immediate[2:0]]) > $signed(counter) ? counter_q[immediate[2:0]]
                                                                                     : counter;
      CountNibbles: counter_d = counter | 14'd3;
      CountBytes:   counter_d = pka_count_t'($signed(counter + 14'd7) >>> 3);
      CountGap:     counter_d = wide_n - counter;
    endcase
    if (now_q.op == OpBit) counter_d = counter - 14'd1;
  end

  always_ff @(posedge clk_i) begin
    if ((goes_on && now_q.op == OpCount) || (step_o && now_q.op == OpBit)) counter_q[now_q.c] <= counter_d;
    if (goes_on) begin
      if (now_q.op == OpMod) begin
        modulus_q  <= now_q.a;
        inverse_q  <= now_q.a + 7'd1;
        multiple_q <= now_q.a + 7'd2;
      end
      if (now_q.op == OpSize) begin
        unique case (size_e'(now_q.f))
          SizeBoth: begin
            n_q   <= words;
            log_q <= 3'($clog2(32'd2)) + 3'(words > 5'd2) + 3'(words > 5'd4) + 3'(words > 5'd8) + 3'(words > 5'd16);
          end
          SizeWords:  n_q <= words;
          SizeTwo:    n_q <= 5'd2;
          SizeDouble: log_q <= log_q + 3'd1;
          SizeHalve:  log_q <= log_q - 3'd1;
          default: ;
        endcase
      end
    end
  end

  // ---- To the units.
  assign multiply_op_o = '{
    n:      n_q,
    square: now_q.a == now_q.b,
    reduce: !now_q.wide,
    a:      address(now_q.a, log_q),
    b:      address(now_q.b, log_q),
    m:      address(modulus_q, log_q),
    n0:     address(inverse_q, log_q),
    d:      address(now_q.d, log_q)
  };

  pka_address_t base;
  always_comb begin
    base = address(now_q.a, log_q);
    if (now_q.op == OpHigh) base = base + pka_address_t'(n_q);
    if (now_q.constant) base = pka_address_t'(CurveBase[curve]) + pka_address_t'(now_q.a) * pka_address_t'(n_q);
  end
  assign step_op_o = '{
    operation: now_q.op,
    last_read: reads_of(now_q.op) - 5'd1,
    single:    now_q.op inside {OpBit, OpFidx},
    reads:     now_q.uses_a || now_q.constant,
    writes:    now_q.writes,
    test:      now_q.f[1:0],
    n:         n_q,
    d:         address(access.d, log_q),
    a:         base,
    b:         now_q.uses_b ? address(now_q.b, log_q) : base,
    k:         address(access.k, log_q),
    stride:    now_q.constant ? 6'(n_q) : 6'd1 << log_q,
    constant:  now_q.constant,
    value:     now_q.op == OpLdi ? immediate : counter
  };

  assign bytes_wanted_o  = valid_q && now_q.moves && (!now_q.leaves || may_out_i);
  assign bytes_in_o      = goes_on && now_q.moves && !now_q.leaves;
  assign bytes_out_o     = goes_on && now_q.leaves;
  assign bytes_address_o = now_q.leaves ? address(now_q.a, log_q) : address(now_q.d, log_q);
  assign bytes_count_o   = counter[9:0];
  assign bytes_words_o   = 6'd1 << log_q;

  // ---- In flight.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      front_valid_q <= 1'b0;
      tail_q        <= '0;
    end else begin
      if (multiply_last_i) begin
        front_valid_q  <= 1'b0;
        tail_q         <= 5'(Tail + 1);
        tail_product_q <= front_q;
      end else if (tail_q != '0) begin
        tail_q <= tail_q - 5'd1;
      end
      if (multiply_o) front_valid_q <= 1'b1;
      if (!front_valid_q || multiply_last_i) front_q <= product;
    end
    // In the same way as the adder counts its steps.
    if (!rst_ni || stop_i) begin
      odd_q <= 1'b0;
    end else if (step_o) begin
      odd_q            <= !odd_q;
      access_q[!odd_q] <= access;
    end
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Executes a program in order, at most one instruction per cycle. An instruction waits for its unit and its operands.
//
// rtl/pka/isa.py defines the instructions, rtl/pka/machine.py the cycles in which they issue. Only two conditions
// depend on words of operand memory: `jbit`, which programs use for public exponents, and `fail`, which does not
// branch.
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
  input  logic [7:0][15:0]  parameter_i,
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

  logic        running_q;
  logic [10:0] pc_q, next_pc;
  logic        issue;

  operation_e  op;
  pka_slot_t   d, a, b;
  logic [2:0]  c, f;
  logic [13:0] immediate;
  assign op = operation_e'(instruction_i[31:27]);
  assign {d, a, b, c, f} = instruction_i[26:0];
  assign immediate = {a, b};

  // ---- The state that instructions set.
  pka_count_t  counter_q [8];
  pka_count_t  counter, counter_d;
  pka_length_t n_q;
  logic [2:0]  log_q;
  pka_slot_t   modulus_q;
  logic [10:0] stack_q [4];
  logic [1:0]  depth_q;
  assign counter = counter_q[c];

  function automatic pka_address_t address(pka_slot_t slot, logic [2:0] log);
    return pka_address_t'({3'b0, slot} << log);
  endfunction

  // ---- In flight.
  typedef struct packed {
    pka_slot_t d, a, b, m;
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
  always_comb begin
    access = '{
      writes:  !(op inside {OpCmp, OpDiffer, OpBit, OpFidx}),
      uses_a:  !(op inside {OpGetc, OpLdc, OpLdi, OpLdcnt, OpHot, OpFidx}),
      uses_b:  op inside {OpAdd, OpSub, OpSubk, OpSel, OpCmp, OpDiffer},
      uses_k:  op == OpSubk,
      table_a: op == OpGet,
      d:       op == OpPut ? d + pka_slot_t'(counter) : d,
      a:       a,
      b:       b,
      k:       modulus_q + 7'd2
    };
  end

  function automatic logic reads(access_t step, pka_slot_t slot);
    return (step.uses_a && (step.table_a ? slot - step.a < 7'd16 : slot == step.a)) ||
           (step.uses_b && slot == step.b) || (step.uses_k && slot == step.k);
  endfunction
  function automatic logic touches(product_t product, pka_slot_t slot);
    return slot == product.d || slot == product.a || slot == product.b || slot == product.m ||
           slot == product.m + 7'd1;
  endfunction
  // `put` may write each entry of its table: the counter comes too late to say which.
  function automatic logic may_write(pka_slot_t slot);
    return access.writes && (op == OpPut ? slot - d < 7'd16 : slot == d);
  endfunction
  function automatic logic may_disturb(product_t product);
    return may_write(product.d) || may_write(product.a) || may_write(product.b) || may_write(product.m) ||
           may_write(product.m + 7'd1);
  endfunction

  // ---- The conditions to issue.
  logic is_product, is_step, chain, tail, settled, units_quiet, adder_quiet;
  product_t product;
  assign is_product  = op inside {OpMul, OpMulw};
  assign is_step     = op inside {[OpAdd:OpFidx]};
  assign product     = '{d: d, a: a, b: b, m: modulus_q, wide: op == OpMulw};
  assign chain       = n_q >= 5'd5;
  assign tail        = tail_q > 5'd2;
  assign adder_quiet = step_pending_i == '0;
  assign settled     = !front_valid_q && tail_q == '0;
  assign units_quiet = settled && adder_quiet;

  // A multiplication in flight writes what this instruction needs.
  function automatic logic needs(pka_slot_t slot);
    return (front_valid_q && slot == front_q.d) || (tail && slot == tail_product_q.d);
  endfunction

  logic wide_waits, product_waits, step_waits;
  always_comb begin
    wide_waits    = (front_valid_q && front_q.wide) || (tail && tail_product_q.wide);
    product_waits = wide_waits || !multiply_ready_i || (product.wide && !adder_quiet);
    // With enough words the first ones of the result are ready in time.
    if (!chain && tail) begin
      product_waits |= product.d == tail_product_q.d || product.a == tail_product_q.d || product.b == tail_product_q.d;
      product_waits |= !product.wide && (product.m == tail_product_q.d || product.m + 7'd1 == tail_product_q.d);
    end
    if (!chain && front_valid_q) begin
      product_waits |= product.d == front_q.d || product.a == front_q.d || product.b == front_q.d;
      product_waits |= !product.wide && (product.m == front_q.d || product.m + 7'd1 == front_q.d);
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

  always_comb begin
    unique case (op)
      OpMul, OpMulw:         issue = !product_waits;
      OpFail, OpFailn, OpJbit: issue = adder_quiet;
      OpSize, OpEnd:         issue = units_quiet;
      OpIn:                  issue = units_quiet && bytes_free_i;
      OpOut:                 issue = units_quiet && bytes_free_i && may_out_i;
      default:               issue = !is_step || !step_waits;
    endcase
    issue = issue && running_q && !bytes_busy_i;
  end

  // ---- The next instruction.
  always_comb begin
    next_pc = pc_q + 11'd1;
    unique case (op)
      OpJmp, OpCall: next_pc = immediate[10:0];
      OpRet:         next_pc = stack_q[depth_q-2'd1];
      OpLoop:        if (!counter[13]) next_pc = immediate[10:0];
      OpJbit:        if (!idx_i[0]) next_pc = immediate[10:0];
      default: ;
    endcase
  end
  assign end_o = issue && op == OpEnd;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      running_q <= 1'b0;
    end else if (start_i) begin
      running_q     <= 1'b1;
      pc_q          <= entry_i;
      depth_q       <= '0;
      status_o      <= '0;
    end else if (issue) begin
      pc_q          <= next_pc;
      if (op == OpEnd) running_q <= 1'b0;
      if (op == OpCall) begin
        stack_q[depth_q] <= pc_q + 11'd1;
        depth_q          <= depth_q + 2'd1;
      end
      if (op == OpRet) depth_q <= depth_q - 2'd1;
      if (op inside {OpFail, OpFailn} && flag_i == (op == OpFail) && status_o == '0) status_o <= immediate[7:0];
    end
  end

  assign fetch_o         = start_i || issue;
  assign fetch_address_o = start_i ? entry_i : next_pc;

  // ---- Counters, lengths.
  pka_count_t  wide_n, extended;
  logic [12:0] rounded;
  logic [4:0]  words;
  logic [2:0]  curve;
  assign wide_n   = pka_count_t'(n_q) * 14'd136;
  assign rounded  = 13'(counter) + 13'd135;
  assign words    = word_of(rounded) < 5'd2 ? 5'd2 : word_of(rounded);
  assign curve    = parameter_i[1][2:0];
  assign extended = immediate >= 14'd8 ? pka_count_t'(CurveParameter[curve][4'(immediate - 14'd8)])
                                       : pka_count_t'(parameter_i[immediate[2:0]]);
  always_comb begin
    unique case (count_e'(f))
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
    if (op == OpBit) counter_d = counter - 14'd1;
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      if (op inside {OpCount, OpBit}) counter_q[c] <= counter_d;
      if (op == OpMod) modulus_q <= a;
      if (op == OpSize) begin
        unique case (size_e'(f))
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
  assign multiply_o    = issue && is_product;
  assign multiply_op_o = '{
    n:      n_q,
    square: a == b,
    reduce: op == OpMul,
    a:      address(a, log_q),
    b:      address(b, log_q),
    m:      address(modulus_q, log_q),
    n0:     address(modulus_q + 7'd1, log_q),
    d:      address(d, log_q)
  };

  logic         constant;
  pka_address_t base;
  assign constant = op inside {OpGetc, OpLdc};
  always_comb begin
    base = address(a, log_q);
    if (op == OpHigh) base = base + pka_address_t'(n_q);
    if (constant) base = pka_address_t'(CurveBase[curve]) + pka_address_t'(a) * pka_address_t'(n_q);
  end
  assign step_o    = issue && is_step;
  assign step_op_o = '{
    operation: op,
    test:      f[1:0],
    n:         n_q,
    d:         address(access.d, log_q),
    a:         base,
    b:         access.uses_b ? address(b, log_q) : base,
    k:         address(access.k, log_q),
    stride:    constant ? 6'(n_q) : 6'd1 << log_q,
    constant:  constant,
    value:     op == OpLdi ? immediate : counter
  };

  assign bytes_wanted_o  = running_q && (op == OpIn || (op == OpOut && may_out_i));
  assign bytes_in_o      = issue && op == OpIn;
  assign bytes_out_o     = issue && op == OpOut;
  assign bytes_address_o = op == OpIn ? address(d, log_q) : address(a, log_q);
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
      if (multiply_o) begin
        front_valid_q <= 1'b1;
        front_q       <= product;
      end
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

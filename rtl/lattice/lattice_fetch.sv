// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The program of the source: the instruction that runs, and what it is, from registers.
//
// The memory's output is late in a cycle, so it stands there for the next instruction while one runs. After a jump, the start
// among them, there is none for a cycle.
module lattice_fetch
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        start_i,          // at `entry_i`
  input  logic [10:0] entry_i,
  input  logic        advance_i,        // to the next instruction
  input  logic        back_i,           // ... to the one that this one names
  input  logic        dsa_i,
  input  dsa_set_e    set_i,
  output logic        jumped_o,         // none runs
  output logic        puts_next_o,      // the next one begins with a block that is put into Keccak
  output logic        inits_next_o,     // ... or begins a hash
  output source_instruction_t now_o,
  output logic [7:0]  words_o,          // that enter, or that leave less one
  output logic        expands_o,        // it hashes what becomes registers
  output logic        samples_o,        // ... polynomials
  output logic        masks_o,          // SourceMask
  // For what chooses words: SourceIn, it or SourceDecode, SourceMessage, SourceAbsorb, SourceStored.
  output logic        enters_o,
  output logic        takes_o,
  output logic        of_message_o,
  output logic        of_register_o,
  output logic        of_stored_o,
  output logic        absorbs_out_o,    // SourceHashOut
  output logic [3:0][2:0] reads_o,      // registers that it reads, by the part of a block or of a hash
  output logic        holds_o           // it waits for the arithmetic of the job before
);
  logic [10:0]         pc_q, next;
  source_instruction_t ahead_q;
  // Two bits more than an instruction has, because they are wanted early: how it begins with Keccak.
  function automatic logic puts_block(source_instruction_t instruction);
    return instruction.op inside {SourceG, SourceExpand, SourceNonce, SourcePrf, SourceXof, SourceBounded, SourceMask};
  endfunction
  function automatic logic is_init(source_instruction_t instruction);
    return instruction.op == SourceInit;
  endfunction
  (* rom_style = "block" *) logic [$bits(source_instruction_t)+1:0] program_q [SourceWords];
  initial for (int unsigned i = 0; i < SourceWords; i++) begin
    program_q[i] = {
      is_init(source_instruction_t'(SourceProgram[i])), puts_block(source_instruction_t'(SourceProgram[i])),
      SourceProgram[i]
    };
  end

  // Of a hash what it is compared with.
  function automatic logic [2:0] register_of(source_instruction_t instruction, logic [1:0] part, logic dsa);
    unique case (instruction.op)
      SourceAbsorb, SourceEmit: return instruction.a[2:0];
      SourceMessage:            return Message;
      SourceFinal:              return !dsa ? Hash : part[0] ? DsaC2 : DsaC;
      SourceG:                  return part[0] ? Hash : Message;
      SourcePrf:                return Sigma;
      SourceExpand:             return DsaSeed;
      SourceNonce:              return part[1] ? (part[0] ? DsaMu2 : DsaMu) : part[0] ? DsaC2 : DsaC;
      SourceBounded, SourceMask: return part[0] ? DsaSeed2 : DsaSeed;
      default:                  return Rho;
    endcase
  endfunction

  logic fetches;
  assign fetches = start_i || jumped_o || advance_i;
  assign next    = start_i ? entry_i : back_i ? {now_o.a, now_o.b, now_o.f} : pc_q;
  always_ff @(posedge clk_i) begin
    jumped_o <= !clear_i && (start_i || back_i);
    if (fetches) begin
      pc_q    <= next + 11'd1;
      {inits_next_o, puts_next_o, ahead_q} <= program_q[next[$clog2(SourceWords)-1:0]];
    end
    if (jumped_o || advance_i) begin
      now_o     <= ahead_q;
      words_o   <= 8'(dsa_i ? form_bits(form_e'(ahead_q.a), set_i) : 5'(ahead_q.a)) << 1;
      expands_o <= ahead_q.op inside {SourceG, SourceExpand, SourceNonce};
      for (int unsigned i = 0; i < 4; i++) reads_o[i] <= register_of(ahead_q, 2'(i), dsa_i);
      samples_o <= ahead_q.op inside {SourcePrf, SourceXof, SourceBounded, SourceMask, SourceBall};
      holds_o   <= ahead_q.op inside {SourceWait, SourceLeave, SourceEmit, SourceHashOut}
                   || (ahead_q.op == SourceDecode && ahead_q.f[1]);
      enters_o      <= ahead_q.op == SourceIn;
      takes_o       <= ahead_q.op inside {SourceIn, SourceDecode};
      of_message_o  <= ahead_q.op == SourceMessage;
      of_register_o <= ahead_q.op == SourceAbsorb;
      of_stored_o   <= ahead_q.op == SourceStored;
      masks_o       <= ahead_q.op == SourceMask;
      absorbs_out_o <= ahead_q.op == SourceHashOut;
      if (ahead_q.op == SourceMessage) words_o <= 8'd2;
      if (ahead_q.op == SourceHashOut) words_o <= 8'(ahead_q.a) * (dsa_i ? 8'd20 : 8'd24) - 8'd1;
    end
  end
endmodule

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Begins in the cycle after STEP the section of the stream's next uop, and computes what this uop waits for. Combinational.
// Synthesis keeps the module: a mapper that sees longer paths elsewhere would make these as long.
(* keep_hierarchy = "yes" *)
module aes_wants
  import aes_place_pkg::*;
  import aes_uop_pkg::*;
(
  input  logic         serial_i,      // GHASH is aes_ghash_serial: it takes a block in many cycles
  input  logic         valid_i,
  input  aes_job_t     job_i,
  input  aes_lengths_t lengths_i,
  input  logic         plain_i,       // the present uop begins or aborts a job: no other waits for its result
  input  logic         leaves_i,      // the next phase begins its section, if it has one
  input  aes_phase_e   phase_i,       // of the present uop
  input  logic         last_i,        // its word is the last one of its section
  input  aes_place_t   next_i,        // of the next uop
  output aes_place_t   next_o,        // with the section that begins
  output logic         begins_o,      // one does
  output logic         steady_o,      // and has the same conditions after its first uop
  output aes_wants_t   wants_o,
  output logic         wakes_o,       // the present uop wakes the stream,
  output logic         wakes_late_o   // or does so late
);
  // Returns the conditions for the uop of `next`, except the result of the present uop. If its payload `steals`, it is in
  // PhStealA.
  function automatic aes_wants_t needs(aes_place_t next, logic steals, aes_job_t job);
    aes_wants_t wants;
    logic       pays, mac_only;
    pays     = next.phase == PhPay;
    mac_only = job.mode inside {ModeGmac, ModeCmac};
    wants    = '0;
    wants.key  = next.phase inside {PhKey, PhTweakKey} && is_last(next);
    wants.word = next.phase inside {
                   PhKey, PhTweakKey, PhState0, PhState1, PhState2, PhIv, PhAad, PhStealA, PhStealB
                 } || (pays && (is_eia2(job) ? next.rest.over8 : next.rest.some)) ||
                 (next.phase == PhFinal && job.verify);
    wants.room = next.phase inside {PhStealB, PhStealC, PhSave0, PhSave1, PhSave2} || (pays && !mac_only && !steals) ||
                 (next.phase == PhFinal && job.append);
    wants.ring = next.phase inside {PhHashKey, PhJ0, PhTweak, PhSubkey, PhB0, PhPayMac, PhStealA, PhStealB} ||
                 (pays && job.mode != ModeGmac) || (next.phase == PhState2 && is_gcm(job.mode)) ||
                 (next.phase == PhAad && job.mode == ModeCcm);
    wants.hash = serial_i && is_gcm(job.mode) &&
                 next.phase inside {PhState1, PhIv, PhIvLength, PhAad, PhPay, PhLengths};
    return wants;
  endfunction

  // Returns whether the uop of `next` needs the result of the present one: a key, a chaining value, a held block.
  function automatic logic needs_result(aes_phase_e next, aes_job_t job);
    aes_mode_e mode;
    mode = job.mode;
    return (last_i && phase_i inside {PhKey, PhTweakKey}) || phase_i == PhTweak ||
           next inside {PhPayMac, PhStealB, PhIvDone} || (next == PhAad && mode == ModeCcm) ||
           (serial_i && is_gcm(mode) && next inside {PhIvWait1, PhFinal, PhSave1}) ||
           (next == PhPay && (mode == ModeCmac || (mode == ModeCbc && !job.decrypt && phase_i == PhPay)));
  endfunction

  logic steals;
  always_comb begin
    steals = 'x;
    {next_o, begins_o, steady_o, wants_o, wakes_o, wakes_late_o} = 'x;
    if (valid_i) begin
      next_o   = next_i;
      begins_o = leaves_i && has_section(next_i.phase);
      if (begins_o) next_o = begin_section(next_i, job_i, lengths_i);
      steady_o = is_steady(next_i.phase, next_o.rest, job_i);
      steals   = job_i.mode == ModeXts && next_o.rest.steals;
      wants_o  = needs(next_o, steals, job_i);
      if (next_i.phase == PhPay && steals) next_o.phase = PhStealA;
      wants_o.result = !plain_i && needs_result(next_i.phase, job_i);
      // The first block of CMAC may be the last, which adds a subkey made of S.
      wakes_late_o   = wants_o.result && phase_i == PhSubkey;
      wakes_o        = wants_o.result && !(phase_i inside {PhKey, PhTweakKey, PhSubkey});
    end
  end
endmodule

// The hash engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_fifo.sv, ../common/ow_ram.sv, ../common/ow_head_fifo.sv and
// ../common/ow_copy.sv before.
sha_pkg.sv
keccak_pkg.sv
hash_pkg.sv
hash_step_pkg.sv
hash_phases_pkg.sv
hash_plan.sv
sha_constants.sv
sha_copy.sv
sha_round.sv
sha_unit.sv
keccak_parity.sv
keccak_chi.sv
keccak_round.sv
keccak_unit.sv
hash_initial.sv
hash_store.sv
hash_exchange.sv
hash_units.sv
hash_sequence.sv
hash_prepare.sv
hash_wants.sv
hash_pick.sv
hash_choice.sv
hash_sched.sv
hash_word.sv
hash_exec.sv
hash_keys.sv
hash.sv

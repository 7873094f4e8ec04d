// The Ascon engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ascon_pkg.sv, ../common/ow_round_robin.sv, ../common/ow_turn_pick.sv,
// ../common/ow_share_pick.sv, ../common/ow_arbiter.sv, ../common/ow_ram.sv and ../common/ow_key_store.sv before.
ascon_job_pkg.sv
ascon_plan.sv
ascon_decide.sv
ascon_step.sv
ascon_unit.sv
ascon_store.sv
ascon.sv

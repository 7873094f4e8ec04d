// The DES engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_ram.sv, ../common/ow_key_store.sv and ../aes/aes_pkg.sv before.
des_pkg.sv
des_job_pkg.sv
des_plan.sv
des_ring.sv
des_pick.sv
des_feed.sv
des.sv

// AES with HMAC, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_ram.sv, ../aes/aes_uop_pkg.sv and ../hash/hash_pkg.sv before.
combined_pkg.sv
combined_plan.sv
combined_fifo.sv
combined_chain.sv

// The AES engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv and ../common/ow_turn_pick.sv before.
aes_pkg.sv
aes_ghash_pkg.sv
aes_uop_pkg.sv
aes_rest_pkg.sv
aes_place_pkg.sv
aes_phases_pkg.sv
aes_plan.sv
aes_sub_word.sv
aes_key_expand.sv
aes_keys.sv
aes_sbox_memory.sv
aes_sub_bytes.sv
aes_mix_sums.sv
aes_mix_columns.sv
aes_stage.sv
aes_pipe.sv
aes_command.sv
aes_store.sv
aes_sequence.sv
aes_wants.sv
aes_sched.sv
aes_entry.sv
aes_ghash.sv
aes_ghash_serial.sv
aes_exit.sv
aes.sv

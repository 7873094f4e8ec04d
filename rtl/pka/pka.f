// The public-key engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_ram.sv and ../common/ascon_pkg.sv before.
pka_rom_pkg.sv
pka_pkg.sv
pka_job_pkg.sv
pka_memory.sv
pka_schedule.sv
pka_sum.sv
pka_carried.sv
pka_product.sv
pka_multiplier.sv
pka_adder_words.sv
pka_adder.sv
pka_sequencer.sv
pka_bytes.sv
pka_rom.sv
pka_core.sv
pka_plan.sv
pka_source.sv
pka_sink.sv
pka_keys.sv
pka_nonce.sv
pka_turns.sv
pka.sv

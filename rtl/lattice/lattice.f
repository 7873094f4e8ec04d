// The lattice engine, in compile order; paths are relative to this file. It needs ../common/ow_spec_pkg.sv,
// ../common/ow_engine_pkg.sv, ../common/ow_turn_pick.sv, ../common/ow_share_pick.sv, ../common/ow_rotate.sv,
// ../common/ow_ram.sv, ../common/ow_key_store.sv, ../common/ow_copy.sv, ../hash/keccak_pkg.sv,
// ../hash/keccak_parity.sv, ../hash/keccak_chi.sv and ../hash/keccak_round.sv before.
lattice_pkg.sv
lattice_rom_pkg.sv
lattice_zetas.sv
lattice_cleared.sv
lattice_lane.sv
lattice_memory.sv
lattice_keccak.sv
lattice_half_round.sv
lattice_keccak_half.sv
lattice_sponge.sv
lattice_choice.sv
lattice_below.sv
lattice_pieces.sv
lattice_slices.sv
lattice_sampler.sv
lattice_unpack.sv
lattice_decoder.sv
lattice_pack.sv
lattice_packer_eight.sv
lattice_packer_two.sv
lattice_packer.sv
lattice_round.sv
lattice_ball.sv
lattice_hints.sv
lattice_arrange.sv
lattice_restore.sv
lattice_operands.sv
lattice_poly_fetch.sv
lattice_sums.sv
lattice_poly.sv
lattice_fetch.sv
lattice_blocks.sv
lattice_registers.sv
lattice_tail.sv
lattice_take.sv
lattice_source.sv
lattice_core.sv
lattice_plan.sv
lattice_pick.sv
lattice_entry.sv
lattice_keys.sv
lattice.sv

// The public-key engine and what its benches may change, in compile order; paths are relative to this file.
bench.vlt
../../../rtl/common/ow_spec_pkg.sv
../../../rtl/common/ow_engine_pkg.sv
../../../rtl/common/ascon_pkg.sv
../../../rtl/common/ow_ram.sv
-F ../../../rtl/pka/pka.f

// lattice_round alone, in compile order; paths are relative to this file.
../../../rtl/lattice/lattice_pkg.sv
../../../rtl/common/ow_copy.sv
../../../rtl/lattice/lattice_round.sv

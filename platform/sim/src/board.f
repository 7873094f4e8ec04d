// The accelerator, and the board around it.
-F ../../../rtl/outwork.f
../../../rtl/outwork_axi.v
board.sv

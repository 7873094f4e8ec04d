// The accelerator, and the board around it.
-F ../../../rtl/outwork.f
board.sv

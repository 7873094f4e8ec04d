// The whole accelerator, in compile order; paths are relative to this file.
common/ow_spec_pkg.sv
common/ow_engine_pkg.sv
common/ow_round_robin.sv
common/ow_fifo.sv
-F aes/aes.f
shell/ow_shell_pkg.sv
shell/ow_window.sv
shell/ow_read_port.sv
shell/ow_assemble.sv
shell/ow_gather.sv
shell/ow_stream_buffer.sv
shell/ow_cursor.sv
shell/ow_reader.sv
shell/ow_writer.sv
shell/ow_write_port.sv
shell/ow_fetch.sv
shell/ow_dispatch.sv
shell/ow_jobs.sv
shell/ow_keys.sv
shell/ow_counters.sv
shell/ow_queue_page.sv
shell/ow_global_page.sv
shell/ow_shell.sv
shell/ow_axil.sv
outwork_top.sv

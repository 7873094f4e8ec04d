# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs a script for Vivado without Vivado: each of its commands becomes a line on the output, words separated by tabs.
#   tclsh vivado_recorder.tcl SCRIPT ARGUMENT…
# A command that is not listed here is an error, as a misspelt one would be.
set commands {
  create_project close_project current_project current_fileset read_verilog set_property update_compile_order
  update_ip_catalog get_files make_wrapper validate_bd_design save_bd_design
  create_bd_design create_bd_cell apply_bd_automation connect_bd_net connect_bd_intf_net assign_bd_address
  get_bd_cells get_bd_pins get_bd_intf_pins get_bd_addr_spaces get_bd_addr_segs
  ipx::package_project ipx::current_core ipx::associate_bus_interfaces ipx::get_user_parameters ipx::get_hdl_parameters
  ipx::create_xgui_files ipx::update_checksums ipx::check_integrity ipx::save_core
}

# Objects are their names.
proc unknown {name args} {
  if {$name ni $::commands} {
    error "Vivado has no command $name, or the recorder does not know it"
  }
  puts [join [list $name {*}$args] \t]
  return [lindex $args 0]
}

set argv [lassign $argv script]
source $script

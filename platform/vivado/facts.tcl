# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Procedures that read what the other scripts must not repeat: version, file lists, presets, addresses.

namespace eval outwork {
  variable root [file normalize [file join [file dirname [info script]] ../..]]

  # Returns the text of a file in the tree.
  proc text {path} {
    variable root
    set channel [open [file join $root $path]]
    set text [read $channel]
    close $channel
    return $text
  }

  proc version {} {
    if {![regexp {__version__: Final = "([^"]+)"} [text outwork/__init__.py] -> version]} {
      error "outwork/__init__.py has no version"
    }
    return $version
  }

  # Returns the files of a list and of the lists that it includes, in compile order.
  proc sources {{list rtl/outwork.f}} {
    variable root
    set folder [file dirname $list]
    set found {}
    foreach line [split [text $list] \n] {
      regsub {//.*} $line {} line
      set words [regexp -all -inline {\S+} $line]
      if {[lindex $words 0] eq "-F"} {
        lappend found {*}[sources [file join $folder [lindex $words 1]]]
      } elseif {[llength $words] > 0} {
        lappend found [file join $root $folder [lindex $words 0]]
      }
    }
    return $found
  }

  # Returns every parameter of a preset and its value, as a dictionary. What a preset does not name is as in `full`.
  proc preset {name} {
    set text [text rtl/presets.json]
    set values {}
    foreach each [list full $name] {
      set pattern [string map [list NAME $each] {"NAME": \{[^{}]*"parameters": \{([^{}]*)\}}]
      if {![regexp $pattern $text -> settings]} {
        error "rtl/presets.json has no preset $each"
      }
      foreach {- key value} [regexp -all -inline {"(\w+)": (\d+)} $settings] {
        dict set values $key $value
      }
    }
    return $values
  }

  # Returns the macros of a preset and their values, as a dictionary.
  proc macros {name} {
    set values {}
    set pattern [string map [list NAME $name] {"NAME": \{[^{}]*\{[^{}]*\},\s*"macros": \{([^{}]*)\}}]
    if {[regexp $pattern [text rtl/presets.json] -> settings]} {
      foreach {- key value} [regexp -all -inline {"(\w+)": (\d+)} $settings] {
        dict set values $key $value
      }
    }
    return $values
  }

  # Returns the files of the accelerator. An IP carries no macros: where there are some, the file that reads them is
  # replaced by a copy in the folder, which begins with them.
  proc configured {macros folder} {
    set files [sources]
    if {[dict size $macros] > 0} {
      set index [lsearch -glob $files */ow_engine_pkg.sv]
      file mkdir $folder
      set copy [file join $folder ow_engine_pkg.sv]
      set channel [open $copy w]
      dict for {name value} $macros {
        puts $channel "`define $name $value"
      }
      puts -nonewline $channel [text rtl/common/ow_engine_pkg.sv]
      close $channel
      lset files $index $copy
    }
    return $files
  }

  # Returns the numbers that a C header defines, as a dictionary.
  proc defines {path} {
    set values {}
    foreach {- name value} [regexp -all -inline -line {^#define (\w+) +(\w+)$} [text $path]] {
      dict set values $name $value
    }
    return $values
  }
}

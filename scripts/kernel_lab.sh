#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel module that measures points of the lab on the system on chip: kernel_lab.sh FOLDER KERNEL [argument of
# make…], after kernel_module.sh with the same arguments. FOLDER/lab/outwork_lab.ko is for the kernel whose build folder is
# KERNEL.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: kernel_lab.sh FOLDER KERNEL [argument of make…]" >&2 && exit 2; }
[ -d "$1/include/outwork" ] || { echo "kernel_lab: $1 has no sources: run kernel_module.sh first" >&2 && exit 1; }
folder=$(cd "$1" && pwd)
kernel=$(cd "$2" && pwd)
shift 2

own=platform/linux/kernel/lab
points=platform/soc/lab
native=outwork/lab/native
mkdir -p "$folder/lab/include"
copy() {
  local to=$1 file
  shift
  for file in "$@"; do
    cmp -s "$file" "$to/${file##*/}" || cp "$file" "$to/"
  done
}
copy "$folder/lab" $own/Kbuild $own/*.[ch] $points/point.[ch] $native/{loop.c,adapter.h,lab.h}
copy "$folder/lab/include" $own/include/*.h
make -C "$kernel" M="$folder/lab" "$@" modules

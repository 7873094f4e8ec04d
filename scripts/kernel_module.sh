#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel module: kernel_module.sh FOLDER KERNEL [argument of make…]. FOLDER/outwork.ko is for the kernel whose
# build folder is KERNEL: /lib/modules/$(uname -r)/build, or build/linux/kernel for the system on chip.
# FOLDER/bench/outwork_bench.ko measures it, FOLDER/faults/outwork_faults.ko makes the device fail, for tests.
#
# FOLDER gets every source of the module first, those of the portable driver in FOLDER/driver: it can be compiled anywhere.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: kernel_module.sh FOLDER KERNEL [argument of make…]" >&2 && exit 2; }
[ -e "$2/Makefile" ] || { echo "kernel_module: $2 is no build folder of a kernel: install its headers" >&2 && exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
kernel=$(cd "$2" && pwd)
shift 2

# What has not changed keeps its time: it is not compiled again.
copy() {
  local to=$1 file
  shift
  mkdir -p "$to"
  for file in "$@"; do
    cmp -s "$file" "$to/${file##*/}" || cp "$file" "$to/"
  done
}
own=platform/linux/kernel
copy "$folder" $own/Kbuild $own/*.[ch]
copy "$folder/include" $own/include/*.h
copy "$folder/include/outwork" driver/include/outwork/*.h platform/linux/include/outwork/linux_abi.h
copy "$folder/driver" driver/src/*.[ch]
copy "$folder/bench" $own/bench/*
copy "$folder/faults" $own/faults/*
make -C "$kernel" M="$folder" CONFIG_CRYPTO_DEV_OUTWORK=m "$@" modules
make -C "$kernel" M="$folder/bench" "$@" modules
make -C "$kernel" M="$folder/faults" "$@" modules

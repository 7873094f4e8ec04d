#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel module: kernel_module.sh FOLDER KERNEL [argument of make…]. FOLDER/outwork.ko is for the kernel whose
# build folder is KERNEL: /lib/modules/$(uname -r)/build, or build/linux/kernel for the system on chip.
# FOLDER/bench/outwork_bench.ko measures it; for tests, FOLDER/faults/outwork_faults.ko makes the device fail, and
# FOLDER/compare/outwork_compare.ko compares results with the kernel's own.
# kernel_lab.sh adds the module that measures points of the lab.
#
# FOLDER gets every source of the module first (kernel_sources.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: kernel_module.sh FOLDER KERNEL [argument of make…]" >&2 && exit 2; }
[ -e "$2/Makefile" ] || { echo "kernel_module: $2 is no build folder of a kernel: install its headers" >&2 && exit 1; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
kernel=$(cd "$2" && pwd)
shift 2

scripts/kernel_sources.sh "$folder"
for part in bench faults compare; do
  mkdir -p "$folder/$part"
  for file in "platform/linux/kernel/$part"/*; do
    cmp -s "$file" "$folder/$part/${file##*/}" || cp "$file" "$folder/$part/"
  done
done
make -C "$kernel" M="$folder" CONFIG_CRYPTO_DEV_OUTWORK=m "$@" modules
for part in bench faults compare; do
  make -C "$kernel" M="$folder/$part" "$@" modules
done

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernel module for another CPU, against the kernel that scripts/linux.sh has unpacked: kernel_cross.sh arm|arm64
#
# With several CPUs, preemption and suspend, which the kernel of the system on chip does not have. Nothing is run: it tells
# whether it compiles without a warning, those of W=1 included. build/linux/ARCH has the result. Needs clang and lld.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1-} in
arm | arm64) ;;
*) echo "usage: kernel_cross.sh arm|arm64" >&2 && exit 2 ;;
esac
sources=(build/soc/linux/sources-*)
[ -e "${sources[0]}/Makefile" ] || { echo "kernel_cross: there are no sources of a kernel: run scripts/linux.sh module" >&2 && exit 1; }
lld=$(compgen -c ld.lld | sort -u | head -n 1)
[ -n "$lld" ] || { echo "kernel_cross: there is no ld.lld: install lld" >&2 && exit 1; }
version=${lld#ld.lld}
folder=$PWD/build/linux/$1
kernel() {
  make -s -C "${sources[0]}" O="$folder/kernel" ARCH="$1" LLVM="${version:-1}" "${@:2}"
}
mkdir -p "$folder/kernel"
{
  cat platform/linux/kernel/test.config
  printf 'CONFIG_%s=y\n' EXPERT MMU ARCH_MULTI_V7 ARCH_VIRT SMP PREEMPT PM SUSPEND EVENTFD PCI PCI_MSI
} >"$folder/all.config"
if ! cmp -s "$folder/all.config" "$folder/prepared.config"; then
  kernel "$1" KCONFIG_ALLCONFIG="$folder/all.config" allnoconfig >/dev/null
  kernel "$1" modules_prepare
  cp "$folder/all.config" "$folder/prepared.config"
fi
for option in SMP PREEMPT PM_SLEEP OF PCI_MSI CRYPTO; do
  grep -qx "CONFIG_$option=y" "$folder/kernel/.config" || { echo "kernel_cross: the kernel does not take $option" >&2 && exit 1; }
done
scripts/kernel_sources.sh "$folder/module"
# The kernel itself is not compiled, so that no symbol of it is known.
kernel "$1" M="$folder/module" CONFIG_CRYPTO_DEV_OUTWORK=m KBUILD_MODPOST_WARN=1 W=1 KCFLAGS=-Werror modules 2>"$folder/errors" ||
  { cat "$folder/errors" >&2 && exit 1; }

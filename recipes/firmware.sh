#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Firmware with Mbed TLS and with wolfSSL, built against an installed tree and run: firmware.sh install|check|uninstall
#
# ROOT=FOLDER is a prefix of every installed path, as anybody. The firmware is for the simulated system on chip.
# shellcheck source=recipes/common.sh
source "$(dirname "$0")/common.sh"
build=$project/build/release
prefix=${ROOT:-}/usr/local
notes=$prefix/share/outwork/installed.txt

# Lists what is in the prefix.
contents() { find "$prefix" -xdev 2>/dev/null | sort || true; }

install() {
  [ -e "$build/CMakeCache.txt" ] || fail "There is no build: run \`make build\` first."
  local before
  before=$(mktemp)
  contents >"$before"
  cmake --install "$build" --component driver --prefix "$prefix"
  contents | comm -13 "$before" - >>"$notes"
  rm "$before"
}

check() {
  local folder packages mbedtls=$project/.venv/mbedtls/3.6.5
  local wolfssl=$project/.venv/wolfssl/5.9.4/vendor/wolfssl-sys/wolfssl-src
  need riscv64-unknown-elf-gcc "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
  need pkg-config pkgconf
  "$project/scripts/mbedtls.sh" 3.6.5
  "$project/scripts/wolfssl.sh" 5.9.4
  folder=$(mktemp -d)
  "$project/.venv/bin/python" "$project/recipes/soc_support.py" "$folder/soc"

  # find_package(Outwork)
  cmake -S "$project/recipes/mbedtls-firmware" -B "$folder/mbedtls" -DCMAKE_PREFIX_PATH="$prefix" -DMBEDTLS="$mbedtls" \
    -DCMAKE_TOOLCHAIN_FILE="$project/recipes/mbedtls-firmware/toolchain.cmake" -DSOC="$folder/soc"
  cmake --build "$folder/mbedtls"
  outwork soc run "$folder/mbedtls/firmware"

  # pkg-config
  packages=$(dirname "$(find "$prefix" -name outwork.pc)")
  PKG_CONFIG_PATH=$packages make -f "$project/recipes/wolfssl-firmware/Makefile" WOLFSSL="$wolfssl" SOC="$folder/soc" \
    OUT="$folder/wolfssl.elf"
  outwork soc run "$folder/wolfssl.elf"
  rm -r "$folder"
}

uninstall() {
  local added
  mapfile -t added < <(sort -r "$notes")
  rm "$notes"
  # A folder comes after what is in it, and stays if somebody else has put something there.
  for path in "${added[@]}"; do
    if [ -d "$path" ] && [ ! -L "$path" ]; then rmdir --ignore-fail-on-non-empty "$path"; else rm -f "$path"; fi
  done
}

recipe "$@"

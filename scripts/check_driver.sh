#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Compiles the driver with one compiler and checks its guarantees: check_driver.sh gcc|clang|arm|riscv32|riscv64 [FOLDER]
#
# Guarantees: no warning; no headers except the freestanding ones and string.h; calls of the four memory functions only;
# no static variables.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
folder=${2:-build/lint}/driver-$kind
flags=(-std=c11 -O2 -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -ffunction-sections -Idriver/include -Idriver/lite/include)
nm="nm"
size="size"
case $kind in
# Not position-independent, so that tables of pointers are constants for the linker too.
gcc) compiler=(gcc -fno-pie) ;;
clang) compiler=(clang -fno-pie) ;;
arm)
  compiler=(arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb)
  nm=arm-none-eabi-nm size=arm-none-eabi-size
  ;;
riscv32)
  compiler=(riscv64-unknown-elf-gcc --specs=picolibc.specs -march=rv32imac -mabi=ilp32)
  nm=riscv64-unknown-elf-nm size=riscv64-unknown-elf-size
  ;;
riscv64)
  compiler=(riscv64-unknown-elf-gcc --specs=picolibc.specs -march=rv64gc -mabi=lp64d -mcmodel=medany)
  nm=riscv64-unknown-elf-nm size=riscv64-unknown-elf-size
  ;;
*) echo "check_driver: no compiler '$kind'" && exit 2 ;;
esac

mapfile -t sources < <(find driver/src driver/lite/src -name '*.c' | sort)
if [ ${#sources[@]} -eq 0 ]; then
  echo "check_driver: driver/src has no C files"
  exit 1
fi
rm -rf "$folder"
mkdir -p "$folder"
objects=()
for source in "${sources[@]}"; do
  object=$folder/$(basename "$source" .c).o
  "${compiler[@]}" "${flags[@]}" -c "$source" -o "$object"
  objects+=("$object")
done

if grep -nHE '^#include <' "${sources[@]}" driver/include/outwork/*.h driver/lite/include/outwork/*.h | grep -vE '<(stddef|stdint|stdbool|string|limits)\.h>|<outwork/'; then
  echo "check_driver: a header that a bare-metal toolchain may not have"
  exit 1
fi

# Symbols that no object of the driver defines, and variables (b, d).
defined=$("$nm" --defined-only --format=posix "${objects[@]}" | awk 'NF > 2 {print $1}' | sort -u)
needed=$("$nm" --undefined-only --format=posix "${objects[@]}" | awk '$2 == "U" {print $1}' | sort -u)
foreign=$(comm -13 <(echo "$defined") <(echo "$needed") | grep -vxE 'mem(cpy|set|cmp|move)|__aeabi_.*|_GLOBAL_OFFSET_TABLE_' || true)
if [ -n "$foreign" ]; then
  echo "check_driver: the driver calls functions of others: $foreign"
  exit 1
fi
variables=$("$nm" --defined-only --format=posix "${objects[@]}" | awk '$2 ~ /^[bBdDcC]$/ {print $1}')
if [ -n "$variables" ]; then
  echo "check_driver: the driver has static variables: $variables"
  exit 1
fi
"$size" --totals "${objects[@]}"

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Installs the kernel of FreeRTOS in .venv/freertos/V11.2.0, for programs on the system on chip. It is fetched once, from a
# crate that carries its sources unchanged.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
release=V11.2.0
folder=.venv/freertos/$release
fetched=.venv/freertos/fetch-$release
[ ! -d "$folder" ] || exit 0
if ! command -v cargo >/dev/null; then
  echo "freertos: cargo, which fetches the sources, is not installed: install the package cargo" >&2
  exit 1
fi
echo "setup: fetching FreeRTOS $release"
fetch_crate freertos-next 0.10.0 "$fetched"
sources=$fetched/vendor/freertos-next/FreeRTOS-Kernel
if ! grep -q "tskKERNEL_VERSION_NUMBER  *\"$release\"" "$sources/include/task.h"; then
  echo "freertos: the crate has another release than $release" >&2
  exit 1
fi
mv "$sources" "$folder"

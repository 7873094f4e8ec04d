#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the PSA driver's benchmark from a build folder, in each release of Mbed TLS that is installed: bench_psa.sh FOLDER [ROW…]
set -uo pipefail
folder=${1:?usage: bench_psa.sh FOLDER [ROW…]}
shift
board=$folder/lib/libow_board_128.so
status=0
shopt -s nullglob
benches=("$folder"/bin/psa_benchmark_*)
if [ ${#benches[@]} -eq 0 ]; then
  echo "bench: no psa_benchmark_RELEASE in $folder/bin: make bench-psa builds them if scripts/mbedtls.sh can fetch Mbed TLS" >&2
  exit 2
fi
sed -n 's/^model name[^:]*: /Software on: /p' /proc/cpuinfo | head -n 1
for bench in "${benches[@]}"; do
  "$bench" "$board" "$@" || status=1
done
exit $status

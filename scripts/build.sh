#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Configures (when new, or when options are given) and builds a build folder: build.sh FOLDER [-DNAME=VALUE…]
# TARGET: what to build; default: everything.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
cmake=.venv/bin/cmake
read -ra targets <<<"${TARGET:-all}"

if [ ! -e "$folder/build.ninja" ]; then
  # Tests need more system packages than running does; `make test` turns them on.
  set -- -DOUTWORK_TESTS=OFF "$@"
fi
if [ $# -gt 0 ]; then
  echo "build: configuring $folder"
  $cmake -G Ninja -S . -B "$folder" --log-level=WARNING -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
    -DPython3_EXECUTABLE="$PWD/.venv/bin/python" "$@"
fi
echo "build: compiling $folder"
$cmake --build "$folder" --parallel "${JOBS:-2}" --target "${targets[@]}" -- --quiet

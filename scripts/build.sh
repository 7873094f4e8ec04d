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

# Two builds at once would damage ninja's record of what depends on what: the second one waits. What a build leaves running
# does not keep the lock.
mkdir -p "$folder"
exec {lock}>"$folder/build.lock"
flock --nonblock "$lock" || { echo "build: waiting for another build in $folder" && flock "$lock"; }

if [ ! -e "$folder/build.ninja" ]; then
  # Tests need more system packages than running does; `make test` turns them on. A build folder stays on its machine.
  set -- -DOUTWORK_TESTS=OFF -DOUTWORK_NATIVE=ON "$@"
  # The C++ is mostly what Verilator writes: clang compiles it in 60 % of g++'s time, to something faster. It may be
  # installed without a C++ library that it finds.
  if [ -z "${CXX:-}" ] && echo '#include <vector>' | clang++ -x c++ -fsyntax-only - 2>/dev/null; then
    set -- -DCMAKE_CXX_COMPILER=clang++ "$@"
  fi
fi
if [ $# -gt 0 ]; then
  echo "build: configuring $folder"
  $cmake -G Ninja -S . -B "$folder" --log-level=WARNING -DCMAKE_MAKE_PROGRAM="$PWD/.venv/bin/ninja" \
    -DPython3_EXECUTABLE="$PWD/.venv/bin/python" "$@"
fi
scripts/stale_headers.sh "$folder"
echo "build: compiling $folder"
$cmake --build "$folder" --parallel "${JOBS:-2}" --target "${targets[@]}" -- --quiet {lock}>&-

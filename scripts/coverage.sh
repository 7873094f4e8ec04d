#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the fast tests on a simulated board that records RTL coverage, and reports what they reached.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/coverage
data=$PWD/$folder/data

scripts/build.sh $folder -DOUTWORK_COVERAGE=ON -DOUTWORK_TESTS=OFF
rm -rf "$data"
mkdir -p "$data"
# Every board that closes writes one file there. A failed test is reported after the coverage.
status=0
OUTWORK_LIBRARY_PATH=$PWD/$folder/lib OUTWORK_COVERAGE_FOLDER=$data \
  .venv/bin/python -m pytest -n "${JOBS:-2}" --dist worksteal -q -m "not slow and not speed" || status=1

mapfile -d '' -t files < <(find "$data" -name '*.dat' -print0)
if [ ${#files[@]} -eq 0 ]; then
  echo "coverage: no test wrote coverage data to $data"
  exit 1
fi
.venv/bin/python scripts/coverage_report.py "${files[@]}" --missed $folder/missed.txt | tee $folder/report.txt
echo "coverage: points that no test reached are listed in $folder/missed.txt"
exit $status

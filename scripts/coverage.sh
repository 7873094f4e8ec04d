#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the fast tests on simulated boards and a driver that record coverage, and reports what they reached.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/coverage
data=$PWD/$folder/data

scripts/build.sh $folder -DOUTWORK_COVERAGE=ON -DOUTWORK_TESTS=ON
rm -rf "$data"
mkdir -p "$data"
find $folder -name '*.gcda' -delete
# Each board writes a file into $data when it closes; each process updates those of the driver's objects when it ends.
# A failed test is reported after the coverage.
export OUTWORK_COVERAGE_FOLDER=$data
status=0
.venv/bin/ctest --test-dir $folder --parallel "${JOBS:-2}" --output-on-failure --no-tests=error \
  --tests-regex '^driver_' --exclude-regex 'example|board_(64|32)' --label-exclude '^slow$' || status=1
OUTWORK_TEST_BUILD=$folder OUTWORK_LIBRARY_PATH=$PWD/$folder/lib .venv/bin/python -m pytest -n "${JOBS:-2}" --dist worksteal -q \
  -m "not slow and not speed" || status=1

report() { # the folder of the sources, and the ending of the files that tell of it
  mapfile -d '' -t files < <(find $folder -name "*.$2" -print0)
  if [ ${#files[@]} -eq 0 ]; then
    echo "coverage: no test wrote .$2 files below $folder"
    exit 1
  fi
  .venv/bin/python scripts/coverage_report.py "${files[@]}" --root "$1" --missed "$folder/missed-${1%%/*}.txt"
}
{ report rtl dat && echo && report driver/src gcda; } | tee $folder/report.txt
echo "coverage: points that no test reached are listed in $folder/missed-rtl.txt and missed-driver.txt"
exit $status

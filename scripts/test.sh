#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the C and RTL block tests of a build folder, then pytest: test.sh FOLDER [pytest argument…]
#
# Both always run; the exit status is a failure if either failed, or if there was nothing to run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
folder=$1
shift
jobs=${JOBS:-2}

# `not slow` selects the fast tests in both runners: a slow test carries the ctest label "slow".
labels=()
[[ " $* " == *"not slow"* ]] && labels=(--label-exclude '^slow$')
# Side by side: each has parts in which one processor waits. ctest gets half of the jobs: with pytest's workers they keep
# all processors busy, and it still ends first.
echo "test: ctest, and pytest"
scripts/beside.sh build/ctest.log scripts/part.sh "ctest" .venv/bin/ctest --test-dir "$folder" --parallel "$(((jobs + 1) / 2))" \
  --output-on-failure --no-tests=error "${labels[@]}" -- \
  scripts/part.sh "pytest" .venv/bin/python -m pytest -n "$jobs" --dist worksteal "$@"

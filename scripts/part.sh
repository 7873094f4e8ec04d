#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs a part of a long task and says how long it took: part.sh NAME COMMAND…
#
# Two figures, in seconds: by the clock, and of the processors. Both are kept in build/times.txt too, for a summary.
set -uo pipefail
name=$1
shift
spent=$(mktemp)
TIMEFORMAT='%R %U %S'
{ time "$@" 2>&3; } 3>&2 2>"$spent"
status=$?
mkdir -p build
awk -v name="$name" '{printf "%-24s %6.0f s, of processors %6.0f s\n", name, $1, $2 + $3}' "$spent" | tee -a build/times.txt
rm -f "$spent"
exit $status

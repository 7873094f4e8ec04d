#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs two commands at the same time: beside.sh LOG COMMAND… -- COMMAND…
#
# What the first one prints goes to LOG, and is shown when both have ended. The exit status is 1 if the second one failed,
# 2 if only the first one did.
# Where the second one is interrupted, the first one ends too.
set -uo pipefail
log=$1
shift
first=()
while [ "$1" != -- ]; do
  first+=("$1")
  shift
done
shift
mkdir -p "$(dirname "$log")"
setsid "${first[@]}" >"$log" 2>&1 &
group=$!
trap 'kill -- -$group 2>/dev/null' EXIT
status=0
"$@" || status=1
wait $group || status=$((status == 0 ? 2 : status))
trap - EXIT
cat "$log"
exit $status

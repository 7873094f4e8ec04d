#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs a test with a board served by `outwork board --listen`, whose socket is in
# OUTWORK_TEST_SOCKET: with_board.sh COMMAND…
set -euo pipefail
project=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
"$project/.venv/bin/outwork" board --listen "$folder/board" &
board=$!
trap 'kill $board 2>/dev/null || true; wait $board 2>/dev/null || true; rm -rf "$folder"' EXIT
for _ in $(seq 300); do
  [ ! -S "$folder/board" ] || break
  kill -0 $board # fails if the server has ended
  sleep 0.1
done
OUTWORK_TEST_SOCKET=$folder/board "$@"

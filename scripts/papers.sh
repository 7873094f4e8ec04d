#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Runs the plans of the five publications and makes one report of them: papers.sh [FOLDER] [what to give to `outwork lab run`…]
# What was measured before in FOLDER (build/papers) is kept, so that an interrupted run goes on.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build/papers}
shift || true
plans=(wp512 wp437 imxrt zybo2014 cowart2017)
mkdir -p "$folder"
.venv/bin/outwork lab run "${plans[@]}" -o "$folder" "$@"
records=("${plans[@]/%/.jsonl}")
.venv/bin/outwork lab report "${records[@]/#/$folder/}" -o "$folder/report.html"
printf 'papers: done in %d minutes; open %s in a browser\n' $((SECONDS / 60)) "$(realpath "$folder")/report.html"

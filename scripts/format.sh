#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Rewrites Python and C files in the project's format. SystemVerilog is not changed: verible's formatter removes
# alignment that helps the reader.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/lib.sh
.venv/bin/ruff check --fix --quiet .
.venv/bin/ruff format .
mapfile -t files < <(files_in_c_style)
if [ ${#files[@]} -gt 0 ]; then
  .venv/bin/clang-format -i "${files[@]}"
fi

#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Rewrites Python and C files in the project's format. SystemVerilog is not changed: verible's formatter removes
# alignment that helps the reader.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/ruff check --fix --quiet .
.venv/bin/ruff format .
mapfile -t files < <(git ls-files '*.c' '*.h' '*.cpp' ':!driver/include/outwork/spec.h' ':!driver/lite/include/outwork/lite_spec.h')
if [ ${#files[@]} -gt 0 ]; then
  .venv/bin/clang-format -i "${files[@]}"
fi

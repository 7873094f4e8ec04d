#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Measures the figures in README.md and docs/figures.md: bench.sh [--no-files]
set -euo pipefail
cd "$(dirname "$0")/.."
exec .venv/bin/python scripts/figures.py "$@"

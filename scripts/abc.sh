#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Lets SymbiYosys use the ABC of a distribution: removes an option that releases do not support, and completes
# their trace to an AIGER witness.
set -euo pipefail
berkeley-abc "$1" "${2/pdr -v -l/pdr -v}"
trace=${2##*write_cex -a }
if [ -s "$trace" ]; then
  sed -i -e '1i1\nb0' -e 's/# DONE/\n./' "$trace"
fi

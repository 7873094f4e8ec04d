#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# Removes the precompiled headers of a build folder if system headers were installed after them: stale_headers.sh FOLDER [INCLUDES]
# A package manager gives files the date at which they were packaged, so ninja does not see that such a header is out of
# date; clang does, and refuses it.
set -euo pipefail
folder=$1
includes=${2:-/usr/include}
[ -d "$folder" ] || exit 0
oldest=$(find "$folder" -name '*.pch' -printf '%T@ %p\n' | sort -n | sed -n '1s/^[^ ]* //p')
if [ -n "$oldest" ] && [ -n "$(find "$includes" -type f -cnewer "$oldest" -print -quit)" ]; then
  echo "build: system headers are newer than what was precompiled from them; precompiling again"
  find "$folder" -name '*.pch' -delete
fi

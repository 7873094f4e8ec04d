# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Functions that several scripts share: run named steps, print the output of those that fail, return a correct status; fetch
# sources.

failed_steps=()

# step NAME COMMAND…: prints one line if it passes, its output if it fails.
step() {
  local name=$1 log start=$SECONDS
  shift
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then
    printf '  ok    %-28s %3d s\n' "$name" $((SECONDS - start))
  else
    printf '  FAIL  %s\n' "$name"
    sed 's/^/        /; 60q' "$log"
    [ "$(wc -l <"$log")" -le 60 ] || printf '        … %d lines in all\n' "$(wc -l <"$log")"
    failed_steps+=("$name")
  fi
  rm -f "$log"
}

# finish TITLE: prints the result of all steps; sets the script's exit status.
finish() {
  if [ ${#failed_steps[@]} -gt 0 ]; then
    local IFS=,
    echo "$1: failed: ${failed_steps[*]}"
    exit 1
  fi
  echo "$1: all passed"
}

# fetch_crate NAME VERSION FOLDER: has cargo fetch a crate, which carries sources in C, into FOLDER/vendor/NAME.
fetch_crate() {
  mkdir -p "$3/src"
  touch "$3/src/lib.rs"
  printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n%s = "=%s"\n' "$1" "$2" >"$3/Cargo.toml"
  (cd "$3" && cargo vendor --quiet vendor >/dev/null)
}

# Prints the files of C and C++ that clang-format formats: not generated ones, nor the kernel module, which has the kernel's style.
files_in_c_style() {
  git ls-files '*.c' '*.h' '*.cpp' ':!driver/include/outwork/spec.h' ':!driver/lite/include/outwork/lite_spec.h' ':!platform/linux/kernel/*'
}

# debian_kernel [VERSION]: prints the release of the kernel that this distribution installs, such as 6.1.0-56-amd64, or that it has
# of this version (6.12); nothing if it has none.
debian_kernel() {
  { apt-cache depends "linux-headers-${1:+$1-}amd64" 2>/dev/null || true; } |
    sed -n 's/.*Depends: linux-headers-\(.*-amd64\)$/\1/p' | head -n 1
}

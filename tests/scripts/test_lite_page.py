# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the small accelerator: its example is the one that is compiled, its registers and its area are those there are."""

import re
from pathlib import Path

from page_blocks import blocks

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "rtl/lite/README.md").read_text(encoding="utf-8")


def test_example_is_compiled() -> None:
    shown = blocks(PAGE, "c").strip()
    assert shown
    assert shown in (ROOT / "driver/lite/examples/crypt.c").read_text(encoding="utf-8")


def test_registers_are_all() -> None:
    numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    header = (ROOT / "driver/lite/include/outwork/lite_spec.h").read_text(encoding="utf-8")
    count = len(re.findall(r"^#define OW_LITE_\w+_OFFSET ", header, re.MULTILINE))
    assert f"[{numbers[count]} words](../../docs/reference/lite.md)" in PAGE


def test_area_is_below_the_budget() -> None:
    (luts,) = re.findall(r"^\| Outwork lite \| ([\d,]+) \|", PAGE, re.MULTILINE)
    assert int(luts.replace(",", "")) < 3000

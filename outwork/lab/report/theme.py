# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The colours of the report, each with a light and a dark shade, and how a curve of each engine is drawn.

The colours can be distinguished with each of the three kinds of colour blindness; markers and dashes differ too.
`tests/unit/test_lab_report.py` checks their contrast.
"""

from dataclasses import dataclass
from typing import Final

from outwork.lab.records import Kind


@dataclass(frozen=True)
class Shade:
    light: str
    dark: str


# : By name: in the page `var(--name)`, in a figure the placeholder for it.
SHADES: Final = {
    "paper": Shade("#ffffff", "#12161c"),
    "panel": Shade("#f5f6f8", "#1a2028"),
    "rule": Shade("#d8dce2", "#323b47"),
    "grid": Shade("#e6e9ed", "#28303a"),
    "ink": Shade("#16191d", "#e8ecf1"),
    "muted": Shade("#59616d", "#a0aab8"),
    "accent": Shade("#0a5cbd", "#7ab8ff"),
    "wins": Shade("#e2eefc", "#163154"),
    "outwork": Shade("#0a6ad6", "#5aa7ff"),
    "registers": Shade("#4b2a8c", "#cdb8ff"),
    "software-openssl": Shade("#b53d00", "#f0803c"),
    "software-mbedtls": Shade("#a17c00", "#f3d36b"),
    "software-wolfssl": Shade("#d4519f", "#d96fb0"),
    "software-plain": Shade("#6b4423", "#c79a72"),
    "cpu-openssl": Shade("#0a6b4a", "#35b584"),
    "cpu-mbedtls": Shade("#5f8f14", "#b3df6a"),
    "cpu-ipsec-mb": Shade("#1496b8", "#7fe3f5"),
    "published": Shade("#4e5560", "#b4bcc8"),
    # Stages of a job, in order of time. Neighbours differ in lightness, so that a bar is readable in grey.
    "stage-rest": Shade("#b9c0ca", "#59636f"),
    "stage-fetch": Shade("#8a5a2b", "#d3a87c"),
    "stage-wait": Shade("#f2c14e", "#fbe29a"),
    "stage-prepare": Shade("#7a4a9e", "#a487da"),
    "stage-data": Shade("#4a9be8", "#3f82cf"),
    "stage-tag": Shade("#0b6a4a", "#4fc79b"),
    "stage-write": Shade("#8fd0c4", "#cdf1ea"),
    "stage-complete": Shade("#b02a7a", "#e27fb8"),
    # From low to high.
    **{
        f"heat-{step}": Shade(light, dark)
        for step, (light, dark) in enumerate(
            (
                ("#f2f6fb", "#171d26"),
                ("#dde9f7", "#17283d"),
                ("#c3daf2", "#183555"),
                ("#a3c7eb", "#1a446f"),
                ("#7cb0e2", "#1d5489"),
                ("#4b8fd0", "#2c679c"),
                ("#2a70b6", "#5b99cd"),
                ("#175496", "#8bbce6"),
                ("#0b3c73", "#c0dffa"),
            )
        )
    },
    **{
        f"heat-ink-{step}": Shade("#16191d" if step < 6 else "#ffffff", "#e8ecf1" if step < 6 else "#12161c")
        for step in range(9)
    },
}
HEAT_STEPS: Final = 9


@dataclass(frozen=True)
class Style:
    shade: str
    marker: str  # matplotlib's name


_STYLES: Final = {
    ("accelerator", "outwork"): Style("outwork", "o"),
    ("accelerator", "outwork-files"): Style("outwork", "o"),
    ("accelerator", "registers"): Style("registers", "P"),
    ("software", "mbedtls"): Style("software-mbedtls", "^"),
    ("software", "wolfssl"): Style("software-wolfssl", "v"),
    ("software", "plain-O2"): Style("software-plain", "<"),
    ("software", "plain-O0"): Style("software-plain", ">"),
    ("software", "radio"): Style("software-plain", "<"),
    ("software", "radio-constant-time"): Style("software-plain", ">"),
    ("cpu", "mbedtls"): Style("cpu-mbedtls", "^"),
    ("cpu", "ipsec-mb"): Style("cpu-ipsec-mb", "X"),
}
_BY_ENGINE: Final = {
    "software": Style("software-openssl", "s"),
    "cpu": Style("cpu-openssl", "D"),
    "accelerator": Style("outwork", "o"),
}
PUBLISHED: Final = Style("published", "d")

NAMES: Final = {
    "outwork": "Outwork",
    "openssl": "OpenSSL",
    "mbedtls": "Mbed TLS",
    "wolfssl": "wolfSSL",
    "ipsec-mb": "intel-ipsec-mb",
    "plain-O2": "plain C, -O2",
    "plain-O0": "plain C, -O0",
    "radio": "Outwork's plain C",
    "radio-constant-time": "Outwork's constant-time C",
    "registers": "a core behind registers",
}
FAMILIES: Final = {"software": "without crypto instructions", "cpu": "with crypto instructions"}


def style(engine: str, implementation: str) -> Style:
    return _STYLES.get((engine, implementation)) or _BY_ENGINE.get(engine, PUBLISHED)


def title(engine: str, implementation: str) -> str:
    """Returns the name of an engine as its makers write it."""
    name, comma, files = short_title(implementation).partition(", files")
    # The lab's own code has no other build from which it must be distinguished.
    family = f" {FAMILIES[engine]}" if engine in FAMILIES and not implementation.startswith("plain") else ""
    return f"{name}{family}{comma}{files}"


def short_title(implementation: str) -> str:
    base = implementation.removesuffix("-files")
    return NAMES.get(base, base) + (", files" if base != implementation else "")


@dataclass(frozen=True)
class KindText:
    mark: str
    word: str
    meaning: str


# : "mixed" is not a record's kind: it marks values calculated from figures of several kinds.
KINDS: Final = {
    Kind.MEASURED.value: KindText("●", "measured", "CPU time on this machine"),
    Kind.COUNTED.value: KindText(
        "■", "counted", "cycles that the simulated device counts itself; time and MB/s at its board's clock"
    ),
    Kind.MODELLED.value: KindText(
        "▲", "modelled", "calculated from counted and published parts: a design that is not in Outwork"
    ),
    Kind.PUBLISHED.value: KindText("◆", "published", "a figure published by others, in their setting"),
    "mixed": KindText("◐", "mixed", "calculated from figures of more than one kind; the column or caption says which"),
}

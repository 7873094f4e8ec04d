# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What the planner of an engine is told of a slot and what it answers, for golden models."""

from dataclasses import dataclass


@dataclass
class KeyInfo:
    """What the shell says of a slot (ow_key_info_t)."""

    valid: bool = True
    encrypt: bool = True
    decrypt: bool = True
    mac: bool = True
    kind: int = 0


@dataclass
class Plan:
    """ow_plan_t, in the order of the bench."""

    status: int
    uses_key: int = 0
    key_words: int = 0
    iv_bytes: int = 0
    payload_bytes: int = 0
    tag_in_bytes: int = 0
    out_bytes: int = 0
    state_in: int = 0
    state_out: int = 0
    state_at: int = 0
    state_words: int = 0
    aad_skew: int = 0
    aad_bytes: int = 0

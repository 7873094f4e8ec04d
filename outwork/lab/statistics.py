# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Statistics of a few samples: percentiles, reliability of the median, the ratio of two medians with its interval."""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from outwork.lab.records import Spread

# If the distance from the 5th to the 95th percentile is larger than this share, the median is not reliable.
WIDE: Final = 0.10
RESAMPLES: Final = 1000
SEED: Final = 20171


def percentile(samples: Sequence[float], share: float) -> float:
    """Interpolates linearly between order statistics (type 7 of Hyndman and Fan, numpy's default). share: 0 to 1."""
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def spread(samples: Sequence[float]) -> Spread:
    return Spread(percentile(samples, 0.05), percentile(samples, 0.5), percentile(samples, 0.95))


def is_wide(samples: Sequence[float]) -> bool:
    found = spread(samples)
    return found.p95 - found.p5 > WIDE * found.p50


@dataclass(frozen=True)
class Ratio:
    """The ratio of two medians, with its 95 % interval."""

    value: float
    low: float
    high: float


def ratio(above: Sequence[float], below: Sequence[float], seed: int = SEED) -> Ratio:
    """Computes a ratio and its interval by bootstrap: both sets of samples are drawn with replacement."""
    source = random.Random(seed)
    found = sorted(
        statistics.median(source.choices(above, k=len(above))) / statistics.median(source.choices(below, k=len(below)))
        for _ in range(RESAMPLES)
    )
    return Ratio(
        statistics.median(above) / statistics.median(below), percentile(found, 0.025), percentile(found, 0.975)
    )

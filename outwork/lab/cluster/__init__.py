# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a plan on many workers with Dask: `outwork lab run PLAN --cluster WHERE`. Described in docs/many-machines.md.

`places` connects to the workers, `sweep` gives them the plan's points, `remote` is what a worker does.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outwork.lab.cluster.places import Place
    from outwork.lab.cluster.sweep import Sweep


@contextmanager
def workers(place: "Place") -> Iterator["Sweep"]:
    """Yields what measures on the workers of a place. Raises an error that says how to install Dask if it is missing."""
    from outwork.lab.cluster import places

    with places.connected(place) as client:
        from outwork.lab.cluster.sweep import Sweep  # imports Dask, which takes a second

        sweep = Sweep(client)
        yield sweep
        sweep.close()

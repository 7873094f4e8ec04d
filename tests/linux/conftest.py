# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The kernels for User Mode Linux."""

import pytest
import uml_check

BUILDS = {"plain": uml_check.PLAIN, "debug": uml_check.DEBUG}


@pytest.fixture(params=BUILDS)
def uml_build(request: pytest.FixtureRequest) -> uml_check.Build:
    """Each kernel that is built."""
    found = BUILDS[request.param]
    if not found.is_complete:
        pytest.skip(f"{found.folder} is not built: make uml{'-debug' if request.param == 'debug' else ''}")
    return found

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page from records: works offline, in light and dark, on paper and on a phone. See docs/report.md."""

from outwork.lab.report.head import stopped
from outwork.lab.report.page import write

__all__ = ["stopped", "write"]

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m outwork`."""

from outwork.cli import main

main()

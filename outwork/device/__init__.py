# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The device from Python: the C library, the simulated board, its queues, memory and profiles."""

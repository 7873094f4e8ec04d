# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The simulated system on chip: programs for its RISC-V CPU, and the system that runs them."""

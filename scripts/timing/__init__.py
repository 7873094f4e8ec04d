# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What scripts/timing_diagrams.py is made of: scenes on the simulated board, their waveforms, and the drawing."""

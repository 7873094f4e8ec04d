# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The lab: which engine, at which size, in which setting, and by how much. See docs/lab.md."""

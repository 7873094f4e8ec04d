# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the descriptions in RDL and writes what each language needs of them."""

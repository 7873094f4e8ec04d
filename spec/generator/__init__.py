# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Reads spec/outwork.rdl and writes what each language needs of it."""

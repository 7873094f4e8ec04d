# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The radio algorithms of LTE and 5G: ciphers and MACs of packets whose lengths are in bits."""

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Files in and out: streams, formats, keys from passwords, encryption, checksums."""

# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""File formats: `outwork` (authenticated, in chunks) and `openssl` (compatible with `openssl enc -pbkdf2`)."""

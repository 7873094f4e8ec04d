# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""RSA and elliptic curves: keys, schemes, and the workers that use them."""

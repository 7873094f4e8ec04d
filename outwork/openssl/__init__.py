# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""OpenSSL: the functions that the software engine calls, and how this machine configures the provider."""

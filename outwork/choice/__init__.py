# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Device or CPU: the choice for a command, the policy file, and the counters of what plug-ins chose."""

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The reasons for which the CPU has done a request, as text.
 */
#include "offload.h"

const char *ow_cpu_reason_text(unsigned reason) {
  return reason == OW_CPU_FAULT ? "the device failed"
         : reason == OW_CPU_TAG ? "tag refused, checked again"
                                : ow_fallback_text((ow_fallback)reason);
}

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Shared by the files of ML-DSA: which parameter sets there are, and how a job is run.
 */
#ifndef OUTWORK_MLDSA_INTERNAL_H
#define OUTWORK_MLDSA_INTERNAL_H

#include "lattice.h"

static inline bool ow_mldsa_is_set(const struct ow_mldsa *mldsa, enum ow_mldsa_set set) {
  return mldsa != NULL && mldsa->queue != NULL &&
         (set == OW_MLDSA_44 || set == OW_MLDSA_65 || set == OW_MLDSA_87);
}

/* Runs a job with the caller's `run` function, or ow_queue_run(). */
static inline ow_status ow_mldsa_run(struct ow_mldsa *mldsa, struct ow_job *job) {
  return mldsa->run != NULL ? mldsa->run(mldsa->run_context, job) : ow_queue_run(mldsa->queue, job);
}

#endif

/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Products of polynomials over GF(2), constant in time: with the processor's carry-less
 * multiplication if it has one, else with integer multiplication.
 */
#ifndef OUTWORK_PROVIDER_PRODUCT_H
#define OUTWORK_PROVIDER_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

/* 128 bits; bit n of `low` is the coefficient of x^n. */
struct owp_polynomial {
  uint64_t high, low;
};

/* Computes the 255 bits of x * y, the low ones first. */
void owp_product(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y);
/* The same on any processor, without special instructions. */
void owp_product_portable(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y);

#endif

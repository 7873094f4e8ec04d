// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Runs a call on a stack that is allocated for it, whatever is left of the caller's.
#pragma once

namespace ow_sim_board {

// Calls `call` once, on a stack of 1 MiB, and returns when it has returned; it must not throw.
// Returns false, and calls nothing, if there is no memory for the stack. For the model's first
// evaluation: that code is compiled without optimisation and has large frames, while a program may
// open a board on a fibre (OpenSSL's have 32 KiB).
bool on_own_stack(void (*call)(void *), void *argument);

} // namespace ow_sim_board

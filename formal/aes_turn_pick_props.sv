// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// aes_turn_pick promises what ow_turn_pick does, but also chooses others while the group whose turn it is does not request.
bind aes_turn_pick ow_turn_pick_props #(.Count(Count), .Groups(Groups), .Strict(1'b0)) u_props (
  .turn_q(turn), .group_after_q(group_after), .*
);

// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// aes_turn_pick promises what ow_turn_pick does.
bind aes_turn_pick ow_turn_pick_props #(.Count(Count), .Groups(Groups)) u_props (
  .turn_q(turn), .group_after_q(group_after), .*
);

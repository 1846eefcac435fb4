#pragma once

/// Moves `count` descriptors to the numbers from 0 on, whatever their current numbers are; a
/// negative one becomes /dev/null. Returns an errno value, or 0. `sources` is changed.
int conform_place_descriptors(int *sources, int count);

/// Gives every signal its default action, and blocks none.
void conform_reset_signals(void);

#!/bin/sh
# The device of the sample: the reference device, which makes the mistake that the case asks for by
# the key "mutant" of its configuration. "once-X" makes mistake X only when it is asked the first time.
mutant=$(printf '%s' "$CONFORM_CONFIG" | sed -n 's/.*"mutant":"\([^"]*\)".*/\1/p')
printf '%s' "$CONFORM_CONFIG" | sed 's/"mutant":"[^"]*",*//' >"$HOME/device.json"
case $mutant in
once-*)
    if [ -e .once ]; then mutant=; else : >.once && mutant=${mutant#once-}; fi
    ;;
esac
if [ -n "$mutant" ]; then set -- "$@" --mutant "$mutant"; fi
device=../../../.build/release/conform-device
[ -x "$device" ] || device=../../../.build/debug/conform-device
CONFORM_CONFIG= exec "$device" sdl-app "$@" --config "$HOME/device.json"

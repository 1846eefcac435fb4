#!/bin/bash
# The device of the sample: the reference device, which makes the mistake that the case asks for by
# the key "mutant" of its configuration. "once-X" makes mistake X only when it is asked the first time.
# With the key "pauses" it is an app that only connects, and after each failure or fall pauses for the
# next of these seconds, in the end always for the last.
mutant=$(printf '%s' "$CONFORM_CONFIG" | sed -n 's/.*"mutant":"\([^"]*\)".*/\1/p')
pauses=$(printf '%s' "$CONFORM_CONFIG" | sed -n 's/.*"pauses":"\([^"]*\)".*/\1/p')
printf '%s' "$CONFORM_CONFIG" | sed 's/"mutant":"[^"]*",*//' >"$HOME/device.json"
if [ -n "$pauses" ]; then
    while :; do
        (exec 3<>"/dev/tcp/$2/$4" && exec cat <&3 >/dev/null) 2>/dev/null
        sleep "${pauses%% *}"
        pauses=${pauses#* }
    done
fi
case $mutant in
once-*)
    if [ -e state/once ]; then mutant=; else : >state/once && mutant=${mutant#once-}; fi
    ;;
esac
if [ -n "$mutant" ]; then set -- "$@" --mutant "$mutant"; fi
device=../../../.build/release/conform-device
[ -x "$device" ] || device=../../../.build/debug/conform-device
CONFORM_CONFIG= exec "$device" sdl-app "$@" --config "$HOME/device.json"

# A device that uses a little SDL and is wrong in the one way that its configuration names.
# The right sequence is StartService, Heartbeat a second later, and EndService.
conduct=${CONFORM_CONFIG#*\"conduct\"*\"}
conduct=${conduct%%\"*}

start() { printf '\x10\x07\x01\x00\x00\x00\x00\x00' >&3; }
heartbeat() { printf '\x40\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02' >&3; }
heartbeat_of_another_service() { printf '\x40\x07\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02' >&3; }
acknowledgement() { printf '\x40\x00\xff\x01\x00\x00\x00\x00\x00\x00\x00\x04' >&3; }
refusal() { printf '\x40\x07\x03\x01\x00\x00\x00\x00\x00\x00\x00\x05' >&3; }
end() { printf '\x40\x07\x04\x01\x00\x00\x00\x04\x00\x00\x00\x03\x00\x01\x00\x01' >&3; }
garbage() { printf '\xff\xee\xdd\xcc\xbb\xaa\x99\x88\x77\x66\x55\x44\x33\x22\x11\x00' >&3; }
rest() { exec sleep 60; }

case $conduct in
    unreachable) rest ;;
    crash-in-the-preamble) kill -SEGV $$ ;;
esac
exec 3<>"/dev/tcp/$1/$2"
[ "$conduct" = mute ] && rest
start
case $conduct in
    quiet) rest ;;
    early) heartbeat; rest ;;
    late) sleep 2.4 ;;
    exit-later) sleep 1.5 ;;
    crash | killed | exit | hangs-up | forbidden-in-the-body | garbage | half-a-frame | greedy)
        sleep 0.2 ;;
    *) sleep 1 ;;
esac
case $conduct in
    crash) kill -SEGV $$ ;;
    killed) kill -KILL $$ ;;
    exit | exit-later) exit 0 ;;
    greedy) printf '%8192s' x >"$HOME/large"; rest ;;
    hangs-up) exec 3>&-; rest ;;
    forbidden-in-the-body) refusal; rest ;;
    garbage) garbage; rest ;;
    half-a-frame) printf '\x40\x00\x00' >&3; rest ;;
    swapped) end; heartbeat; rest ;;
    field) heartbeat_of_another_service; rest ;;
esac
heartbeat
case $conduct in
    missing) rest ;;
    repeated) heartbeat ;;
    extra) acknowledgement ;;
esac
end
sleep 0.2
case $conduct in
    forbidden-in-the-closing-window) refusal ;;
    exit-in-the-closing-window) exit 0 ;;
    crash-in-the-closing-window) kill -SEGV $$ ;;
esac
rest

#!/bin/sh
# Keeps a session of BGP with a neighbor: bird.sh ROOT HOST PORT
# Scripts/third-party unpacks the program into ROOT.
set -eu
export LD_LIBRARY_PATH="$(echo "$PWD/$1"/usr/lib/*-linux-gnu)"
cat >"$HOME/bird.conf" <<END
router id 10.0.0.1;
protocol device {}
protocol bgp {
    local port $(($3 + 1)) as 65001;
    neighbor $2 port $3 as 65002;
    multihop;
    connect delay time 1;
    connect retry time 10;
    ipv4 { import none; export none; };
}
END
exec "$1/usr/sbin/bird" -f -c "$HOME/bird.conf" -s "$HOME/control" -P "$HOME/pid"

#!/bin/sh
# Keeps a session of BGP with a neighbor: bird.sh HOST PORT
set -eu
cat >"$HOME/bird.conf" <<END
router id 10.0.0.1;
protocol device {}
protocol bgp {
    local port $(($2 + 1)) as 65001;
    neighbor $1 port $2 as 65002;
    multihop;
    connect delay time 1;
    connect retry time 10;
    ipv4 { import none; export none; };
}
END
exec /usr/sbin/bird -f -c "$HOME/bird.conf" -s "$HOME/control" -P "$HOME/pid"

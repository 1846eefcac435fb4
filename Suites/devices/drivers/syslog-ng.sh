#!/bin/sh
# Sends the messages of syslog-ng itself to a server, with a wait of five seconds: syslog-ng.sh ROOT HOST PORT
# Scripts/third-party unpacks the program into ROOT.
set -eu
root=$PWD/$1/usr
export LD_LIBRARY_PATH="$(echo "$root"/lib/*-linux-gnu):$root/lib/syslog-ng"
cat >"$HOME/syslog-ng.conf" <<END
@version: 3.38
source own { internal(); };
destination server { network("$2" port($3) transport("tcp") time-reopen(5)); };
log { source(own); destination(server); };
END
exec "$root/sbin/syslog-ng" --foreground --no-caps --module-path="$(echo "$root"/lib/syslog-ng/*.*/)" \
    --cfgfile="$HOME/syslog-ng.conf" --persist-file="$HOME/persist" --pidfile="$HOME/pid" --control="$HOME/control"

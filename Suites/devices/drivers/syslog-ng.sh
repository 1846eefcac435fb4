#!/bin/sh
# Sends the messages of syslog-ng itself to a server, with a wait of five seconds: syslog-ng.sh HOST PORT
set -eu
cat >"$HOME/syslog-ng.conf" <<END
@version: 3.38
source own { internal(); };
destination server { network("$1" port($2) transport("tcp") time-reopen(5)); };
log { source(own); destination(server); };
END
exec /usr/sbin/syslog-ng --foreground --no-caps --cfgfile="$HOME/syslog-ng.conf" --persist-file="$HOME/persist" \
    --pidfile="$HOME/pid" --control="$HOME/control"

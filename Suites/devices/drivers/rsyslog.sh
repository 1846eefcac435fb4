#!/bin/sh
# Sends a file to a server with rsyslog, with a wait of five seconds: rsyslog.sh ROOT HOST PORT
# Scripts/third-party unpacks rsyslog into ROOT, because it cannot be installed beside syslog-ng.
set -eu
libraries=$(echo "$PWD/$1"/usr/lib/*/rsyslog)
cat >"$HOME/rsyslog.conf" <<END
module(load="imfile" mode="polling" PollingInterval="1")
global(workDirectory="$HOME")
input(type="imfile" File="$HOME/messages" Tag="test")
action(type="omfwd" target="$2" port="$3" protocol="tcp" action.resumeInterval="5" action.resumeRetryCount="-1")
END
echo message >"$HOME/messages"
exec "$1/usr/sbin/rsyslogd" -n -f "$HOME/rsyslog.conf" -i "$HOME/pid" -M "$libraries"

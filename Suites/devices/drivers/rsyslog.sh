#!/bin/sh
# Sends a file to a server with rsyslog, with a wait of five seconds: rsyslog.sh ROOT HOST PORT
# Scripts/third-party unpacks the program into ROOT.
set -eu
root=$PWD/$1/usr
export LD_LIBRARY_PATH="$(echo "$root"/lib/*-linux-gnu)"
cat >"$HOME/rsyslog.conf" <<END
module(load="imfile" mode="polling" PollingInterval="1")
global(workDirectory="$HOME")
input(type="imfile" File="$HOME/messages" Tag="test")
action(type="omfwd" target="$2" port="$3" protocol="tcp" action.resumeInterval="5" action.resumeRetryCount="-1")
END
echo message >"$HOME/messages"
exec "$root/sbin/rsyslogd" -n -f "$HOME/rsyslog.conf" -i "$HOME/pid" -M "$LD_LIBRARY_PATH/rsyslog"

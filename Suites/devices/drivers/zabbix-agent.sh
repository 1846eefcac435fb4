#!/bin/sh
# Asks a server for the checks of this host: zabbix-agent.sh ROOT HOST PORT
# Scripts/third-party unpacks the program into ROOT.
set -eu
export LD_LIBRARY_PATH="$(echo "$PWD/$1"/usr/lib/*-linux-gnu)"
cat >"$HOME/agent.conf" <<END
LogType=console
PidFile=$HOME/pid
ServerActive=$2:$3
StartAgents=0
Hostname=test
AllowRoot=1
END
exec "$1/usr/sbin/zabbix_agentd" --foreground --config "$HOME/agent.conf"

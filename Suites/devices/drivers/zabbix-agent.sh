#!/bin/sh
# Asks a server for the checks of this host: zabbix-agent.sh HOST PORT
set -eu
cat >"$HOME/agent.conf" <<END
LogType=console
PidFile=$HOME/pid
ServerActive=$1:$2
StartAgents=0
Hostname=test
AllowRoot=1
RefreshActiveChecks=120
END
exec /usr/sbin/zabbix_agentd --foreground --config "$HOME/agent.conf"

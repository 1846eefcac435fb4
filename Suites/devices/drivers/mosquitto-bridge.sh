#!/bin/sh
# Connects mosquitto as a bridge: mosquitto-bridge.sh HOST PORT. The configuration of the case
# (CONFORM_CONFIG) may set the timeout: {"restart": "5 30"}
set -eu
restart=$(printf '%s' "$CONFORM_CONFIG" | sed -n 's/.*"restart" *: *"\([0-9 ]*\)".*/\1/p')
cat >"$TMPDIR/bridge.conf" <<END
listener 0 $TMPDIR/broker.socket
connection upstream
address $1:$2
topic # both
bridge_protocol_version mqttv311
${restart:+restart_timeout $restart}
END
exec mosquitto -v -c "$TMPDIR/bridge.conf"

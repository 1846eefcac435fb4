#!/bin/sh
# Starts sdl_core from the folder $1 (the bin folder of its installation) on port $2. It writes its files
# below HOME, so that they are still there after a restart.
set -e
core=$(cd "$1" && pwd)
if [ ! -d "$HOME/core" ]; then
    mkdir "$HOME/core"
    cp "$core"/*.ini "$core"/*.json "$HOME/core/"
    sed -i -e "s#^TCPAdapterPort *=.*#TCPAdapterPort = $2#" -e "s#^PluginFolder *=.*#PluginFolder = $core/plugins#" \
        "$HOME/core/smartDeviceLink.ini"
fi
cd "$HOME/core"
export LD_LIBRARY_PATH="$core"
exec "$core/smartDeviceLinkCore"

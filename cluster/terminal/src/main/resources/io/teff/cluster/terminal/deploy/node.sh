#!/bin/sh
# Runs one node in this process; written by ./teff deploy.
folder=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 1
lib=$(CDPATH='' cd "$folder/version" && pwd -P)/lib || exit 1 # a process keeps its version
read -r java <"$folder/java.home" || exit 1
ulimit -n "$(ulimit -Hn)"
echo $$ >"$folder/node.pid"
cd "$folder" || exit 1
exec "$java/bin/java" -Xmx@HEAP@ -XX:+UseSerialGC -Xss512k -XX:+ExitOnOutOfMemoryError -Xshare:auto \
    -Dsun.net.inetaddr.ttl=10 --enable-native-access=ALL-UNNAMED -cp "$lib/*" \
    io.teff.cluster.terminal.cli.Terminal node "$@" --config "$folder/node.toml"

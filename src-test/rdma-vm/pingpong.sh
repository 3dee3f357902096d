#!/bin/bash
# Compares the ping-pong of Java with that of C in one boot of a guest, in turn, five times each.
#   pingpong.sh [OPTIONS OF rdma-vm.sh run]
# Needs gcc and libibverbs-dev, and the tests compiled by: ./teff test --fast GuestTest
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
java=${JAVA25_HOME:-${JAVA_HOME:?}}/bin/java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/pingpong" "$here/pingpong.c" -libverbs
classes=$root/rdma/target/fast/target/classes:$root/src-test/rdma/target/fast/target/test-classes
cat >"$work/both" <<X
for i in 1 2 3 4 5; do
  "$work/pingpong" rxe0 5000 8 1
  "$java" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$classes" io.teff.test.rdma.guest.PingPong rxe0 5000 8
done
X
"$here/rdma-vm.sh" run --accel uml "$@" -- bash "$work/both"

# Runs at a host, by the login shell's sh -c. Arguments: folder of the deployment, task, words of the task.
# Prints lines "KIND WORDS". Written for any POSIX shell of Linux, without tools beyond the usual ones.
set -u
LC_ALL=C
export LC_ALL
folder=$1
task=$2
shift 2
case $folder in
    /*) ;;
    *) folder=$HOME/$folder ;;
esac
umask 077
XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
export XDG_RUNTIME_DIR

fail() {
    echo "$*" >&2
    exit 1
}

# ---- Java ----

feature() { # home of a JDK or JRE
    [ -x "$1/bin/java" ] || return 0
    number=
    [ ! -r "$1/release" ] || number=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ -n "$number" ] || number=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    echo "$number"
}

java_of_path() {
    found=$(command -v java) || return 0
    found=$(readlink -f "$found")
    dirname "$(dirname "$found")"
}

# Sets home and version to the first Java that is new enough, or to the last older one.
find_java() { # wanted home, or empty
    home=
    version=0
    for candidate in "$1" ${1:+/nowhere} "${JAVA25_HOME:-}" "${JAVA_HOME:-}" "$(java_of_path)" /usr/lib/jvm/* \
        /opt/java/* /opt/jdk* /usr/java/* /usr/local/java/*; do
        [ "$candidate" != /nowhere ] || break
        [ -n "$candidate" ] || continue
        number=$(feature "$candidate")
        [ -n "$number" ] || continue
        home=$candidate
        version=$number
        [ "$number" -lt 25 ] || return 0
    done
}

# ---- facts of a host ----

facts() { # wanted home of Java, or empty
    for _ in 1 2 3; do
        echo "clock $(date +%s%N)"
    done
    echo "system $(uname -s)"
    echo "user $(id -un)"
    for tool in tar dd df sha256sum setsid base64 readlink; do
        command -v "$tool" >/dev/null || echo "missing $tool"
    done
    find_java "$1"
    [ -z "$home" ] || echo "java $version $home"
    made=
    [ -d "$folder" ] || made=yes
    if mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ]; then
        # shellcheck disable=SC2046 # the words of the line are wanted
        set -- $(df -Pk "$folder" | tail -n 1)
        echo "free $4"
        file=$folder/check.$$
        begin=$(date +%s%N)
        dd if=/dev/zero of="$file" bs=4096 count=32 oflag=dsync 2>/dev/null
        middle=$(date +%s%N)
        dd if=/dev/zero of="$file" bs=1048576 count=16 conv=fdatasync 2>/dev/null
        end=$(date +%s%N)
        rm -f "$file"
        echo "sync 32 $begin $middle"
        echo "write 16 $middle $end"
        [ -z "$made" ] || rmdir "$folder" 2>/dev/null
    else
        echo "unwritable $folder"
    fi
    echo "files $(ulimit -Hn)"
    echo "memlock $(ulimit -Hl)"
    echo "threads $(ulimit -Hu 2>/dev/null || echo unlimited)"
    [ ! -r /proc/sys/vm/max_map_count ] || echo "maps $(cat /proc/sys/vm/max_map_count)"
    echo "memory $(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo) $(sed -n \
        's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo)"
    if systemctl --user show-environment >/dev/null 2>&1; then
        echo "systemd $(lingers)"
    fi
    synchronized=$(timedatectl show -p NTPSynchronized --value 2>/dev/null) || synchronized=
    echo "synchronized ${synchronized:-unknown}"
    for place in "$folder"/nodes/*; do
        [ ! -f "$place/node.toml" ] || state "${place##*/}"
    done
}

lingers() { # prints yes if the systemd of the user outlives the user's sessions
    loginctl show-user "$(id -un)" -p Linger --value 2>/dev/null | grep -x yes || echo no
}

# ---- ports ----

probe() { # wanted home of Java, class in base64, mode and addresses
    find_java "$1"
    [ "$version" -ge 25 ] || fail "there is no Java 25"
    place=$(mktemp -d) || exit 1
    mkdir -p "$place/io/teff/cluster/terminal/deploy"
    echo "$2" | base64 -d >"$place/io/teff/cluster/terminal/deploy/PortProbe.class"
    shift 2
    "$home/bin/java" -Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$place" \
        io.teff.cluster.terminal.deploy.PortProbe "$@"
    code=$?
    rm -rf "$place"
    exit $code
}

# ---- versions and configurations ----

unpack() { # version; an archive on standard input
    place=$folder/versions/$1
    if [ -d "$place" ]; then
        cat >/dev/null
        echo "present $1"
        return 0
    fi
    fresh=$folder/versions/.$1.$$
    mkdir -p "$fresh" || exit 1
    if ! tar -xopf - -C "$fresh"; then
        rm -rf "$fresh"
        fail "the archive of version $1 cannot be unpacked into $folder"
    fi
    if ! (cd "$fresh" && sha256sum -c SHA256SUMS >/dev/null 2>&1); then
        rm -rf "$fresh"
        fail "files of version $1 were damaged on the way"
    fi
    chmod -R a-w "$fresh"
    chmod u+w "$fresh"
    mv "$fresh" "$place" || exit 1
    chmod u-w "$place"
    echo "installed $1"
}

# Files of nodes come as nodes/NAME/FILE; each replaces the file of before.
configure() { # manager, wanted home of Java; an archive on standard input
    find_java "$2"
    [ "$version" -ge 25 ] || fail "there is no Java 25; ./teff deploy check tells more"
    manager=$1
    if [ "$manager" = auto ]; then
        manager=setsid
        if systemctl --user show-environment >/dev/null 2>&1 && [ "$(lingers)" = yes ]; then
            manager=systemd
        fi
    fi
    fresh=$folder/.configure.$$
    mkdir -p "$fresh" || exit 1
    if ! tar -xopf - -C "$fresh"; then
        rm -rf "$fresh"
        fail "the configurations cannot be written into $folder"
    fi
    echo "$manager" >"$folder/manager"
    for place in "$fresh"/nodes/*; do
        node=${place##*/}
        echo "$home" >"$place/java.home"
        mkdir -p "$folder/nodes/$node"
        for file in "$place"/*; do
            mv -f "$file" "$folder/nodes/$node/" || exit 1
        done
        if [ "$manager" = systemd ]; then
            mkdir -p "$HOME/.config/systemd/user"
            cp "$folder/nodes/$node/node.service" "$HOME/.config/systemd/user/$(unit "$node")"
        fi
        echo "configured $node"
    done
    rm -rf "$fresh"
    [ "$manager" != systemd ] || systemctl --user daemon-reload
}

# Sets manager to what configure has written.
find_manager() {
    manager=
    [ ! -r "$folder/manager" ] || read -r manager <"$folder/manager"
    [ -n "$manager" ] || fail "nothing is configured in $folder"
}

unit() { # node
    echo "teff-$(echo "$folder" | cksum | cut -d ' ' -f 1)-$1.service"
}

link() { # node, version
    [ -d "$folder/nodes/$1" ] || fail "$1 is not configured at this host"
    [ -d "$folder/versions/$2" ] || fail "version $2 is not installed at this host"
    rm -f "$folder/nodes/$1/version.new"
    ln -s "../../versions/$2" "$folder/nodes/$1/version.new"
    mv -f -T "$folder/nodes/$1/version.new" "$folder/nodes/$1/version"
}

# ---- processes ----

# Sets pid to the process of a node, or to nothing.
find_pid() { # node
    pid=
    [ -r "$folder/nodes/$1/node.pid" ] || return 0
    read -r pid <"$folder/nodes/$1/node.pid" || pid=
    case $pid in
        '' | *[!0-9]*) pid= ;;
        *) tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | grep -qxF "$folder/nodes/$1/node.toml" || pid= ;;
    esac
}

# Prints: state NODE runs|ended PID VERSION NID/INCARNATION, with - for what is not known.
state() { # node
    find_pid "$1"
    used=$(readlink "$folder/nodes/$1/version" 2>/dev/null) || used=
    used=${used##*/}
    life=
    if [ -n "$pid" ] && [ -r "$folder/nodes/$1/data/node.run" ] \
        && grep -q "^process $pid " "$folder/nodes/$1/data/node.run"; then
        life=$(sed -n 's/^node \([0-9]*\) \([0-9]*\)$/\1\/\2/p' "$folder/nodes/$1/data/node.run")
    fi
    if [ -n "$pid" ]; then
        echo "state $1 runs $pid ${used:--} ${life:--}"
    else
        echo "state $1 ended - ${used:--} -"
    fi
}

start() { # node
    find_manager
    find_pid "$1"
    [ -z "$pid" ] || return 0
    [ -d "$folder/nodes/$1/version" ] || fail "$1 has no version; ./teff deploy install brings one"
    rm -f "$folder/nodes/$1/node.pid"
    if [ "$manager" = systemd ]; then
        systemctl --user enable "$(unit "$1")" >/dev/null 2>&1
        systemctl --user restart "$(unit "$1")" || exit 1
    else
        setsid sh "$folder/nodes/$1/node.sh" </dev/null >>"$folder/nodes/$1/node.out" 2>&1 &
    fi
}

# Prints: ready NODE NID/INCARNATION, ended NODE, or late NODE.
await_ready() { # node, seconds
    rounds=$(($2 * 5))
    begun=
    while [ $rounds -gt 0 ]; do
        rounds=$((rounds - 1))
        line=$(state "$1")
        case $line in
            *" runs "*" -") begun=yes ;;
            *" runs "*)
                echo "ready $1 ${line##* }"
                return 0
                ;;
            *)
                if [ -n "$begun" ] || [ $rounds -lt $(($2 * 5 - 25)) ]; then
                    echo "ended $1"
                    tail -n 3 "$folder/nodes/$1/node.out" | sed 's/^/said /'
                    return 0
                fi
                ;;
        esac
        sleep 0.2
    done
    echo "late $1"
    tail -n 1 "$folder/nodes/$1/node.log" | sed 's/^/said /'
}

stop() { # node, seconds
    [ -d "$folder/nodes/$1" ] && [ -r "$folder/manager" ] || return 0 # nothing was ever started
    find_manager
    find_pid "$1"
    if [ "$manager" = systemd ]; then
        systemctl --user stop "$(unit "$1")" || exit 1
    elif [ -n "$pid" ]; then
        kill "$pid"
    fi
    rounds=$(($2 * 5))
    while [ -n "$pid" ] && [ $rounds -gt 0 ]; do
        sleep 0.2
        rounds=$((rounds - 1))
        find_pid "$1"
    done
    [ -z "$pid" ] || fail "$1, process $pid, does not end; look at its log, then: kill -9 $pid"
    rm -f "$folder/nodes/$1/node.pid"
    echo "stopped $1"
}

# ---- logs, removal ----

logs() { # node, lines
    for name in node.out node.log; do
        [ ! -f "$folder/nodes/$1/$name" ] || tail -n "$2" "$folder/nodes/$1/$name" | sed "s/^/$name /"
    done
}

collect() {
    cd "$folder" || exit 1
    # shellcheck disable=SC2046 # names of nodes have no blanks
    tar -cf - $(ls nodes/*/node.log* nodes/*/node.out nodes/*/node.toml 2>/dev/null)
}

remove() { # whether data go, nodes
    data=$1
    shift
    manager=
    [ ! -r "$folder/manager" ] || read -r manager <"$folder/manager"
    for node in "$@"; do
        find_pid "$node"
        [ -z "$pid" ] || fail "$node runs, process $pid; end it first"
    done
    for node in "$@"; do
        place=$folder/nodes/$node
        if [ "$manager" = systemd ]; then
            systemctl --user disable "$(unit "$node")" >/dev/null 2>&1
            rm -f "$HOME/.config/systemd/user/$(unit "$node")"
        fi
        [ -d "$place" ] || continue
        for file in "$place"/* "$place"/.[!.]*; do
            case ${file##*/} in
                data | node.log*) [ "$data" != data ] || rm -rf "$file" ;;
                *) rm -rf "$file" ;;
            esac
        done
        if rmdir "$place" 2>/dev/null; then
            echo "removed $node"
        else
            echo "kept $place"
        fi
    done
    [ "$manager" != systemd ] || systemctl --user daemon-reload
    [ ! -d "$folder/versions" ] || chmod -R u+w "$folder/versions"
    rm -rf "$folder/versions" "$folder/manager"
    rmdir "$folder/nodes" "$folder" 2>/dev/null
    return 0
}

case $task in
    facts) facts "$@" ;;
    probe) probe "$@" ;;
    has) [ ! -d "$folder/versions/$1" ] || echo "present $1" ;;
    unpack) unpack "$@" ;;
    configure) configure "$@" ;;
    link) link "$@" ;;
    state) for node in "$@"; do state "$node"; done ;;
    start) start "$@" ;;
    ready) await_ready "$@" ;;
    stop) stop "$@" ;;
    logs) logs "$@" ;;
    collect) collect ;;
    remove) remove "$@" ;;
    *) fail "unknown task $task" ;;
esac

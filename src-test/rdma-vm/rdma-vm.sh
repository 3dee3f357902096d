#!/bin/bash
# Runs one command in a guest Linux that has software RDMA devices, in the host's own file tree.  See README.md.
#   rdma-vm.sh setup [--uml]                               install and build what is needed, into the cache folder
#   rdma-vm.sh tools                                       install the programs in C that "./teff bench rdma" compares with
#   rdma-vm.sh run [OPTIONS] [--] COMMAND [ARGUMENT...]    exit status and output are the command's
#   rdma-vm.sh info                                       what is installed and built
# Options (and the variables that give their defaults):
#   --accel auto|kvm|uml|tcg  RDMA_VM_ACCEL    what the guest runs on; auto: kvm if the CPU has it, else uml if it is
#                                              built, else tcg; also a list to try in turn: kvm,tcg
#   --timeout SECONDS         RDMA_VM_TIMEOUT  hard limit, boot included (600); then the exit status is 124
#   --net pair|one|siw|none   RDMA_VM_NET      the devices: see guest-net (pair)
#   --mem MIB  --cpus N       RDMA_VM_MEM (4096)  RDMA_VM_CPUS (all; uml has one)
#   --rw FOLDER               may be repeated: the guest's writes there are real; all other writes are thrown away
#   --cwd FOLDER              where the command runs (here)
#   --keep FOLDER             leaves the guest's console and QEMU's messages there
#   --quiet                   no line of its own on standard error
# Exit status of its own: 124 time limit, 125 the guest or this script failed.
set -u
ulimit -c 0
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${RDMA_VM_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rdma-vm}
kernel_package=${RDMA_VM_KERNEL_PACKAGE:-linux-image-amd64}
source_package=${RDMA_VM_SOURCE_PACKAGE:-linux-source-6.12}
tools=(busybox-static kmod cpio xz-utils iproute2 libibverbs1 ibverbs-providers ibverbs-utils librdmacm1 rdmacm-utils perftest)
qemu_tools=(qemu-system-x86)
build_tools=(gcc make libc6-dev flex bison bc)
bench_tools=(perftest ucx-utils gcc libc6-dev libibverbs-dev)
modules=(virtio_pci virtio_console virtio_rng 9pnet_virtio 9p overlay crc32c_generic crc32_generic crc32c-intel
  crc32-pclmul veth dummy sch_netem ib_uverbs ib_umad rdma_ucm rdma_rxe)

say() { [ -n "${quiet:-}" ] || echo "rdma-vm: $*" >&2; }
fail() { echo "rdma-vm: $*" >&2; exit 125; }
log=$cache/log
logged() {   # runs a command with its output in the log; shows the end of it on failure
  "$@" >"$log" 2>&1 && return
  tail -n 20 "$log" >&2
  fail "failed: $*"
}

# apt-get, one at a time, and patient with whoever else holds dpkg's lock.
apt() { ( flock 6; logged apt-get -o DPkg::Lock::Timeout=300 "$@" ) 6>"$cache/lock.apt" || exit 125; }
updated=
apt_update() { [ -n "$updated" ] || { apt update; updated=1; }; }

install() {
  local p missing=()
  for p in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  apt_update
  DEBIAN_FRONTEND=noninteractive apt install -y --no-install-recommends "${missing[@]}"
}

# Downloads a package into the folder $1; a meta-package ($2) is followed to the one that it depends on.
download() {
  local pkg=$2 next
  apt_update
  while :; do
    next=$(apt-cache depends --important "$pkg" 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -n 1)
    [ -n "$next" ] || break
    pkg=$next
  done
  say "downloading $pkg"
  (cd "$1" && logged apt-get -o APT::Sandbox::User=root download "$pkg") || exit 125
}

# A stock Debian kernel and an initramfs with the modules needed, in $cache/kernel/VERSION.
get_kernel() {
  local link=$cache/kernel/$kernel_package tmp kver m f n=100
  [ -s "$link/base.cpio.gz" ] && [ "$(cat "$link/modules.want" 2>/dev/null)" = "${modules[*]}" ] && return
  mkdir -p "$cache/kernel"
  tmp=$(mktemp -d "$cache/kernel/tmp.XXXXXX") || fail "no temporary folder"
  download "$tmp" "$kernel_package"
  mkdir -p "$tmp/root" "$tmp/out" "$tmp"/ird/{bin,proc,sys,dev,mod,host,job,ov,new}
  dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -x -C "$tmp/root" --wildcards './boot/vmlinuz*' './lib/modules/*/modules.*' \
    '*/drivers/infiniband/core/*' '*/drivers/infiniband/sw/*' '*/drivers/virtio/*' '*/drivers/char/*' '*/net/9p/*' \
    '*/fs/9p/*' '*/fs/netfs/*' '*/fs/fscache/*' '*/fs/overlayfs/*' '*/fs/configfs/*' '*/kernel/lib/*' '*/kernel/crypto/*' \
    '*/arch/x86/crypto/*' '*/drivers/net/veth.ko*' '*/drivers/net/dummy.ko*' '*/udp_tunnel.ko*' '*/ip6_udp_tunnel.ko*' \
    '*/net/sched/sch_netem.ko*' 2>/dev/null     # tar grumbles about patterns that one kernel version lacks
  kver=$(ls "$tmp/root/lib/modules") && [ -n "$kver" ] || fail "no modules in $kernel_package"
  depmod -b "$tmp/root" "$kver" 2>/dev/null
  for m in "${modules[@]}"; do
    modprobe -d "$tmp/root" -S "$kver" --show-depends "$m" 2>/dev/null | awk '$1 == "insmod" {print $2}'
  done | awk '!seen[$0]++' >"$tmp/list"
  grep -q rdma_rxe "$tmp/list" || fail "$kernel_package has no rdma_rxe"
  while read -r f; do
    n=$((n + 1)); m=$(basename "$f")
    case $f in *.xz) xz -dc "$f" >"$tmp/ird/mod/$n-${m%.xz}" ;; *) cp "$f" "$tmp/ird/mod/$n-$m" ;; esac
  done <"$tmp/list"
  cp "$(command -v busybox)" "$tmp/ird/bin/busybox"
  (cd "$tmp/ird" && find . | cpio -o -H newc --quiet) | gzip -1 >"$tmp/out/base.cpio.gz"
  mv "$tmp"/root/boot/vmlinuz-* "$tmp/out/vmlinuz"
  echo "$kver" >"$tmp/out/version"
  echo "${modules[*]}" >"$tmp/out/modules.want"
  rm -rf "$cache/kernel/$kver"
  mv "$tmp/out" "$cache/kernel/$kver" && ln -sfn "$kver" "$link" && rm -rf "$tmp"
}

# A User Mode Linux kernel, built from Debian's kernel source, in $cache/uml.
uml_want() { echo "$source_package"; cat "$here/uml.config"; }
uml_built() { [ -x "$cache/uml/linux" ] && [ "$(cat "$cache/uml/want" 2>/dev/null)" = "$(uml_want)" ]; }
get_uml() {
  local tmp src t0=$SECONDS
  uml_built && return
  install "${build_tools[@]}"
  mkdir -p "$cache/uml"
  tmp=$(mktemp -d "$cache/uml/tmp.XXXXXX") || fail "no temporary folder"
  download "$tmp" "$source_package"
  say "building User Mode Linux from $source_package (minutes)"
  dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -xO --wildcards '*/linux-source-*.tar.xz' | xz -dc | tar -x -C "$tmp" || fail "cannot unpack $source_package"
  rm -f "$tmp"/*.deb
  src=$(ls -d "$tmp"/linux-source-*)
  mkdir "$tmp/b"
  ( cd "$src" && export ARCH=um KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=rdma-vm KBUILD_BUILD_HOST=rdma-vm
    logged make O="$tmp/b" tinyconfig
    logged scripts/kconfig/merge_config.sh -m -O "$tmp/b" "$tmp/b/.config" "$here/uml.config"
    logged make O="$tmp/b" olddefconfig
    logged make O="$tmp/b" -j"${RDMA_VM_JOBS:-$(nproc)}" linux ) || exit 125
  strip -s -o "$cache/uml/linux.new" "$tmp/b/linux" && cp "$tmp/b/include/config/kernel.release" "$cache/uml/version" || fail "no kernel built"
  cp "$tmp/b/.config" "$cache/uml/config"
  rm -rf "$tmp"
  mv "$cache/uml/linux.new" "$cache/uml/linux"
  uml_want >"$cache/uml/want"
  say "User Mode Linux $(cat "$cache/uml/version") built in $((SECONDS - t0)) s"
}

setup() {   # $1 = qemu | uml
  [ "$(uname -m)" = x86_64 ] || fail "only x86_64"
  mkdir -p "$cache" || fail "cannot make $cache"
  log=$cache/log.$1                        # a log and a lock for each kernel: a run in QEMU does not wait for the
  exec 9>"$cache/lock.$1"; flock 9         # minutes in which another process builds User Mode Linux
  install "${tools[@]}"
  case $1 in
    uml) get_uml ;;
    qemu) install "${qemu_tools[@]}"; get_kernel; kernel=$(readlink -f "$cache/kernel/$kernel_package") ;;
  esac
  flock -u 9; exec 9>&-
}

# KVM is worth a try only with real hardware virtualisation: a /dev/kvm without it (a software KVM such as PVM)
# interprets a stock kernel, far slower than QEMU's own emulator.
kvm_plausible() { [ -r /dev/kvm ] && [ -w /dev/kvm ] && grep -qwE 'vmx|svm' /proc/cpuinfo; }

command_qemu() {   # sets argv
  local cpu i d
  case $1 in
    kvm) argv=(qemu-system-x86_64 -accel kvm); cpu=host ;;
    tcg) argv=(qemu-system-x86_64 -accel tcg,thread=multi,tb-size=1024); cpu=${RDMA_VM_TCG_CPU:-qemu64} ;;
  esac
  { cat "$kernel/base.cpio.gz"; (cd "$job/init.d" && echo init | cpio -o -H newc --quiet | gzip -1); } >"$job/initrd"
  argv+=(-cpu "$cpu" -M q35 -smp "$cpus" -m "$mem" -nodefaults -no-user-config -no-reboot -display none
    -kernel "$kernel/vmlinuz" -initrd "$job/initrd"
    -append "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off nokaslr tsc=reliable random.trust_cpu=on ${RDMA_VM_APPEND:-}"
    -chardev "file,id=con,path=$job/console" -serial chardev:con
    -device virtio-rng-pci -device virtio-serial-pci
    -chardev "file,id=out,path=$job/out" -device virtserialport,chardev=out,name=out
    -chardev "file,id=err,path=$job/err" -device virtserialport,chardev=err,name=err
    -chardev "file,id=rc,path=$job/share/rc" -device virtserialport,chardev=rc,name=rc
    -fsdev "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap" -device virtio-9p-pci,fsdev=host,mount_tag=host
    -fsdev "local,id=job,path=$job/share,security_model=none,multidevs=remap" -device virtio-9p-pci,fsdev=job,mount_tag=job)
  i=0
  for d in "${rw[@]}"; do
    argv+=(-fsdev "local,id=rw$i,path=$d,security_model=none,multidevs=remap" -device "virtio-9p-pci,fsdev=rw$i,mount_tag=rw$i")
    i=$((i + 1))
  done
}

command_uml() {   # fd 3, 4 and 5 are the console, the output and the errors
  # On one CPU: User Mode Linux hands over between two threads at every system call and page fault, which is three
  # times as slow when they wake each other across CPUs.
  local allowed
  mapfile -t allowed < <(awk '/^Cpus_allowed_list/ {n = split($2, r, ","); for (i = 1; i <= n; i++) {split(r[i], b, "-"); for (c = b[1]; c <= (b[2] == "" ? b[1] : b[2]); c++) print c}}' /proc/self/status)
  argv=(taskset -c "${RDMA_VM_UML_CPU:-${allowed[RANDOM % ${#allowed[@]}]}}" "$cache/uml/linux" "mem=${mem}M" root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$job/uml-init" noreboot
    con=null con0=null,fd:3 ssl=null ssl0=null,fd:4 ssl1=null,fd:5 "uml_dir=$job/uml" umid=vm
    quiet loglevel=3 panic=-1 "rdmavm.job=$job/share")
}

run_once() {   # $1 = kvm | tcg | uml.  Sets rc, and booted=1 once the guest's init has spoken
  local accel=$1 pid readers=() grace t=0 status
  rm -f "$job/out" "$job/err"; : >"$job/share/rc"; : >"$job/console"; : >"$job/words"
  mkfifo "$job/out" "$job/err"
  cat "$job/out" & readers+=($!)
  cat "$job/err" >&2 & readers+=($!)
  exec 7<>"$job/out" 8<>"$job/err"        # held open, so that the readers do not end before the guest has begun
  case $accel in
    uml)
      command_uml; grace=${RDMA_VM_UML_GRACE:-60}
      setsid timeout -k 5 "$limit" "${argv[@]}" </dev/null 3>"$job/console" 4>"$job/out" 5>"$job/err" >"$job/words" 2>&1 7>&- 8>&- & ;;
    *)
      command_qemu "$accel"
      [ "$accel" = kvm ] && grace=${RDMA_VM_KVM_GRACE:-15} || grace=${RDMA_VM_TCG_GRACE:-180}
      setsid timeout -k 5 "$limit" "${argv[@]}" </dev/null >"$job/words" 2>&1 7>&- 8>&- & ;;
  esac
  pid=$!
  trap 'kill -TERM -- -$pid 2>/dev/null; exit 143' TERM HUP
  trap 'kill -TERM -- -$pid 2>/dev/null; exit 130' INT
  booted=
  {
    while kill -0 "$pid"; do               # the boot watchdog
      if grep -aq 'rdma-vm\[' "$job/console"; then booted=1; break; fi
      [ "$t" -ge $((grace * 10)) ] && { kill -TERM -- "-$pid"; echo "no word in $grace s" >>"$job/words"; break; }
      sleep 0.1; t=$((t + 1))
    done
    wait "$pid"; status=$?
    kill -KILL -- "-$pid"                  # whatever is left of the guest: only this run's own process group
  } 2>/dev/null
  exec 7>&- 8>&-
  wait "${readers[@]}" 2>/dev/null
  trap - TERM INT HUP
  grep -aq 'rdma-vm\[' "$job/console" && booted=1
  rc=$(tr -dc 0-9 <"$job/share/rc")
  [ -n "$rc" ] && return
  rc=125
  case $status in 124 | 137) rc=124 ;; esac
  [ -n "$booted" ] || return
  if [ "$rc" = 124 ]; then say "stopped: over the limit of $limit s"
  else say "the guest ended without a result ($status); its last words:"; tail -n 25 "$job/console" "$job/words" >&2; fi
}

cmd_run() {
  local accel=${RDMA_VM_ACCEL:-auto} net=${RDMA_VM_NET:-pair} cwd=$PWD keep= list try d i t0 kind version
  limit=${RDMA_VM_TIMEOUT:-600}; mem=${RDMA_VM_MEM:-4096}; cpus=${RDMA_VM_CPUS:-$(nproc)}; rw=()
  while [ $# -gt 0 ]; do
    case $1 in
      --accel) accel=$2; shift 2 ;;
      --timeout) limit=$2; shift 2 ;;
      --net) net=$2; shift 2 ;;
      --mem) mem=$2; shift 2 ;;
      --cpus) cpus=$2; shift 2 ;;
      --rw) d=$(readlink -e "$2") && [ -d "$d" ] || fail "--rw $2: no such folder"; rw+=("$d"); shift 2 ;;
      --cwd) cwd=$2; shift 2 ;;
      --keep) keep=$2; shift 2 ;;
      --quiet) quiet=1; shift ;;
      --) shift; break ;;
      -*) fail "unknown option $1" ;;
      *) break ;;
    esac
  done
  [ $# -gt 0 ] || fail "run: no command"
  case $accel in
    auto) list=; kvm_plausible && list="kvm "; if uml_built; then list+=uml; else list+=tcg; fi
      [ "$net" = siw ] && list=uml ;;
    *) list=${accel//,/ } ;;
  esac
  for try in $list; do case $try in kvm | uml | tcg) ;; *) fail "accelerator $try: auto, kvm, uml or tcg" ;; esac; done
  [ "$net" = siw ] && [ "$list" != uml ] && fail "siw only with --accel uml: Debian's kernels have no siw module"
  kind=rxe; [ "$net" = siw ] && kind=siw
  job=$(mktemp -d "${TMPDIR:-/tmp}/rdma-vm.XXXXXX") || fail "no temporary folder"
  trap 'rm -rf "$job"' EXIT
  mkdir "$job/share" "$job/init.d" "$job/uml"
  cp "$here/guest-init" "$job/init.d/init"; cp "$here/uml-init" "$job/uml-init"; chmod 755 "$job/init.d/init" "$job/uml-init"
  i=0; for d in "${rw[@]}"; do echo "$d" >"$job/share/rw.$i"; i=$((i + 1)); done
  { printf 'export RDMA_VM_NET=%q RDMA_VM_MTU=%q\n' "$net" "${RDMA_VM_MTU:-4200}"; cat "$here/guest-net"; } >"$job/share/net"
  grep -m1 '^cpu MHz' /proc/cpuinfo >"$job/share/mhz"
  for try in $list; do
    if [ "$try" = uml ]; then setup uml; version="User Mode Linux $(cat "$cache/uml/version")"
    else setup qemu; version="$try, Linux $(cat "$kernel/version")"; fi
    { export -p
      printf 'export RDMA_VM=1 RDMA_VM_ACCEL_USED=%s RDMA_VM_DEVICE=%s0 RDMA_VM_DEVICE2=%s1 RDMA_VM_ADDRESS=10.99.0.1 RDMA_VM_ADDRESS2=10.99.0.2\n' "$try" "$kind" "$kind"
      printf 'cd %q || exit 126\nexec ' "$cwd"; printf '%q ' "$@"; echo; } >"$job/share/job"
    t0=$(date +%s%N)
    run_once "$try"
    [ -n "$booted" ] && break
    say "$try: the guest did not start: $(tail -n 1 "$job/words")"
  done
  [ -n "$booted" ] && say "$version: exit status $rc, $((($(date +%s%N) - t0) / 1000000)) ms, of which $(sed -n 's/^rdma-vm\[\([0-9.]*\)\] ready.*/\1/p' "$job/console" | head -n 1) s (guest's clock) to boot"
  [ -n "$keep" ] && mkdir -p "$keep" && cp "$job/console" "$job/words" "$keep/"
  exit "$rc"
}

cmd_info() {
  echo "cache       $cache ($(du -sh "$cache" 2>/dev/null | cut -f 1))"
  echo "rdma-core   $(dpkg-query -W -f '${Version}' libibverbs1 2>/dev/null || echo not installed)"
  echo "qemu        $(qemu-system-x86_64 --version 2>/dev/null | head -n 1 || echo not installed)"
  echo "qemu kernel $(cat "$cache/kernel/$kernel_package/version" 2>/dev/null || echo "not set up")"
  echo "uml kernel  $(if uml_built; then cat "$cache/uml/version"; else echo "not built"; fi)"
  if kvm_plausible; then echo "kvm         will be tried"
  elif [ -e /dev/kvm ]; then echo "kvm         /dev/kvm is there, but the CPU shows neither vmx nor svm: not used"
  else echo "kvm         no /dev/kvm"; fi
}

main() {
  case ${1:-} in
    setup) if [ "${2:-}" = --uml ]; then setup uml; else setup qemu; fi; say ready ;;
    tools) mkdir -p "$cache"; log=$cache/log.tools; install "${bench_tools[@]}"; say "tools are installed" ;;
    run) shift; cmd_run "$@" ;;
    info) cmd_info ;;
    *) awk 'NR > 1 {if (!/^#/) exit; sub(/^# ?/, ""); print}' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
}

main "$@"; exit   # on one line: an edit of this file during a run does no harm

package io.teff.cluster.terminal.deploy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings of the task {@code facts} at a host, with the faults. Not thread-safe. */
final class HostFacts {
    /** Versions of classes; JDK and JRE. */
    static final int JAVA_MIN = 25;
    /** Descriptors of a node beside one for each client. */
    static final long FILES_MIN = 4_096;
    static final long MAPS_MIN = 65_530;
    static final long THREADS_MIN = 1_024;
    /** Less cannot hold the buffers of RDMA devices. */
    static final long MEMLOCK_MIN_KB = 64;
    /** Room for the journal of a superpeer, for logs and for a version. */
    static final long FREE_MIN_KB = 1 << 20;
    static final double SYNC_SLOW_MS = 20;
    static final double WRITE_SLOW_MB = 50;
    static final long CLOCK_WARN_MS = 1_000;
    static final long CLOCK_FAULT_MS = 60_000;
    private static final long NS_PER_MS = 1_000_000;
    private static final double NS_PER_S = 1e9;

    private final HostPlan host;
    private final Map<String, List<String>> words = new LinkedHashMap<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, NodeState> states = new LinkedHashMap<>();
    private long clockNs = Long.MAX_VALUE;

    /**
     * Something that a person has to mend, or should know.
     *
     * @param host name of the host
     * @param isFault whether the cluster would not work
     * @param text what is wrong
     * @param mending how to mend it
     */
    record Finding(String host, boolean isFault, String text, String mending) {}

    HostFacts(HostPlan host) {
        this.host = host;
    }

    /** Takes a line of the task that has come at a time of this machine. */
    void line(String line, long epochNs) {
        List<String> parts = List.of(line.strip().split(" +"));
        List<String> rest = parts.subList(1, parts.size());
        switch (parts.getFirst()) {
            case "clock" -> clock(rest, epochNs);
            case "missing" -> missing.addAll(rest);
            case "state" -> {
                NodeState state = NodeState.parse(line);
                states.put(state.node(), state);
            }
            default -> words.put(parts.getFirst(), rest);
        }
    }

    /** A line comes a little after the host has written it, so the smallest difference is the best. */
    private void clock(List<String> rest, long epochNs) {
        long offset = epochNs - number(rest, 0, 0);
        clockNs = clockNs == Long.MAX_VALUE || Math.abs(offset) < Math.abs(clockNs) ? offset : clockNs;
    }

    private static long number(List<String> rest, int index, long standard) {
        try {
            return rest.size() <= index ? standard : Long.parseLong(rest.get(index));
        } catch (NumberFormatException _) {
            return standard;                                    // "unlimited", or what a host without the tool prints
        }
    }

    private List<String> of(String kind) {
        return words.getOrDefault(kind, List.of());
    }

    /** Returns the states of nodes that were configured at the host before. */
    Map<String, NodeState> states() {
        return states;
    }

    /** Returns whether the systemd of the user answers. */
    boolean hasSystemd() {
        return words.containsKey("systemd");
    }

    /** Returns the home of the host's Java; empty without one. */
    String java() {
        return of("java").size() < 2 ? "" : of("java").get(1);
    }

    /** Returns whether the ports can be checked from the host. */
    boolean canProbe() {
        return number(of("java"), 0, 0) >= JAVA_MIN && missing.isEmpty();
    }

    /** Returns the milliseconds of one synchronous write. */
    double syncMs() {
        List<String> sync = of("sync");
        return (number(sync, 2, 0) - number(sync, 1, 0)) / (double) NS_PER_MS / Math.max(1, number(sync, 0, 1));
    }

    /** Returns the MiB per second of long writes. */
    double writeMb() {
        List<String> write = of("write");
        long ns = number(write, 2, 0) - number(write, 1, 0);
        return ns <= 0 ? 0 : number(write, 0, 0) * NS_PER_S / ns;
    }

    /** Returns by how much this machine's clock is ahead of the host's clock. */
    long clockMs() {
        return clockNs == Long.MAX_VALUE ? 0 : clockNs / NS_PER_MS;
    }

    /** Returns the free room of the disk. */
    long freeKb() {
        return number(of("free"), 0, 0);
    }

    /**
     * Judges the facts.
     *
     * @param memoryBytes memory of the nodes planned for the host
     * @param manager what is to start processes
     */
    List<Finding> judge(long memoryBytes, Manager manager) {
        List<Finding> found = new ArrayList<>();
        if (!of("system").equals(List.of("Linux"))) {
            fault(found, "its system is " + String.join(" ", of("system")), "take a host with Linux");
        }
        missing.forEach(tool -> fault(found, "the program " + tool + " is missing", "install it by the package manager "
            + "of the host, for example: apt-get install coreutils tar util-linux"));
        judgeJava(found);
        judgeDisk(found);
        judgeClock(found);
        judgeLimits(found);
        judgeMemory(found, memoryBytes);
        judgeManager(found, manager);
        return found;
    }

    private void fault(List<Finding> found, String text, String mending) {
        found.add(new Finding(host.name(), true, text, mending));
    }

    private void warn(List<Finding> found, String text, String mending) {
        found.add(new Finding(host.name(), false, text, mending));
    }

    private void judgeJava(List<Finding> found) {
        String install = "install one, for example Temurin 25 from https://adoptium.net below /usr/lib/jvm, or name it:"
            + " java = \"/path/to/jdk-25\" in [deploy] or [[host]]";
        if (java().isEmpty()) {
            fault(found, host.java().isEmpty() ? "there is no Java" : "there is no Java in " + host.java(), install);
        } else if (number(of("java"), 0, 0) < JAVA_MIN) {
            fault(found, "the newest Java is " + of("java").getFirst() + " in " + java() + ", and nodes need "
                + JAVA_MIN, install);
        }
    }

    private void judgeDisk(List<Finding> found) {
        if (words.containsKey("unwritable")) {
            fault(found, "the folder " + String.join(" ", of("unwritable")) + " cannot be written",
                "give it to the user of ssh: sudo install -d -o USER " + String.join(" ", of("unwritable")));
            return;
        }
        if (freeKb() < FREE_MIN_KB) {
            fault(found, "the disk of " + host.folder() + " has " + (freeKb() >> 10) + " MiB free, and "
                + (FREE_MIN_KB >> 10) + " MiB are the least", "free some, or name another disk: folder = \"/...\"");
        }
        if (syncMs() > SYNC_SLOW_MS) {
            warn(found, String.format("a synchronous write takes %.1f ms", syncMs()), "take a disk with a cache that "
                + "survives a power cut; BACKED_SYNCED waits for such writes");
        }
        if (writeMb() < WRITE_SLOW_MB) {
            warn(found, String.format("the disk writes %.0f MiB a second", writeMb()),
                "take a faster disk; backups write each change");
        }
    }

    private void judgeClock(List<Finding> found) {
        long ms = Math.abs(clockMs());
        String mending = "set the clock by NTP: timedatectl set-ntp true, or install chrony";
        if (ms >= CLOCK_FAULT_MS) {
            fault(found, "the clock differs from this machine by " + ms / 1_000 + " s", mending);
        } else if (ms >= CLOCK_WARN_MS) {
            warn(found, "the clock differs from this machine by " + ms + " ms", mending);
        } else if (of("synchronized").equals(List.of("no"))) {
            warn(found, "no time server keeps the clock", mending);
        }
    }

    private void judgeLimits(List<Finding> found) {
        if (number(of("files"), 0, Long.MAX_VALUE) < FILES_MIN) {
            fault(found, "the user may open " + of("files").getFirst() + " files, and " + FILES_MIN + " are the least",
                "raise the hard limit in /etc/security/limits.conf: USER hard nofile 65536, and log in anew");
        }
        if (number(of("threads"), 0, Long.MAX_VALUE) < THREADS_MIN) {
            fault(found, "the user may have " + of("threads").getFirst() + " threads, and " + THREADS_MIN
                + " are the least", "raise the limit in /etc/security/limits.conf: USER hard nproc 16384");
        }
        if (number(of("maps"), 0, Long.MAX_VALUE) < MAPS_MIN) {
            warn(found, "a process may have " + of("maps").getFirst() + " mappings", "sysctl -w vm.max_map_count=262144"
                + ", and the same line in /etc/sysctl.d");
        }
        if (number(of("memlock"), 0, Long.MAX_VALUE) < MEMLOCK_MIN_KB) {
            warn(found, "the user may lock " + of("memlock").getFirst() + " KiB of memory; RDMA devices need more",
                "raise the limit in /etc/security/limits.conf: USER hard memlock unlimited");
        }
    }

    private void judgeMemory(List<Finding> found, long memoryBytes) {
        long total = number(of("memory"), 0, Long.MAX_VALUE >> 10) << 10;
        long free = number(of("memory"), 1, Long.MAX_VALUE >> 10) << 10;
        String mending = "lower [peer] memory or the heaps in [deploy], or take a larger host";
        if (total < memoryBytes) {
            fault(found, "the nodes may take " + (memoryBytes >> 20) + " MiB, and the machine has " + (total >> 20)
                + " MiB", mending);
        } else if (free < memoryBytes && states.values().stream().noneMatch(NodeState::isRunning)) {
            warn(found, "the nodes may take " + (memoryBytes >> 20) + " MiB, and " + (free >> 20) + " MiB are free now",
                mending);
        }
    }

    private void judgeManager(List<Finding> found, Manager manager) {
        if (manager == Manager.SYSTEMD && !hasSystemd()) {
            fault(found, "the systemd of the user does not answer", "manager = \"setsid\" in [deploy], or start it: "
                + "loginctl enable-linger USER, and install dbus-user-session");
        }
        boolean lingers = of("systemd").equals(List.of("yes"));
        if (manager == Manager.SYSTEMD && hasSystemd() && !lingers) {
            fault(found, "the systemd of the user ends with the user's last session, and so would the nodes",
                "loginctl enable-linger USER");
        }
        if (manager == Manager.AUTO && !lingers) {
            warn(found, "nodes are started without systemd, so a failed node stays down until ./teff deploy start",
                "loginctl enable-linger USER, if the host has systemd; or manager = \"setsid\" in [deploy]");
        }
    }
}

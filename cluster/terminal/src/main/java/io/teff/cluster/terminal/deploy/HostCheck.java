package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.deploy.HostFacts.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks all hosts: what each host has, and whether the hosts reach each other. */
final class HostCheck {
    /** Beside heap and chunks: code, threads, buffers of the network and of the log. */
    private static final long BESIDE_BYTES = 160L << 20;
    private static final long PEER_MEMORY_BYTES = 1L << 30;

    private final Fleet fleet;
    private final List<Finding> found = new ArrayList<>();
    private Map<String, HostFacts> facts = Map.of();

    HostCheck(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Checks; the ports are not checked while a host lacks Java. */
    void run() {
        facts = fleet.facts();
        Set<String> running = new HashSet<>();
        boolean isPossible = true;
        for (HostPlan host : fleet.deployment().hosts()) {
            HostFacts each = facts.getOrDefault(host.name(), new HostFacts(host));
            found.addAll(each.judge(memoryBytes(fleet.deployment().nodes(host)), fleet.deployment().manager()));
            isPossible &= each.canProbe();
            each.states().values().stream().filter(NodeState::isRunning).forEach(it -> running.add(it.node()));
        }
        if (isPossible) {
            found.addAll(new HostPorts(fleet, running).check());
        }
    }

    private static long memoryBytes(List<NodePlan> nodes) {
        long bytes = 0;
        for (NodePlan node : nodes) {
            OptionValue memory = node.values().get(NodeOption.MEMORY);
            bytes += BESIDE_BYTES + OptionValue.of(node.heap()).bytes() + (node.isSuperpeer() ? 0
                : memory == null ? PEER_MEMORY_BYTES : memory.bytes());
        }
        return bytes;
    }

    List<Finding> found() {
        return found;
    }

    boolean hasFaults() {
        return found.stream().anyMatch(Finding::isFault);
    }

    /** Returns lines for people: one for each host, and two for each finding. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        facts.forEach((name, host) -> lines.add(String.format("%-16s Java in %s, %d MiB free, a sync takes %.1f ms, "
            + "the disk writes %.0f MiB/s, the clock is %+d ms from here", name, host.java().isEmpty() ? "nowhere"
            : host.java(), host.freeKb() >> 10, host.syncMs(), host.writeMb(), -host.clockMs())));
        found.forEach(it -> {
            lines.add((it.isFault() ? "fault: " : "warning: ") + it.host() + ": " + it.text());
            lines.add("  " + it.mending());
        });
        lines.add(hasFaults() ? "the hosts are not ready" : "the hosts are ready");
        return lines;
    }

    /** Returns the same as a document. */
    Map<String, Object> document() {
        List<Map<String, Object>> hosts = new ArrayList<>();
        facts.forEach((name, host) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("host", name);
            row.put("java", host.java());
            row.put("freeBytes", host.freeKb() << 10);
            row.put("syncMs", host.syncMs());
            row.put("writeMiBPerSecond", host.writeMb());
            row.put("clockOffsetMs", -host.clockMs());
            row.put("hasSystemd", host.hasSystemd());
            hosts.add(row);
        });
        List<Map<String, Object>> findings = new ArrayList<>();
        found.forEach(it -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("host", it.host());
            row.put("isFault", it.isFault());
            row.put("text", it.text());
            row.put("mending", it.mending());
            findings.add(row);
        });
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("isReady", !hasFaults());
        document.put("hosts", hosts);
        document.put("findings", findings);
        return document;
    }
}

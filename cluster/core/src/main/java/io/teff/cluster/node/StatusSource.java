package io.teff.cluster.node;

import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.peer.Peer;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The common part of the statuses of all roles: the process. Thread-safe. */
final class StatusSource {
    private final NodeConfig config;
    private final Clock clock;
    private final long startedNs;

    StatusSource(NodeConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
        startedNs = clock.nowNs();
    }

    /** The status of a starting node. */
    NodeStatus starting() {
        return superpeer(new NodeRef(0, 0), 0, false, 0, "");
    }

    NodeStatus superpeer(NodeRef node, long version, boolean isLeading, long logBytes, String problem) {
        return new NodeStatus(config.name(), config.role().text(), node, ProcessHandle.current().pid(), upMs(),
            heapBytes(), version, isLeading, false, 0, logBytes, problem, List.of(), List.of());
    }

    NodeStatus peer(Peer peer, StatusRequest request) {
        return new NodeStatus(config.name(), config.role().text(), peer.node(), ProcessHandle.current().pid(), upMs(),
            heapBytes(), peer.tableVersion(), false, peer.holdsLease(), peer.stats().store().committedBytes(),
            peer.logBytes(), problem(peer), request.withZones() ? peer.zoneUses() : List.of(),
            request.withZones() ? peer.copyUses() : List.of());
    }

    private static String problem(Peer peer) {
        String failure = peer.failure();
        Exception problem = peer.problem();
        return failure != null ? failure : problem != null ? FailureText.of(problem)
            : String.join("; ", peer.stats().problems());
    }

    private long upMs() {
        return TimeUnit.NANOSECONDS.toMillis(clock.nowNs() - startedNs);
    }

    private static long heapBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

package io.teff.cluster.node;

import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.peer.Peer;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        return new NodeStatus(config.name(), config.role(), life(node), process(),
            new NodeStatus.Standing(version, isLeading, false), logBytes, withCertificates(problem), null);
    }

    NodeStatus peer(Peer peer, StatusRequest request) {
        return new NodeStatus(config.name(), config.role(), life(peer.node()), process(),
            new NodeStatus.Standing(peer.tableVersion(), false, peer.holdsLease()), peer.logBytes(),
            withCertificates(problem(peer)), peer.figures(request.withZones()));
    }

    private static String problem(Peer peer) {
        String failure = peer.failure();
        Exception problem = peer.problem();
        return failure != null ? failure : problem != null ? FailureText.of(problem)
            : String.join("; ", peer.problems());
    }

    /** Adds the problems with certificates, roles and the secret. */
    private String withCertificates(String problem) {
        return Stream.of(List.of(problem), config.tls().problems(), config.access().problems())
            .flatMap(List::stream).filter(each -> !each.isEmpty())
            .collect(Collectors.joining("; "));
    }

    private static NodeLife life(NodeRef node) {
        return new NodeLife(node.nid(), node.incarnation());
    }

    private NodeStatus.Process process() {
        return new NodeStatus.Process(ProcessHandle.current().pid(),
            TimeUnit.NANOSECONDS.toMillis(clock.nowNs() - startedNs), heapBytes());
    }

    private static long heapBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

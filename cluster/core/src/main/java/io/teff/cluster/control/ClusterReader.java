package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.net.identity.ClusterId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads statuses of a cluster over a connection. Thread-safe. */
final class ClusterReader {
    private final CellLink link;

    ClusterReader(CellLink link) {
        this.link = link;
    }

    /** Reads the tables only. */
    ClusterStatus tables() {
        boolean isAnswering = link.refresh();
        return status(isAnswering, Map.of());
    }

    /** Reads the tables while the superpeers answer, and then asks all other nodes at once. */
    ClusterStatus all() {
        // configured addresses may be in another order than the numbers of the superpeers
        boolean isFirst = link.tables().superpeers().version() == 0;
        boolean isAnsweringFirst = isFirst && link.refresh();
        Map<Integer, CompletableFuture<@Nullable NodeStatus>> asked = askSuperpeers();
        boolean isAnswering = isFirst ? isAnsweringFirst : link.refresh();
        if (isAnswering) {
            askPeers(asked);
        }
        return status(isAnswering, answers(asked));
    }

    /** Asks all nodes at once for their figures. */
    ClusterFigures figures() {
        if (link.tables().superpeers().version() == 0) {
            var _ = link.refresh();
        }
        List<CompletableFuture<ClusterFigures.@Nullable Answer>> asked = new ArrayList<>();
        for (SuperpeerRow row : link.tables().superpeers().rows()) {
            asked.add(link.figures(new NodeLife(CellMessages.nid(row.number()), 0)));
        }
        if (link.refresh()) {
            link.tables().nodes().stream().filter(row -> row.isAlive() && !row.address().isEmpty())
                .sorted(Comparator.comparingInt(NodeRow::nid))
                .forEach(row -> asked.add(link.figures(new NodeLife(row.nid(), row.incarnation()))));
        }
        return new ClusterFigures(asked.stream().map(CompletableFuture::join).filter(Objects::nonNull).toList());
    }

    private ClusterStatus status(boolean isAnswering, Map<Integer, NodeStatus> answers) {
        List<Member> nodes = new ArrayList<>();
        for (SuperpeerRow row : link.tables().superpeers().rows()) {
            int nid = CellMessages.nid(row.number());
            nodes.add(new Member(NodeRole.SUPERPEER, new NodeLife(nid, 0), row.counts(), link.address(row),
                answers.get(nid)));
        }
        link.tables().nodes().stream().filter(row -> !row.isClient() && !row.isForgotten())
            .sorted(Comparator.comparingInt(NodeRow::nid))
            .forEach(row -> nodes.add(RowViews.peer(row, answers.get(row.nid()))));
        ClusterId cluster = link.cluster();
        return new ClusterStatus(cluster.isKnown() ? cluster.hex() : "", cluster.name(),
            link.tables().superpeers().counting().stream().map(link::address).toList(),
            isAnswering ? null : link.problem(), link.tables().version(), nodes,
            link.tables().zones().stream().map(RowViews::zone).toList());
    }

    private Map<Integer, CompletableFuture<@Nullable NodeStatus>> askSuperpeers() {
        Map<Integer, CompletableFuture<@Nullable NodeStatus>> asked = new HashMap<>();
        for (SuperpeerRow row : link.tables().superpeers().rows()) {
            int nid = CellMessages.nid(row.number());
            asked.put(nid, link.status(nid, true));
        }
        return asked;
    }

    /** Asks the nodes alive according to the tables. */
    private void askPeers(Map<Integer, CompletableFuture<@Nullable NodeStatus>> asked) {
        for (NodeRow row : link.tables().nodes()) {
            if (row.isAlive() && !row.address().isEmpty()) {
                asked.put(row.nid(), link.status(row.nid(), true));
            }
        }
    }

    private static Map<Integer, NodeStatus> answers(Map<Integer, CompletableFuture<@Nullable NodeStatus>> asked) {
        Map<Integer, NodeStatus> answers = new HashMap<>();
        asked.forEach((nid, future) -> {
            NodeStatus status = future.join();
            if (status != null) {
                answers.put(nid, status);
            }
        });
        return answers;
    }
}

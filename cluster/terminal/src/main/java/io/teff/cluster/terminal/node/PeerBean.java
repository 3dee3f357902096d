package io.teff.cluster.terminal.node;

import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.node.Node;
import io.teff.cluster.peer.PeerStats;
import java.util.List;
import java.util.Objects;

/** Shows a peer to JMX. */
record PeerBean(Node node) implements PeerMXBean {
    private static final StatusRequest ALL = new StatusRequest(true);
    private static final int EPOCH_SHIFT = 48;
    private static final long COUNTER_MASK = (1L << EPOCH_SHIFT) - 1;

    private PeerStats stats() {
        return Objects.requireNonNull(node.stats());
    }

    @Override
    public List<ZoneView> getZones() {
        return node.status(ALL).zones().stream().map(use -> new ZoneView(use.zone(), use.chunks(), use.bytes()))
            .toList();
    }

    @Override
    public List<CopyView> getCopies() {
        return node.status(ALL).copies().stream().map(PeerBean::copy).toList();
    }

    private static CopyView copy(NodeStatus.CopyUse use) {
        return new CopyView(use.zone(), use.copy(), (int) (use.last() >>> EPOCH_SHIFT), use.last() & COUNTER_MASK);
    }

    @Override
    public long getRingBytes() {
        return stats().ringBytes();
    }

    @Override
    public long getRingUsedBytes() {
        return stats().ringUsedBytes();
    }

    @Override
    public long getShippedBytes() {
        return stats().drainedBytes();
    }

    @Override
    public long getKeptBytes() {
        return stats().keptBytes();
    }

    @Override
    public long getChangesBehind() {
        return stats().changesBehind();
    }

    @Override
    public long getAnswersWaiting() {
        return stats().answersWaiting();
    }

    @Override
    public long getChangesRefused() {
        return stats().changesRefused();
    }

    @Override
    public long getRingWaits() {
        return stats().ringWaits();
    }

    @Override
    public long getRecordsAbandoned() {
        return stats().recordsAbandoned();
    }

    @Override
    public long getStalls() {
        return stats().stalls();
    }

    @Override
    public long getRunsLogged() {
        return stats().backups().runs();
    }

    @Override
    public long getRunBytesLogged() {
        return stats().backups().bytes();
    }

    @Override
    public long getRunGaps() {
        return stats().backups().gaps();
    }

    @Override
    public long getRunsRefused() {
        return stats().backups().refusedForRoom();
    }

    @Override
    public List<RecoveryView> getRecoveries() {
        return stats().recoveries().stream().map(RecoveryView::of).toList();
    }
}

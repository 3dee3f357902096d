package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeStatus.CopyUse;
import io.teff.cluster.admin.NodeStatus.PeerFigures;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import java.util.List;
import java.util.Objects;

/** Shows a peer to JMX. */
record PeerBean(ClusterNode node) implements PeerMXBean {
    private PeerFigures figures(boolean withZones) {
        return Objects.requireNonNull(node.status(withZones).peer());
    }

    private PeerFigures figures() {
        return figures(false);
    }

    @Override
    public List<ZoneUse> getZones() {
        return figures(true).zones();
    }

    @Override
    public List<CopyUse> getCopies() {
        return figures(true).copies();
    }

    @Override
    public long getRingBytes() {
        return figures().ring().bytes();
    }

    @Override
    public long getRingUsedBytes() {
        return figures().ring().usedBytes();
    }

    @Override
    public long getShippedBytes() {
        return figures().ring().shippedBytes();
    }

    @Override
    public long getKeptBytes() {
        return figures().shipping().keptBytes();
    }

    @Override
    public long getChangesBehind() {
        return figures().shipping().changesBehind();
    }

    @Override
    public long getAnswersWaiting() {
        return figures().shipping().answersWaiting();
    }

    @Override
    public long getChangesRefused() {
        return figures().ring().changesRefused();
    }

    @Override
    public long getRingWaits() {
        return figures().ring().waits();
    }

    @Override
    public long getRecordsAbandoned() {
        return figures().ring().recordsAbandoned();
    }

    @Override
    public long getStalls() {
        return figures().shipping().stalls();
    }

    @Override
    public long getRunsLogged() {
        return figures().logging().runs();
    }

    @Override
    public long getRunBytesLogged() {
        return figures().logging().bytes();
    }

    @Override
    public long getRunGaps() {
        return figures().logging().gaps();
    }

    @Override
    public long getRunsRefused() {
        return figures().logging().refusedForRoom();
    }

    @Override
    public List<RecoveryView> getRecoveries() {
        return figures().recoveries().stream().map(RecoveryView::of).toList();
    }
}

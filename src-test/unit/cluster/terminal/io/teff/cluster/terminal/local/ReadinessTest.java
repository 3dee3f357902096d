package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.admin.ZoneStatus.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the start of a cluster says about zones that are not served. */
final class ReadinessTest {
    private static final NodeLife OWNER = new NodeLife(16, 1);
    private static final NodeLife HERE = new NodeLife(18, 1_000);
    private static final ZoneStatus.Copy COPY = new ZoneStatus.Copy(new NodeLife(17, 1), 1, false, false);

    @TempDir
    private Path folder;
    private final List<String> said = new ArrayList<>();

    private static ZoneStatus zone(int zone, State state) {
        return new ZoneStatus(zone, 1, state, state.isServed() ? OWNER : null,
            state.isServed() ? List.of(COPY) : List.of(), state == State.WAITING ? List.of(COPY) : List.of(), List.of(),
            false, null);
    }

    /** Returns whether zones are not served, which makes the exit code of the command. */
    private boolean hasUnserved(ZoneStatus... zones) throws IOException {
        said.clear();
        ClusterFolder cluster = ClusterFolder.create(folder, ClusterPlan.of(1, 2, ClusterPlan.PORT));
        return new Readiness(cluster, said::add, null).reportUnserved(new ClusterStatus("", "", List.of(), null, 7,
            List.of(), List.of(zones)));
    }

    @Test
    void zones_thatWaitOrAreLost_areNamed_andMakeTheExitCode() throws IOException {
        assertTrue(hasUnserved(zone(1, State.OPEN), zone(2, State.LOST)));
        assertEquals(List.of("  warning: 1 zone(s) lost: no disk has all of what they had: 2"), said);
        assertTrue(hasUnserved(zone(1, State.OPEN), zone(3, State.WAITING)));
        assertEquals(List.of("  warning: 1 zone(s) waiting for node 17/1: 3"), said);
    }

    @Test
    void zones_thatAreServedOrRestored_areNoObstacle() throws IOException {
        assertFalse(hasUnserved());
        assertFalse(hasUnserved(zone(1, State.OPEN), zone(2, State.FULL), zone(3, State.FENCING)));
        assertEquals(List.of(), said);
    }

    private static boolean areServed(NodeLife owner, Member... peers) {
        ZoneStatus zone = new ZoneStatus(1, 1, State.OPEN, owner, List.of(), List.of(), List.of(), false, null);
        return Readiness.areServed(new ClusterStatus("", "", List.of(), null, 7, List.of(peers), List.of(zone)),
            List.of(HERE));
    }

    /** The tables have the owners of before until their lives have expired. */
    @Test
    void owner_thatIsOver_doesNotServe() {
        Member here = new Member(NodeRole.PEER, HERE, true, "tcp:127.0.0.1:7410", null);
        assertTrue(areServed(HERE, here));
        assertFalse(areServed(new NodeLife(HERE.nid(), HERE.incarnation() - 1), here));
        NodeLife other = new NodeLife(HERE.nid() + 1, 5);
        assertTrue(areServed(other, here, new Member(NodeRole.PEER, other, true, "tcp:127.0.0.1:7411", null)));
        assertFalse(areServed(other, here, new Member(NodeRole.PEER, other, true, "tcp:127.0.0.1:7410", null)),
            "the peer at this address has lost its disk, and has another NID");
    }
}

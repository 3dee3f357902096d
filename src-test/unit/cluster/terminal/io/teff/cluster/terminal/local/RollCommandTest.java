package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.RollState;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the next node of a rolling restart may end. */
final class RollCommandTest {
    private static final NodeLife A = new NodeLife(16, 1);
    private static final NodeLife B = new NodeLife(17, 1);
    private static final NodeLife C = new NodeLife(18, 1);
    private static final NodeLife B_AGAIN = new NodeLife(17, 2);
    private static final List<NodeLife> BEFORE = List.of(A, B, C);
    private static final List<NodeLife> AFTER = List.of(A, B_AGAIN, C);

    private static ZoneStatus zone(int zone, ZoneStatus.State state, @Nullable NodeLife owner, NodeLife... backups) {
        List<ZoneStatus.Copy> copies = new ArrayList<>();
        for (NodeLife backup : backups) {
            copies.add(new ZoneStatus.Copy(backup, copies.size() + 1, false, false));
        }
        return new ZoneStatus(zone, 1, state, owner, copies, List.of(), List.of(), false, null);
    }

    private static ClusterStatus status(ZoneStatus... zones) {
        return new ClusterStatus("", "", List.of(), null, 1, List.of(), List.of(zones));
    }

    private static ClusterStatus whole() {
        return status(zone(1, ZoneStatus.State.OPEN, A, B, C), zone(2, ZoneStatus.State.FULL, B, A, C));
    }

    private static String lack(boolean isBacked, ZoneStatus... zones) {
        return RollState.of(whole()).lack(status(zones), isBacked, AFTER);
    }

    @Test
    void restartedPeer_withItsCopiesAgain_lacksNothing() {
        assertEquals("", lack(true, zone(1, ZoneStatus.State.OPEN, A, C, B_AGAIN), zone(2, ZoneStatus.State.FULL, C, A,
            B_AGAIN), zone(3, ZoneStatus.State.OPEN, B_AGAIN)));
        assertEquals("", RollState.of(whole()).lack(whole(), true, BEFORE));
    }

    @Test
    void zoneWithFewerBackups_lacksOne_unlessBackupsDoNotCount() {
        ZoneStatus[] after = {zone(1, ZoneStatus.State.OPEN, A, C), zone(2, ZoneStatus.State.OPEN, C, A, B_AGAIN)};
        assertEquals("0 zones are not served, and 1 lack a backup", lack(true, after));
        assertEquals("", lack(false, after));
    }

    @Test
    void copyOfAnEndedLife_isNoBackup() {
        assertEquals("0 zones are not served, and 1 lack a backup", lack(true, zone(1, ZoneStatus.State.OPEN, A, C, B),
            zone(2, ZoneStatus.State.OPEN, C, A, B_AGAIN)));
    }

    @Test
    void zoneOfAnEndedOwner_orWithout_isNotServed() {
        assertEquals("2 zones are not served, and 0 lack a backup", lack(false, zone(1, ZoneStatus.State.FENCING, null,
            B_AGAIN, C), zone(2, ZoneStatus.State.OPEN, B, A, C)));
        assertEquals("2 zones are not served, and 0 lack a backup", lack(false));
        assertNull(zone(1, ZoneStatus.State.FENCING, null).owner());
    }
}

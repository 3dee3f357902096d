package io.teff.cluster.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterEvent.Kind;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.admin.ZoneStatus.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The events between two statuses. */
final class StatusChangesTest {
    private static final NodeLife FIRST = new NodeLife(16, 1);
    private static final NodeLife AGAIN = new NodeLife(16, 2);
    private static final NodeLife OTHER = new NodeLife(17, 1);

    private static Member peer(NodeLife life, boolean isAlive) {
        return new Member(NodeRole.PEER, life, isAlive, "tcp:h:1", null);
    }

    private static ZoneStatus zone(State state, NodeLife owner, int backups) {
        ZoneStatus.Copy copy = new ZoneStatus.Copy(OTHER, 1, false, false);
        return new ZoneStatus(5, 1, state, owner, List.of(copy, copy).subList(0, backups), List.of(),
            List.of(), false, null);
    }

    private static ClusterStatus status(String problem, List<Member> nodes, ZoneStatus... zones) {
        Member superpeer = new Member(NodeRole.SUPERPEER, new NodeLife(1, 0), true, "tcp:h:0", null);
        return new ClusterStatus("", "", List.of("tcp:h:0"), problem, 1,
            List.of(List.of(superpeer), nodes).stream().flatMap(List::stream).toList(), List.of(zones));
    }

    private static void assertChanges(ClusterStatus before, ClusterStatus after, ClusterEvent... events) {
        assertEquals(List.of(events), StatusChanges.between(before, after));
    }

    private static ClusterEvent joined(NodeLife life) {
        return new ClusterEvent(Kind.NODE_JOINED, life, 0, life + " at tcp:h:1 has joined");
    }

    private static ClusterEvent expired(NodeLife life) {
        return new ClusterEvent(Kind.NODE_EXPIRED, life, 0, life + " at tcp:h:1 does not count any more");
    }

    @Test
    void equalStatuses_haveNoEvents() {
        ClusterStatus status = status(null, List.of(peer(FIRST, true)), zone(State.OPEN, FIRST, 1));
        assertChanges(status, status);
    }

    @Test
    void superpeers_thatBecomeSilent_andAnswerAgain_areEvents() {
        ClusterStatus silent = status("refused", List.of());
        ClusterStatus answering = status(null, List.of());
        assertChanges(answering, silent,
            new ClusterEvent(Kind.SUPERPEERS_SILENT, null, 0, "no superpeer answers: refused"));
        assertChanges(silent, answering,
            new ClusterEvent(Kind.SUPERPEERS_ANSWER, null, 0, "a superpeer answers again"));
    }

    @Test
    void lives_thatBeginAndEnd_areEvents_alsoBetweenTwoLooks() {
        ClusterStatus none = status(null, List.of());
        ClusterStatus alive = status(null, List.of(peer(FIRST, true)));
        ClusterStatus dead = status(null, List.of(peer(FIRST, false)));
        ClusterStatus again = status(null, List.of(peer(AGAIN, true)));
        assertChanges(none, alive, joined(FIRST));
        assertChanges(none, dead);
        assertChanges(alive, dead, expired(FIRST));
        assertChanges(dead, again, joined(AGAIN));
        assertChanges(alive, again, expired(FIRST), joined(AGAIN));
        assertChanges(alive, status(null, List.of(peer(AGAIN, false))), expired(FIRST));
    }

    @Test
    void zones_withAnotherStateOrOwner_areEvents_andNewBackupsAreNone() {
        ClusterStatus open = status(null, List.of(), zone(State.OPEN, FIRST, 1));
        assertChanges(status(null, List.of()), open,
            new ClusterEvent(Kind.ZONE_CHANGED, FIRST, 5, "zone 5 is open at node 16/1"));
        assertChanges(open, status(null, List.of(), zone(State.FENCING, null, 1)),
            new ClusterEvent(Kind.ZONE_CHANGED, null, 5, "zone 5 is fencing"));
        assertChanges(open, status(null, List.of(), zone(State.OPEN, OTHER, 1)),
            new ClusterEvent(Kind.ZONE_CHANGED, OTHER, 5, "zone 5 is open at node 17/1"));
        assertChanges(open, status(null, List.of(), zone(State.OPEN, FIRST, 2)));
    }
}

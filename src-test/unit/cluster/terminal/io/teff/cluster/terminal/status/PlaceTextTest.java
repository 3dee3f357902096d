package io.teff.cluster.terminal.status;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlaceTextTest {
    private static NodeLife life(int nid) {
        return new NodeLife(nid, 1);
    }

    private static ZoneStatus zone(int zone, int owner, int... backups) {
        List<ZoneStatus.Copy> copies = new ArrayList<>();
        for (int nid : backups) {
            copies.add(new ZoneStatus.Copy(life(nid), nid, false, false));
        }
        return new ZoneStatus(zone, 1, ZoneStatus.State.OPEN, life(owner), copies, List.of(), List.of(), false, null);
    }

    /** Makes a cluster whose peers, from NID 16 on, are in racks. */
    private static ClusterStatus cluster(List<String> racks, ZoneStatus... zones) {
        List<Member> nodes = new ArrayList<>();
        for (String rack : racks) {
            nodes.add(new Member(NodeRole.PEER, life(16 + nodes.size()), true, "tcp:h:1", null, rack));
        }
        return new ClusterStatus("", "", List.of(), null, 9, nodes, List.of(zones));
    }

    @Test
    void clusterWithoutNames_hasNothingToSay() {
        PlaceText text = new PlaceText(cluster(List.of("", "", ""), zone(1, 16, 17, 18)));
        assertEquals("", text.racks());
        assertEquals(List.of(), text.warnings());
    }

    @Test
    void sharedRack_isNamed_withItsRemedy() {
        PlaceText text = new PlaceText(cluster(List.of("a", "b", "c", "a"), zone(1, 16, 17, 18), zone(2, 16, 17, 19)));
        assertEquals("a 2, b 1, c 1", text.racks());
        assertEquals(List.of("warning: 1 zone(s) with two copies in one rack: 2; ./teff cluster rebalance moves their"
            + " backups"), text.warnings());
        assertEquals(List.of(2), text.sharing());
        assertEquals(Map.of("a", List.of(16, 19), "b", List.of(17), "c", List.of(18)), text.json());
    }

    @Test
    void tooFewRacks_andPeersWithoutARack_areNamed() {
        PlaceText few = new PlaceText(cluster(List.of("a", "b", "a"), zone(1, 16, 17, 18)));
        assertEquals(List.of("warning: 1 zone(s) with two copies in one rack: 1; 3 copies need as many racks, and there"
            + " are 2"), few.warnings());
        PlaceText some = new PlaceText(cluster(List.of("a", "b", "", ""), zone(1, 16, 18, 19)));
        assertEquals("a 1, b 1; without a rack: 2", some.racks());
        assertEquals(List.of("warning: 2 peer(s) without a rack, each of which counts as a rack of its own: node 18/1,"
            + " node 19/1"), some.warnings());
    }

    @Test
    void numbersOfZones_thatRunOut_areNamedBefore() {
        assertEquals(List.of(), new PlaceText(cluster(List.of(""), zone(58_979, 16))).warnings());
        assertEquals(List.of("warning: 58980 of 65533 zones are given; full zones are used again when half of their"
            + " chunks are removed"), new PlaceText(cluster(List.of(""), zone(58_980, 16))).warnings());
    }
}

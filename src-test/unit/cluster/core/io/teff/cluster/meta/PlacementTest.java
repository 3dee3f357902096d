package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final NodeRow OWNER = node(16, "");

    @Test
    void backups_ofRandomMemberships_areDifferentNodesAndAsManyAsThereCanBe() {
        for (int seed = 0; seed < 10_000; seed++) {
            Random random = new Random(seed);
            List<NodeRow> others = others(random.nextInt(12));
            int count = random.nextInt(5);
            List<NodeRef> chosen = Placement.backups(random.nextInt(1_000), OWNER, others, count);
            assertEquals(Math.min(count, others.size()), chosen.size(), "seed " + seed);
            assertEquals(chosen.size(), new HashSet<>(chosen).size(), "seed " + seed);
        }
    }

    @Test
    void backups_ofConsecutiveZones_areSpreadEvenly() {
        for (int size = 2; size <= 20; size++) {
            List<NodeRow> others = others(size);
            Map<NodeRef, Integer> first = new HashMap<>();
            Map<List<NodeRef>, Integer> pairs = new HashMap<>();
            int zones = size * (size - 1) * 3;
            for (int zone = 0; zone < zones; zone++) {
                List<NodeRef> chosen = Placement.backups(zone, OWNER, others, 2);
                first.merge(chosen.getFirst(), 1, Integer::sum);
                pairs.merge(chosen, 1, Integer::sum);
            }
            int each = zones / size;
            first.values().forEach(count -> assertEquals(each, count));
            assertEquals(size * (size - 1), pairs.size(), "all pairs of " + size + " nodes are used");
            pairs.values().forEach(count -> assertEquals(3, count));
        }
    }

    @Test
    void backups_ofAnyWindowOfZones_loadNoNodeTwiceAsMuch() {
        List<NodeRow> others = others(3);
        for (int begin = 0; begin < 100; begin++) {
            Map<NodeRef, Integer> first = new HashMap<>();
            for (int zone = begin; zone < begin + 16; zone++) {
                first.merge(Placement.backups(zone, OWNER, others, 2).getFirst(), 1, Integer::sum);
            }
            assertTrue(first.values().stream().allMatch(count -> count >= 5 && count <= 6), first.toString());
        }
    }

    /** Every number of nodes up to 6 in every assignment to up to 4 racks, with 1 to 3 backups, and every owner. */
    @Test
    void backups_ofEveryAssignmentToRacks_shareARackOnlyIfThereAreTooFew() {
        long placed = 0;
        for (int size = 2; size <= 6; size++) {
            for (int[] racks = new int[size]; next(racks, 4); ) {
                List<NodeRow> nodes = nodes(racks);
                for (NodeRow owner : nodes) {
                    List<NodeRow> others = nodes.stream().filter(node -> !node.equals(owner)).toList();
                    for (int count = 1; count <= 3; count++) {
                        checkRacks(owner, others, nodes, count, racks);
                        placed++;
                    }
                }
            }
        }
        assertEquals(92_772, placed);
    }

    private static void checkRacks(NodeRow owner, List<NodeRow> others, List<NodeRow> nodes, int count, int[] racks) {
        int all = Racks.count(nodes);
        for (int zone = 0; zone < 4; zone++) {
            List<NodeRow> holders = new ArrayList<>(List.of(owner));
            for (NodeRef chosen : Placement.backups(zone, owner, others, count)) {
                holders.add(others.stream().filter(node -> node.reference().equals(chosen)).findFirst().orElseThrow());
            }
            assertEquals(Math.min(count + 1, nodes.size()), holders.size());
            assertEquals(Math.min(holders.size(), all), Racks.count(holders), Arrays.toString(racks) + " owner "
                + owner.nid() + " zone " + zone);
        }
    }

    /** Counts the assignments of nodes to racks; rack 0 is that of nodes without a name. */
    private static boolean next(int[] racks, int count) {
        for (int i = 0; i < racks.length; i++) {
            if (++racks[i] < count) {
                return true;
            }
            racks[i] = 0;
        }
        return false;
    }

    private static List<NodeRow> nodes(int[] racks) {
        List<NodeRow> nodes = new ArrayList<>();
        for (int i = 0; i < racks.length; i++) {
            nodes.add(node(100 + i, racks[i] == 0 ? "" : "rack-" + racks[i]));
        }
        return nodes;
    }

    @Test
    void backups_inEqualRacks_areSpreadEvenly() {
        for (int racks = 3; racks <= 6; racks++) {
            for (int each = 1; each <= 4; each++) {
                int[] places = new int[racks * each];
                int count = racks;
                Arrays.setAll(places, i -> 1 + i % count);
                List<NodeRow> nodes = nodes(places);
                Map<NodeRef, Integer> copies = new HashMap<>();
                int zones = 4 * nodes.size() * nodes.size();
                for (NodeRow owner : nodes) {
                    List<NodeRow> others = nodes.stream().filter(node -> !node.equals(owner)).toList();
                    for (int zone = 0; zone < zones; zone++) {
                        Placement.backups(zone, owner, others, 2).forEach(node -> copies.merge(node, 1, Integer::sum));
                    }
                }
                int mean = 2 * zones;
                copies.forEach((node, its) -> assertTrue(Math.abs(its - mean) <= mean / 10, node + " has " + its
                    + " copies, the mean is " + mean));
            }
        }
    }

    @Test
    void backups_withoutNames_areThoseOfBefore() {
        List<NodeRow> named = new ArrayList<>();
        others(9).forEach(node -> named.add(node(node.nid(), "only-" + node.nid())));
        for (int zone = 0; zone < 500; zone++) {
            assertEquals(Placement.backups(zone, OWNER, others(9), 3), Placement.backups(zone, OWNER, named, 3));
        }
    }

    static NodeRow node(int nid, String rack) {
        return new NodeRow(nid, 1, true, new UUID(7, nid), 1, "", Roles.PEER, 0, 0, 0, 0, 1, false, rack);
    }

    private static List<NodeRow> others(int size) {
        List<NodeRow> others = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            others.add(node(100 + i, ""));
        }
        return others;
    }
}

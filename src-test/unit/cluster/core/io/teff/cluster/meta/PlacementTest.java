package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlacementTest {

    @Test
    void backups_ofRandomMemberships_areDifferentNodesAndAsManyAsThereCanBe() {
        for (int seed = 0; seed < 10_000; seed++) {
            Random random = new Random(seed);
            List<NodeRef> others = others(random.nextInt(12));
            int count = random.nextInt(5);
            List<NodeRef> chosen = Placement.backups(random.nextInt(1_000), others, count);
            assertEquals(Math.min(count, others.size()), chosen.size(), "seed " + seed);
            assertEquals(chosen.size(), new HashSet<>(chosen).size(), "seed " + seed);
        }
    }

    @Test
    void backups_ofConsecutiveZones_areSpreadEvenly() {
        for (int size = 2; size <= 20; size++) {
            List<NodeRef> others = others(size);
            Map<NodeRef, Integer> first = new HashMap<>();
            Map<List<NodeRef>, Integer> pairs = new HashMap<>();
            int zones = size * (size - 1) * 3;
            for (int zone = 0; zone < zones; zone++) {
                List<NodeRef> chosen = Placement.backups(zone, others, 2);
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
        List<NodeRef> others = others(3);
        for (int begin = 0; begin < 100; begin++) {
            Map<NodeRef, Integer> first = new HashMap<>();
            for (int zone = begin; zone < begin + 16; zone++) {
                first.merge(Placement.backups(zone, others, 2).getFirst(), 1, Integer::sum);
            }
            assertTrue(first.values().stream().allMatch(count -> count >= 5 && count <= 6), first.toString());
        }
    }

    private static List<NodeRef> others(int size) {
        List<NodeRef> others = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            others.add(new NodeRef(100 + i, 1));
        }
        return others;
    }
}

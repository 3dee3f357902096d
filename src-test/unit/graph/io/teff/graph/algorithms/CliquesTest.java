package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Maximal cliques are those among all sets of vertices, each given once. */
final class CliquesTest {
    private static final int VERTICES = 13;

    @Test
    void cliques_ofSmallGraphs_areThoseAmongAllSets() {
        SmallGraphs.check(getClass(), 300, VERTICES, (graph, teams, random) -> {
            Set<String> expected = cliques(SmallGraphs.simple(graph));
            for (Team team : teams) {
                Set<String> found = new ConcurrentSkipListSet<>();
                AtomicInteger calls = new AtomicInteger();
                long count = Cliques.list(graph, team, (members, size) -> {
                    calls.incrementAndGet();
                    return found.add(Arrays.toString(Arrays.copyOf(members, size)));
                });
                assertEquals(expected, found, team.threads() + " threads");
                assertEquals(expected.size(), count);
                assertEquals(expected.size(), calls.get());
            }
        });
    }

    private static Set<String> cliques(boolean[][] edge) {
        int count = edge.length;
        int[] masks = new int[count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                masks[i] |= edge[i][j] ? 1 << j : 0;
            }
        }
        Set<String> cliques = new TreeSet<>();
        for (int set = 1; set < 1 << count; set++) {
            int common = -1;
            boolean isClique = true;
            for (int bits = set; bits != 0; bits &= bits - 1) {
                int vertex = Integer.numberOfTrailingZeros(bits);
                isClique &= (set & ~masks[vertex]) == 1 << vertex;
                common &= masks[vertex];
            }
            if (isClique && common == 0) {
                int members = set;
                cliques.add(Arrays.toString(IntStream.range(0, count).filter(it -> (members >> it & 1) != 0)
                    .toArray()));
            }
        }
        return cliques;
    }

    @Test
    void list_afterTheSinkHasEnough_ends() {
        SmallGraphs.check(getClass(), 50, VERTICES, (graph, teams, random) -> {
            int enough = 1 + random.nextInt(3);
            for (Team team : teams) {
                AtomicInteger calls = new AtomicInteger();
                Cliques.list(graph, team, (members, size) -> calls.incrementAndGet() < enough);
                assertTrue(calls.get() < enough + team.threads(), calls + " calls, " + team.threads() + " threads");
            }
        });
    }
}

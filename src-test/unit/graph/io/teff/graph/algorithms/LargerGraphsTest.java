package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs with enough vertices for several ranges: any number of threads gives equal results. */
final class LargerGraphsTest {
    private static final int SCALE = 11;
    private static final int DEGREE = 8;
    private static final int SIDE = 40;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void results_ofGraphsLikeGraph500_doNotDependOnThreads(int seed) {
        equal(RandomGraphs.kronecker(seed, SCALE, DEGREE));
    }

    @Test
    void results_ofAGrid_doNotDependOnThreads() {
        equal(RandomGraphs.grid(1, SIDE));
    }

    @Test
    void results_ofClasses_doNotDependOnThreads() {
        equal(JdkClasses.graph("java/util/concurrent/"));
    }

    @Test
    void levels_ofClasses_riseAlongEachArcBetweenCycles() {
        ArrayGraph graph = JdkClasses.graph("java/util/concurrent/");
        try (Workers workers = new Workers(2)) {
            Team team = new Team(workers);
            StrongComponents components = StrongComponents.of(graph, team);
            int[] levels = Levels.of(graph, components, team);
            Neighbours cursor = graph.neighbours();
            for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
                for (int left = cursor.open(vertex); left > 0; left--) {
                    int next = cursor.next();
                    boolean isCycle = components.component(vertex) == components.component(next);
                    assertTrue(isCycle ? levels[next] == levels[vertex] : levels[next] > levels[vertex]);
                }
            }
            assertTrue(components.cycles().getFirst().length > 10);
            assertEquals(graph.vertexCount(), Arrays.stream(Levels.counts(levels)).sum());
        }
    }

    private static void equal(ArrayGraph graph) {
        try (Workers one = new Workers(1); Workers two = new Workers(2); Workers four = new Workers(4)) {
            Team[] teams = {new Team(one), new Team(two), Team.ofSingleIndexes(four)};
            equal(teams, team -> ShortestPaths.lengths(graph, team, 0));
            equal(teams, team -> ShortestPaths.lengths(graph, team, 0, 1));
            equal(teams, team -> Triangles.count(graph, team));
            equal(teams, team -> Clustering.coefficients(graph, team));
            equal(teams, team -> Cores.numbers(graph, team));
            equal(teams, team -> Betweenness.sampled(graph, team, 20, 1));
            equal(teams, team -> Communities.labels(graph, team, 5));
            equal(teams, team -> StrongComponents.of(graph, team).components());
            equal(teams, team -> Levels.of(graph, StrongComponents.of(graph, team), team));
            equal(teams, team -> Cliques.list(graph, team, (members, size) -> true));
        }
    }

    private static void equal(Team[] teams, Function<Team, Object> algorithm) {
        Object[] first = {algorithm.apply(teams[0])};
        for (int i = 1; i < teams.length; i++) {
            assertArrayEquals(first, new Object[] {algorithm.apply(teams[i])});
        }
    }
}

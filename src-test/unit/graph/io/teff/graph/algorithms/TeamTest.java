package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Loops visit each index once, end at failures, and every algorithm can be cancelled and reports progress. */
final class TeamTest {
    private static final int SCALE = 8;
    private static final int DEGREE = 8;

    private static Map<String, Consumer<Team>> algorithms() {
        ArrayGraph graph = RandomGraphs.kronecker(1, SCALE, DEGREE);
        Map<String, Consumer<Team>> all = new TreeMap<>();
        all.put("shortest paths", team -> ShortestPaths.lengths(graph, team, 0));
        all.put("triangles", team -> Triangles.count(graph, team));
        all.put("clustering", team -> Clustering.coefficients(graph, team));
        all.put("cores", team -> Cores.numbers(graph, team));
        all.put("betweenness", team -> Betweenness.exact(graph, team));
        all.put("communities", team -> Communities.labels(graph, team, 5));
        all.put("components", team -> StrongComponents.of(graph, team));
        all.put("levels", team -> Levels.of(graph, StrongComponents.of(graph, team), team));
        all.put("cliques", team -> Cliques.list(graph, team, (members, size) -> true));
        return all;
    }

    /** A watch that answers with no until it has been asked some times. */
    private record Patience(AtomicInteger left, AtomicInteger reports) implements WorkWatch {
        Patience(int questions) {
            this(new AtomicInteger(questions), new AtomicInteger());
        }

        @Override
        public boolean isCancelled() {
            return left.getAndDecrement() <= 0;
        }

        @Override
        public void at(String step, long done, long total) {
            reports.incrementAndGet();
        }
    }

    @TestFactory
    Stream<DynamicTest> algorithms_whenCancelled_end() {
        return algorithms().entrySet().stream().map(it -> DynamicTest.dynamicTest(it.getKey(), () -> {
            for (int threads = 1; threads <= 2; threads++) {
                try (Workers workers = new Workers(threads)) {
                    Patience all = new Patience(Integer.MAX_VALUE);
                    it.getValue().accept(new Team(workers, all));
                    int questions = Integer.MAX_VALUE - all.left.get();
                    assertTrue(all.reports.get() > 0 || it.getKey().matches("components|levels"), "no report");
                    int last = threads == 1 ? questions - 1 : 0;  // several threads ask a different number of times
                    for (int after : new int[] {0, last / 2, last}) {
                        assertThrows(CancellationException.class,
                            () -> it.getValue().accept(new Team(workers, new Patience(after))), "after " + after);
                    }
                    it.getValue().accept(new Team(workers));
                }
            }
        }));
    }

    @Test
    void loop_ofAnySize_visitsEachIndexOnce() {
        for (int threads = 1; threads <= 3; threads++) {
            try (Workers workers = new Workers(threads)) {
                Team team = new Team(workers);
                for (int total : new int[] {0, 1, 63, 64, 65, 1000, 10_000}) {
                    AtomicIntegerArray visits = new AtomicIntegerArray(total);
                    team.forEach(total, (from, to, worker) -> {
                        for (int i = from; i < to; i++) {
                            visits.incrementAndGet(i);
                        }
                    });
                    int[] expected = new int[total];
                    Arrays.fill(expected, 1);
                    int[] found = new int[total];
                    Arrays.setAll(found, visits::get);
                    assertArrayEquals(expected, found);
                }
            }
        }
    }

    @Test
    void loop_withAFailure_throwsItAndEnds() {
        for (int threads = 1; threads <= 3; threads++) {
            try (Workers workers = new Workers(threads)) {
                Team team = new Team(workers);
                IllegalStateException failure = assertThrows(IllegalStateException.class,
                    () -> team.forEach(1_000_000, 1, (from, to, worker) -> {
                        throw new IllegalStateException("planted");
                    }));
                assertEquals("planted", failure.getMessage());
            }
        }
    }
}

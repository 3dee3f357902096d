package io.teff.graph.algorithms.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.Adjacency;
import io.teff.graph.algorithms.ArrayGraph;
import io.teff.graph.algorithms.ArrayGraph.Edge;
import io.teff.graph.algorithms.Team;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs on the page of graphs are those that these tests compile and run. */
final class PageTest {
    private static final String FOLDER = "src-test/unit/graph/io/teff/graph/algorithms/program/";

    @ParameterizedTest
    @ValueSource(strings = {"LabelSpreading", "ReachDepth"})
    void programs_onThePage_areTheTestedPrograms(String name) throws IOException {
        String source = Files.readString(Project.file(FOLDER + name + ".java"));
        String program = source.substring(source.indexOf("final class"));
        assertTrue(page().contains("```java\n" + program + "```\n"), name + " on the page differs from " + FOLDER);
    }

    @Test
    void rounds_onThePage_areTheTestedRounds() throws IOException {
        String source = Files.readString(Project.file(FOLDER + "PageTest.java"));
        String marker = "// ---- on the page" + " ----\n";
        String rounds = source.substring(source.indexOf(marker) + marker.length(), source.lastIndexOf('}'))
            .replaceAll("(?m)^    ", "").strip();
        assertTrue(page().contains("```java\n" + rounds + "\n```\n"), "the rounds on the page differ");
        ArrayGraph path = ArrayGraph.of(5, true, false, List.of(new Edge(0, 1, 1), new Edge(1, 2, 1),
            new Edge(2, 3, 1)));
        try (Workers workers = new Workers(2)) {
            States states = depths(path, new Team(workers), 1);
            assertEquals(List.of(0, 1, 2, 3, 0), Stream.of(0, 1, 2, 3, 4).map(it -> states.getInt(it, 0)).toList());
        }
    }

    private static String page() throws IOException {
        return Files.readString(Project.file("docs/GRAPHS.md"));
    }

    // ---- on the page ----

    static States depths(Adjacency graph, Team team, int... roots) {
        Rounds rounds = new Rounds(graph, team, new ReachDepth());
        Frontier frontier = rounds.vertexMap(Frontier.of(graph.vertexCount(), roots), (vertex, state) -> {
            state.putInt(0, 1);
            return true;
        });
        while (!frontier.isEmpty()) {
            frontier = rounds.edgeMap(frontier);
        }
        return rounds.states();
    }
}

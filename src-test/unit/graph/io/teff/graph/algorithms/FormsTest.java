package io.teff.graph.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.Adjacency;
import io.teff.graph.EdgeList;
import io.teff.graph.GraphForms;
import io.teff.graph.load.LoadOptions;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each form of a graph gives equal results: plain and packed in a store, frozen, and in arrays of the heap. */
final class FormsTest {
    private static final int GRAPHS = 20;

    @Test
    void results_ofEachForm_areEqual() throws Exception {
        try (GraphForms forms = new GraphForms()) {
            long first = Seed.first();
            for (long seed = first; seed < first + GRAPHS; seed++) {
                var random = Seed.random(seed);
                EdgeList edges = EdgeList.random(random, random.nextBoolean(), random.nextBoolean());
                String message = Seed.reproduce(getClass(), seed);
                boolean loops = random.nextBoolean();
                List<Adjacency> all = forms.all(edges, LoadOptions.DEFAULT.keepLoops(loops));
                Team team = new Team(forms.workers().get(1));
                Map<String, Object> expected = results(all.getFirst(), team);
                for (Adjacency form : all) {
                    Map<String, Object> found = results(form, team);
                    expected.forEach((name, result) -> assertTrue(
                        Arrays.deepEquals(new Object[] {result}, new Object[] {found.get(name)}),
                        () -> message + ": " + name + " of " + form));
                    assertEquals(expected.keySet(), found.keySet());
                }
            }
        }
    }

    private static Map<String, Object> results(Adjacency graph, Team team) {
        Map<String, Object> results = new LinkedHashMap<>();
        results.put("lengths", ShortestPaths.lengths(graph, team, 0));
        results.put("triangles", Triangles.count(graph, team));
        results.put("coefficients", Clustering.coefficients(graph, team));
        results.put("cores", Cores.numbers(graph, team));
        results.put("betweenness", Betweenness.sampled(graph, team, 5, 1));
        results.put("communities", Communities.labels(graph, team, 3));
        StrongComponents components = StrongComponents.of(graph, team);
        results.put("components", components.components());
        results.put("levels", Levels.of(graph, components, team));
        results.put("cliques", Cliques.list(graph, team, (members, size) -> true));
        return results;
    }
}

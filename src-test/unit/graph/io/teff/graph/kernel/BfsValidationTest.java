package io.teff.graph.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.EdgeList.Edge;
import io.teff.graph.EdgeList;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a tree that breaks one of the rules of Graph500 is found. Method: the graph below, and one wrong tree for each
 * rule.
 * <pre>
 *   0 -- 1 -- 2 -- 3      5 -- 6
 *   +----4----+
 * </pre>
 */
final class BfsValidationTest {
    private static final EdgeList EDGES = new EdgeList(7, false, false, true, List.of(new Edge(0, 1, 1),
        new Edge(1, 2, 1), new Edge(2, 3, 1), new Edge(0, 4, 1), new Edge(4, 2, 1), new Edge(5, 6, 1)));

    private final Workers workers = new Workers(2);

    @AfterEach
    void end() {
        workers.close();
    }

    private BfsValidation.Result check(int root, int... parents) throws IOException {
        FrozenGraph graph = FrozenGraph.load(EDGES, LoadOptions.DEFAULT, workers, WorkWatch.NONE);
        return new BfsValidation(graph, workers).check(new ParentTree(root, parents));
    }

    private void assertBroken(int rule, int root, int... parents) throws IOException {
        BfsValidation.Result result = check(root, parents);
        assertTrue(result.violations().stream().anyMatch(it -> it.startsWith(rule + ":")),
            () -> result.violations().toString());
        assertThrows(IllegalStateException.class, result::orThrow);
    }

    @Test
    void check_rightTrees_areValid() throws IOException {
        BfsValidation.Result one = check(0, 0, 0, 1, 2, 0, -1, -1).orThrow();
        assertEquals(5, one.reachedCount());
        assertEquals(10, one.arcCount());
        check(0, 0, 0, 4, 2, 0, -7, -1).orThrow();
        check(5, -1, -1, -1, -1, -1, 5, 5).orThrow();
    }

    @Test
    void check_circle_breaksRule1() throws IOException {
        assertBroken(1, 0, 0, 2, 1, 2, 0, -1, -1);
        assertBroken(1, 0, 0, 0, 3, 2, 0, -1, -1);
    }

    @Test
    void check_rootWithParent_breaksRule1() throws IOException {
        assertBroken(1, 0, 1, 0, 1, 2, 0, -1, -1);
    }

    @Test
    void check_parentOutside_breaksRule1() throws IOException {
        assertBroken(1, 0, 0, 0, 1, 2, 9, -1, -1);
        assertBroken(1, 0, 0, 0, 1, 2, 6, -1, -1);
    }

    @Test
    void check_longWay_breaksRule3() throws IOException {
        assertBroken(3, 1, 1, 1, 4, 2, 0, -1, -1);
    }

    @Test
    void check_longWayOfArcs_breaksRule3() throws IOException {
        EdgeList arcs = new EdgeList(3, true, false, true, List.of(new Edge(0, 1, 1), new Edge(1, 2, 1),
            new Edge(0, 2, 1), new Edge(2, 0, 1)));
        FrozenGraph graph = FrozenGraph.load(arcs, LoadOptions.DEFAULT, workers, WorkWatch.NONE);
        BfsValidation validation = new BfsValidation(graph, workers);
        validation.check(new ParentTree(0, new int[] {0, 0, 0})).orThrow();
        assertEquals(List.of("3: vertex 0 is at level 0, its neighbour 2 at 2"),
            validation.check(new ParentTree(0, new int[] {0, 0, 1})).violations());
    }

    @Test
    void check_missingVertex_breaksRule4() throws IOException {
        assertBroken(4, 0, 0, 0, 1, -1, 0, -1, -1);
    }

    @Test
    void check_edgeThatIsNotThere_breaksRule5() throws IOException {
        assertBroken(5, 0, 0, 0, 1, 2, 0, 3, 5);
    }

    @Test
    void check_otherSize_isRefused() throws IOException {
        assertBroken(1, 0, 0, 0);
    }
}

package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Trees of all small numbers of nodes: each node has one place, few children, and a short way to the root. */
final class StepTreeTest {
    private static final int NODES = 300;

    private final Set<Integer> seen = new HashSet<>();

    private int depth(List<Integer> list) {
        assertTrue(seen.add(list.getFirst()), "node " + list.getFirst() + " twice");
        List<List<Integer>> children = StepTree.children(list.subList(1, list.size()));
        assertTrue(children.size() <= StepTree.FAN_OUT);
        return children.stream().mapToInt(child -> 1 + depth(child)).max().orElse(0);
    }

    @Test
    void children_ofAnyNumberOfNodes_areATreeOfLogarithmicDepth() {
        for (int nodes = 1; nodes <= NODES; nodes++) {
            seen.clear();
            int depth = depth(IntStream.range(0, nodes).boxed().toList());
            assertEquals(nodes, seen.size());
            assertTrue(Math.pow(StepTree.FAN_OUT, depth - 1) < nodes, nodes + " nodes have depth " + depth);
        }
    }
}

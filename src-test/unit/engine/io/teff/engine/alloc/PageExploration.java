package io.teff.engine.alloc;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks all states that interleaved atomic steps of a {@link PageModel} can reach, breadth first, and checks each.
 * Finally checks that every state can reach a quiet state, so no thread waits for an event that never occurs.
 */
final class PageExploration {
    private final Map<PageModel.Key, Integer> numbers = new HashMap<>();
    private final ArrayDeque<PageModel> open = new ArrayDeque<>();
    private int[] edges = new int[1 << 16];
    private int edgeCount;
    private boolean[] quiet = new boolean[1 << 16];
    private @Nullable String problem;

    /** Explores all states; {@link #problem} returns the result. */
    PageExploration(PageModel start) {
        number(start);
        while (!open.isEmpty() && problem == null) {
            PageModel state = open.remove();
            int from = number(state);
            try {
                state.expand(after -> addEdge(from, number(after)));
            } catch (AssertionError e) {
                problem = e.getMessage() + " after " + state;
            }
        }
        if (problem == null && !allComeToRest()) {
            problem = "some state can never come to rest";
        }
    }

    /** Returns the problem of the first bad state, or null. */
    @Nullable String problem() {
        return problem;
    }

    int stateCount() {
        return numbers.size();
    }

    private int number(PageModel state) {
        PageModel.Key key = state.key();
        Integer known = numbers.get(key);
        if (known != null) {
            return known;
        }
        int number = numbers.size();
        numbers.put(key, number);
        open.add(state);
        if (number == quiet.length) {
            quiet = Arrays.copyOf(quiet, number * 2);
        }
        quiet[number] = state.isQuiet();
        String found = state.problem();
        if (found != null && problem == null) {
            problem = found + ": " + state;
        }
        return number;
    }

    private void addEdge(int from, int to) {
        if (edgeCount + 2 > edges.length) {
            edges = Arrays.copyOf(edges, edges.length * 2);
        }
        edges[edgeCount++] = from;
        edges[edgeCount++] = to;
    }

    /** Walks back from the quiet states until no state is added: few rounds, since edges are in breadth-first order. */
    private boolean allComeToRest() {
        int states = numbers.size();
        boolean[] rests = Arrays.copyOf(quiet, states);
        boolean grown = true;
        while (grown) {
            grown = false;
            for (int at = edgeCount - 2; at >= 0; at -= 2) {
                if (rests[edges[at + 1]] && !rests[edges[at]]) {
                    rests[edges[at]] = true;
                    grown = true;
                }
            }
        }
        for (boolean state : rests) {
            if (!state) {
                return false;
            }
        }
        return true;
    }
}

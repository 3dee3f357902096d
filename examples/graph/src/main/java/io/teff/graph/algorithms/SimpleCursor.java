package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import org.jspecify.annotations.Nullable;

/**
 * Reads the neighbours of a vertex in the simple undirected graph behind a graph: loops are left out, repeated arcs
 * count once, and the direction of arcs does not count. Merges the runs of both directions, which are sorted.
 */
final class SimpleCursor {
    private static final int END = -1;

    private final Neighbours forward;
    private final @Nullable Neighbours backward;
    private int vertex;
    private int forwardLeft;
    private int backwardLeft;
    private int forwardNext;
    private int backwardNext;
    private boolean both;

    SimpleCursor(Adjacency graph) {
        forward = graph.neighbours();
        backward = graph.directed() ? graph.reversed().neighbours() : null;
    }

    /** Moves before the first neighbour of a vertex. */
    void open(int number) {
        vertex = number;
        forwardLeft = forward.open(number);
        forwardNext = END;
        forwardNext = nextForward();
        if (backward != null) {
            backwardLeft = backward.open(number);
            backwardNext = END;
            backwardNext = nextBackward(backward);
        }
    }

    /** The next neighbour in ascending order; -1 at the end. */
    int next() {
        int ahead = forwardNext;
        if (backward == null) {
            if (ahead >= 0) {
                forwardNext = nextForward();
            }
            return ahead;
        }
        return merge(backward, ahead, backwardNext);
    }

    private int merge(Neighbours other, int ahead, int behind) {
        both = ahead == behind;
        boolean takesAhead = ahead >= 0 && (behind < 0 || ahead <= behind);
        if (takesAhead) {
            forwardNext = nextForward();
        }
        if (behind >= 0 && (both || !takesAhead)) {
            backwardNext = nextBackward(other);
        }
        return takesAhead ? ahead : behind;
    }

    /** Whether there are arcs in both directions between the vertex and the last neighbour; true if undirected. */
    boolean both() {
        return backward == null || both;
    }

    private int nextForward() {
        int last = forwardNext;
        while (forwardLeft > 0) {
            forwardLeft--;
            int found = forward.next();
            if (found != last && found != vertex) {
                return found;
            }
        }
        return END;
    }

    private int nextBackward(Neighbours cursor) {
        int last = backwardNext;
        while (backwardLeft > 0) {
            backwardLeft--;
            int found = cursor.next();
            if (found != last && found != vertex) {
                return found;
            }
        }
        return END;
    }
}

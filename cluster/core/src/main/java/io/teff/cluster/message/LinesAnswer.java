package io.teff.cluster.message;

import java.util.List;

/**
 * The last lines of a node's log.
 *
 * @param lines from the oldest to the newest
 */
public record LinesAnswer(List<String> lines) {
    /** Copies the list. */
    public LinesAnswer {
        lines = List.copyOf(lines);
    }
}

package io.teff.cluster.admin;

import java.util.List;

/**
 * The figures of a node over a time, as the node has kept the figures in memory. Immutable.
 *
 * @param span the time
 * @param moments figures from the oldest moment to the newest; moments in which the process did not run are missing
 */
public record FigureHistory(Span span, List<NodeFigures> moments) {
    /** A time of the history. */
    public enum Span {
        /** The last hour, a moment each ten seconds. */
        HOUR(10_000, 360),
        /** The last day, a moment each five minutes. */
        DAY(300_000, 288);

        private final long periodMs;
        private final int count;

        Span(long periodMs, int count) {
            this.periodMs = periodMs;
            this.count = count;
        }

        /** {@return milliseconds between two moments} */
        public long periodMs() {
            return periodMs;
        }

        /** {@return most moments} */
        public int count() {
            return count;
        }
    }

    /** Copies the list. */
    public FigureHistory {
        moments = List.copyOf(moments);
    }
}

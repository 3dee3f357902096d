package io.teff.cluster.admin;

import java.util.Arrays;

/**
 * The figures of a node at a moment: one number for each {@link Figure}. Made by the node, and unchanged on the way to
 * meters, charts and texts. Immutable.
 */
public final class NodeFigures {
    /** The value of a figure that the node does not have. */
    public static final long ABSENT = -1;

    private final long atMs;
    private final long[] values;

    /** Collects the figures of a moment. For one thread. */
    public static final class Builder {
        private final long[] values = empty();

        /** Begins without a figure. */
        public Builder() {}

        /**
         * Sets a figure.
         *
         * @param figure which figure
         * @param value the value; a value below 0 is no figure
         * @return this builder
         */
        public Builder set(Figure figure, long value) {
            values[figure.ordinal()] = Math.max(value, ABSENT);
            return this;
        }

        /**
         * {@return the figures}
         *
         * @param atMs wall clock of the node, in milliseconds since 1970
         */
        public NodeFigures build(long atMs) {
            return new NodeFigures(atMs, values.clone());
        }
    }

    private NodeFigures(long atMs, long[] values) {
        this.atMs = atMs;
        this.values = values;
    }

    private static long[] empty() {
        long[] values = new long[Figure.values().length];
        Arrays.fill(values, ABSENT);
        return values;
    }

    /**
     * Makes figures of an array, as of another version: missing figures are absent, and unknown figures are left out.
     *
     * @param atMs wall clock of the node, in milliseconds since 1970
     * @param array has the values
     * @param from index of the first value
     * @param count number of values
     * @return the figures
     */
    public static NodeFigures of(long atMs, long[] array, int from, int count) {
        long[] values = empty();
        System.arraycopy(array, from, values, 0, Math.min(count, values.length));
        return new NodeFigures(atMs, values);
    }

    /** {@return the wall clock of the node, in milliseconds since 1970} */
    public long atMs() {
        return atMs;
    }

    /**
     * {@return the value of a figure, or {@link #ABSENT}}
     *
     * @param figure which figure
     */
    public long get(Figure figure) {
        return values[figure.ordinal()];
    }

    /**
     * {@return whether the node has a figure}
     *
     * @param figure which figure
     */
    public boolean has(Figure figure) {
        return get(figure) != ABSENT;
    }

    /**
     * {@return the figures of two nodes together, at the later moment}
     *
     * @param other figures of the other node
     */
    public NodeFigures with(NodeFigures other) {
        Builder together = new Builder();
        for (Figure figure : Figure.values()) {
            together.set(figure, figure.together(get(figure), other.get(figure)));
        }
        return together.build(Math.max(atMs, other.atMs));
    }

    /**
     * Copies the values into an array, in the order of {@link Figure}.
     *
     * @param array has room for all figures
     * @param to index of the first value
     */
    public void copyTo(long[] array, int to) {
        System.arraycopy(values, 0, array, to, values.length);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder().append(atMs).append(" ms:");
        for (Figure figure : Figure.values()) {
            if (has(figure)) {
                text.append(' ').append(figure.text()).append('=').append(get(figure));
            }
        }
        return text.toString();
    }
}

package io.teff.cluster.message;

/**
 * Asks a node for figures.
 *
 * @param span what to answer: {@link #NOW}, or the ordinal of a span of the history
 */
public record FiguresRequest(int span) {
    /** The figures of now. */
    public static final int NOW = -1;
}

package io.teff.graph.load;

/**
 * What happens to edges on their way into a graph. The defaults are those of Graph500 and GAP: loops and duplicates are
 * removed.
 *
 * @param keepsLoops whether an edge from a vertex to itself is kept
 * @param keepsDuplicates whether an edge that is there several times is kept as often; otherwise the smallest weight
 *     stays
 * @param undirected whether the arcs of a directed source become edges without direction
 * @param reverse whether a directed graph has its reverse, too
 * @param vertexCountMin smallest number of vertices: a graph may have vertices without edges behind the last edge
 * @param sortBytesMax memory for sorting; if it is short, the source is read several times
 */
public record LoadOptions(boolean keepsLoops, boolean keepsDuplicates, boolean undirected, boolean reverse,
                          int vertexCountMin, long sortBytesMax) {
    /** Loops and duplicates are removed; directed graphs have a reverse; 2 GiB for sorting. */
    public static final LoadOptions DEFAULT = new LoadOptions(false, false, false, true, 0, 2L << 30);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public LoadOptions {
        if (vertexCountMin < 0 || vertexCountMin > EdgeSorter.VERTEX_COUNT_MAX) {
            throw new IllegalArgumentException("vertexCountMin=" + vertexCountMin);
        }
        if (sortBytesMax < 1) {
            throw new IllegalArgumentException("sortBytesMax=" + sortBytesMax);
        }
    }

    /**
     * Returns options with loops kept or removed.
     *
     * @param keeps whether loops are kept
     * @return the options
     */
    public LoadOptions keepLoops(boolean keeps) {
        return new LoadOptions(keeps, keepsDuplicates, undirected, reverse, vertexCountMin, sortBytesMax);
    }

    /**
     * Returns options with duplicates kept or removed.
     *
     * @param keeps whether duplicates are kept
     * @return the options
     */
    public LoadOptions keepDuplicates(boolean keeps) {
        return new LoadOptions(keepsLoops, keeps, undirected, reverse, vertexCountMin, sortBytesMax);
    }

    /**
     * Returns options that ignore the direction of arcs, or do not.
     *
     * @param ignores whether arcs become edges without direction
     * @return the options
     */
    public LoadOptions ignoreDirection(boolean ignores) {
        return new LoadOptions(keepsLoops, keepsDuplicates, ignores, reverse, vertexCountMin, sortBytesMax);
    }

    /**
     * Returns options for graphs with or without a reverse.
     *
     * @param has whether a directed graph has its reverse, too
     * @return the options
     */
    public LoadOptions withReverse(boolean has) {
        return new LoadOptions(keepsLoops, keepsDuplicates, undirected, has, vertexCountMin, sortBytesMax);
    }

    /**
     * Returns options with another smallest number of vertices.
     *
     * @param count number of vertices
     * @return the options
     */
    public LoadOptions withVertices(int count) {
        return new LoadOptions(keepsLoops, keepsDuplicates, undirected, reverse, count, sortBytesMax);
    }

    /**
     * Returns options with another amount of memory for sorting.
     *
     * @param bytes memory for sorting
     * @return the options
     */
    public LoadOptions withSortBytes(long bytes) {
        return new LoadOptions(keepsLoops, keepsDuplicates, undirected, reverse, vertexCountMin, bytes);
    }
}

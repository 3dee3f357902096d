package io.teff.graph.algorithms;

import java.util.Arrays;

/**
 * Rows of ints, one for each vertex, behind each other in a few large arrays.
 *
 * <pre>{@code
 * int[] page = rows.page(vertex);
 * for (int i = rows.from(vertex), end = rows.to(vertex); i < end; i++) ... page[i]
 * }</pre>
 *
 * <p>A row begins in the page of its offset and ends in the same page, so a page is longer than 2^{@value #PAGE_SHIFT}
 * ints by at most one row. More than 2^31 entries have room.
 */
final class IntRows {
    static final int PAGE_SHIFT = 27;
    private static final long PAGE_MASK = (1L << PAGE_SHIFT) - 1;

    private final long[] offsets;
    private final int[][] pages;

    /**
     * Makes rows full of zeros.
     *
     * @param offsets one for each vertex and one behind the last: where each row begins; kept
     */
    IntRows(long[] offsets) {
        this.offsets = offsets;
        int vertexCount = offsets.length - 1;
        int pageCount = (int) (offsets[vertexCount] >>> PAGE_SHIFT) + 1;
        int[] lengths = new int[pageCount];
        for (int vertex = 0; vertex < vertexCount; vertex++) {
            int page = (int) (offsets[vertex] >>> PAGE_SHIFT);
            lengths[page] = Math.toIntExact(offsets[vertex + 1] - ((long) page << PAGE_SHIFT));
        }
        pages = new int[pageCount][];
        Arrays.setAll(pages, page -> new int[lengths[page]]);
    }

    /**
     * Offsets of rows.
     *
     * @param lengths of the rows
     */
    static long[] offsets(int[] lengths) {
        long[] offsets = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + lengths[i];
        }
        return offsets;
    }

    int count() {
        return offsets.length - 1;
    }

    long entryCount() {
        return offsets[offsets.length - 1];
    }

    int length(int vertex) {
        return (int) (offsets[vertex + 1] - offsets[vertex]);
    }

    int[] page(int vertex) {
        return pages[(int) (offsets[vertex] >>> PAGE_SHIFT)];
    }

    int from(int vertex) {
        return (int) (offsets[vertex] & PAGE_MASK);
    }

    int to(int vertex) {
        return from(vertex) + length(vertex);
    }
}

package io.teff.graph.algorithms.program;

/**
 * Which part has a vertex: each row of consecutive vertices, as many as parts, gives one vertex to each part. The order
 * in a row changes from row to row by a hash, so that the many arcs of vertices with even or small numbers, as
 * generators like to make them, do not meet in one part.
 *
 * <pre>
 *  vertex   |          row          | place |        index in its part = row
 *                                      xor hash(row) = part
 * </pre>
 *
 * @param vertexCount number of vertices of the graph
 * @param shift logarithm of the number of parts, 0 to {@value #SHIFT_MAX}
 */
public record Partition(int vertexCount, int shift) {
    /** Largest logarithm of the number of parts: 1,024 parts. */
    public static final int SHIFT_MAX = 10;
    private static final int HASH = 0x9E37_79B1;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Partition {
        if (vertexCount < 0 || shift < 0 || shift > SHIFT_MAX) {
            throw new IllegalArgumentException("vertexCount=" + vertexCount + " shift=" + shift);
        }
    }

    private static int hash(int row) {
        int mixed = row * HASH;
        return mixed ^ mixed >>> (Integer.SIZE >> 1);
    }

    /** {@return the number of parts} */
    public int parts() {
        return 1 << shift;
    }

    /**
     * Returns the part of a vertex.
     *
     * @param vertex number of the vertex
     * @return the part, from 0
     */
    public int part(int vertex) {
        return part(vertex, shift);
    }

    /**
     * Returns the part of a vertex, whatever the number of vertices is.
     *
     * @param vertex number of the vertex
     * @param shift logarithm of the number of parts
     * @return the part, from 0
     */
    public static int part(int vertex, int shift) {
        return (vertex ^ hash(vertex >>> shift)) & (1 << shift) - 1;
    }

    /**
     * Returns the index of a vertex in its part.
     *
     * @param vertex number of the vertex
     * @return the index, from 0; vertices of a part are in ascending order
     */
    public int index(int vertex) {
        return vertex >>> shift;
    }

    /**
     * Returns the vertex at an index of a part.
     *
     * @param part the part
     * @param index in the part
     * @return number of the vertex
     */
    public int vertex(int part, int index) {
        return index << shift | (part ^ hash(index)) & (1 << shift) - 1;
    }

    /**
     * Returns the number of vertices of a part.
     *
     * @param part the part
     * @return the number
     */
    public int count(int part) {
        int rows = vertexCount >>> shift;
        int rest = vertexCount & (1 << shift) - 1;
        return ((part ^ hash(rows)) & (1 << shift) - 1) < rest ? rows + 1 : rows;
    }
}

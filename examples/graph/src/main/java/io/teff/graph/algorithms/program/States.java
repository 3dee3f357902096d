package io.teff.graph.algorithms.program;

import java.util.Objects;

/**
 * The packed state of each vertex, in shares of consecutive vertices with an array each. The shares depend on the
 * number of vertices alone. Safe for reads by several threads; each thread has a window of its own.
 */
public final class States {
    private static final int SHARES_MAX = 64;
    private static final int SHIFT_MIN = 4;

    private final int vertexCount;
    private final int stateBytes;
    private final int shift;
    private final byte[][] shares;

    States(int vertexCount, int stateBytes) {
        if (stateBytes < 0) {
            throw new IllegalArgumentException("stateBytes=" + stateBytes + ", not at least 0");
        }
        this.vertexCount = vertexCount;
        this.stateBytes = stateBytes;
        shift = shiftFor(vertexCount);
        if ((long) stateBytes << shift > Integer.MAX_VALUE - Byte.SIZE) {
            throw new IllegalArgumentException("stateBytes=" + stateBytes + " are too many for " + vertexCount
                + " vertices");
        }
        shares = new byte[shareCount()][];
        for (int share = 0; share < shares.length; share++) {
            shares[share] = new byte[(end(share) - begin(share)) * stateBytes];
        }
    }

    private static int shiftFor(int vertexCount) {
        int shift = SHIFT_MIN;
        while ((long) SHARES_MAX << shift < vertexCount) {
            shift++;
        }
        return shift;
    }

    /** {@return a new window for {@link #read}, for one thread} */
    public Packed window() {
        return new Packed(stateBytes);
    }

    /**
     * Moves a window to the state of a vertex.
     *
     * @param vertex 0 to {@code vertexCount() - 1}
     * @param window made by {@link #window}; writes through the window change the state
     * @return the window
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph
     */
    public Packed read(int vertex, Packed window) {
        Objects.checkIndex(vertex, vertexCount);
        return window.at(shares[vertex >>> shift], (vertex - (vertex >>> shift << shift)) * stateBytes);
    }

    /**
     * {@return the int at an offset of the state of a vertex}
     *
     * @param vertex 0 to {@code vertexCount() - 1}
     * @param offset bytes from the start of the state
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph, or the int outside of the state
     */
    public int getInt(int vertex, int offset) {
        return read(vertex, window()).getInt(offset);
    }

    /**
     * {@return the long at an offset of the state of a vertex}
     *
     * @param vertex 0 to {@code vertexCount() - 1}
     * @param offset bytes from the start of the state
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph, or the long outside of the state
     */
    public long getLong(int vertex, int offset) {
        return read(vertex, window()).getLong(offset);
    }

    /**
     * {@return the double at an offset of the state of a vertex}
     *
     * @param vertex 0 to {@code vertexCount() - 1}
     * @param offset bytes from the start of the state
     * @throws IndexOutOfBoundsException if the vertex is outside of the graph, or the double outside of the state
     */
    public double getDouble(int vertex, int offset) {
        return read(vertex, window()).getDouble(offset);
    }

    /** {@return the number of vertices} */
    public int vertexCount() {
        return vertexCount;
    }

    int shareCount() {
        return (int) ((vertexCount + (1L << shift) - 1) >>> shift);
    }

    int share(int vertex) {
        return vertex >>> shift;
    }

    int begin(int share) {
        return share << shift;
    }

    int end(int share) {
        return (int) Math.min(vertexCount, share + 1L << shift);
    }
}

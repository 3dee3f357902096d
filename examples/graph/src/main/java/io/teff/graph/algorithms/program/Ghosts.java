package io.teff.graph.algorithms.program;

import java.util.Arrays;

/**
 * The messages of vertices to all of their neighbours, by the number of the sender, at one worker. Takes a message and
 * a bit for each vertex of the graph once the first such message comes. For one thread.
 */
public final class Ghosts {
    private static final int WORD_SHIFT = 6;

    private final Partition partition;
    private final int messageBytes;
    private byte[] messages = {};
    private long[] present = {};
    private boolean isEmpty = true;

    /**
     * Begins without messages.
     *
     * @param program whose messages these are
     * @param partition of the vertices
     * @throws IllegalArgumentException if the messages of all vertices are too long for an array
     */
    public Ghosts(VertexProgram program, Partition partition) {
        this.partition = partition;
        messageBytes = program.messageBytes();
    }

    /** Whether the messages of all vertices fit into an array. */
    static boolean fits(VertexProgram program, Partition partition) {
        return (long) partition.vertexCount() * program.messageBytes() <= Integer.MAX_VALUE - Byte.SIZE;
    }

    /** Forgets all messages. */
    public void clear() {
        if (!isEmpty) {
            Arrays.fill(present, 0);
            isEmpty = true;
        }
    }

    void put(int part, int index, byte[] bytes, int offset) {
        if (present.length == 0) {
            messages = new byte[partition.vertexCount() * messageBytes];
            present = new long[(partition.vertexCount() >>> WORD_SHIFT) + 1];
        }
        isEmpty = false;
        int vertex = partition.vertex(part, index);
        present[vertex >>> WORD_SHIFT] |= 1L << vertex;
        System.arraycopy(bytes, offset, messages, vertex * messageBytes, messageBytes);
    }

    boolean isEmpty() {
        return isEmpty;
    }

    boolean has(int vertex) {
        return (present[vertex >>> WORD_SHIFT] >>> vertex & 1) != 0;
    }

    Packed message(int vertex, Packed window) {
        return window.at(messages, vertex * messageBytes);
    }
}

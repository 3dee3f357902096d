package io.teff.graph.edges;

import java.io.IOException;

/**
 * Edges of a file or generator, in parts that several threads may read at the same time.
 *
 * <p>The same part gives the same edges in the same order at each reading.
 */
public interface EdgeSource {
    /**
     * Number of vertices, if it is known before the edges are read.
     *
     * @return at least 0; -1 if only the edges tell
     */
    long vertexCount();

    /**
     * Number of edges, if it is known before the edges are read.
     *
     * @return at least 0; -1 if only the edges tell
     */
    long edgeCount();

    /** {@return whether an edge and its reverse are different} */
    boolean directed();

    /** {@return whether the edges have weights of their own; otherwise each weight is 1} */
    boolean weighted();

    /**
     * Number of parts.
     *
     * @return at least 1
     */
    int parts();

    /**
     * Gives each edge of a part to a sink.
     *
     * @param part 0 to {@code parts() - 1}
     * @param sink called on the calling thread, once for each edge
     * @throws IOException if the file cannot be read, or is malformed; the message has the name and the line or offset
     */
    void read(int part, EdgeSink sink) throws IOException;
}

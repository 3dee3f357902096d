package io.teff.graph.algorithms.program;

/** What a vertex sees and does in one superstep. Valid during {@link VertexProgram#compute}. */
public interface Vertex {
    /** Number of the vertex. */
    int number();

    /** Number of vertices of the graph. */
    int vertexCount();

    /** Number of the superstep, from 0. */
    int superstep();

    /** Length of the run of neighbours: the number of arcs to send along. */
    int degree();

    /** State of the vertex, read and written in place. */
    Packed state();

    /**
     * Moves to the next message. Messages come in the order of their senders, so the order does not depend on the
     * threads.
     *
     * @return false behind the last message
     */
    boolean nextMessage();

    /** The message that {@link #nextMessage} has moved to. */
    Packed message();

    /** The message that {@link #send} and {@link #sendToNeighbours} send; keeps its bytes until they are changed. */
    Packed outgoing();

    /** Sends the outgoing message to a vertex. */
    void send(int target);

    /** Sends the outgoing message along each arc of the vertex. */
    void sendToNeighbours();

    /** Moves to the next arc of the vertex, for messages that differ by arc; begins anew in each superstep. */
    boolean nextArc();

    /** Target of the arc that {@link #nextArc} has moved to. */
    int arcTarget();

    /** Weight of the arc that {@link #nextArc} has moved to. */
    double arcWeight();

    /** Halts the vertex: it computes again when a message comes. */
    void halt();

    /**
     * Adds to an aggregate of longs of this superstep.
     *
     * @param index in {@link VertexProgram#aggregates}
     * @param value a further number
     */
    void aggregate(int index, long value);

    /**
     * Adds to an aggregate of doubles of this superstep.
     *
     * @param index in {@link VertexProgram#aggregates}
     * @param value a further number
     */
    void aggregate(int index, double value);

    /** Aggregates of the superstep before; those of no number in superstep 0. */
    Aggregates before();
}

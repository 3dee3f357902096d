package io.teff.graph.algorithms.program;

/** What a vertex sees and does in one superstep. Valid during {@link VertexProgram#compute}. */
public interface Vertex {
    /** {@return the number of the vertex, 0 to {@code vertexCount() - 1}} */
    int number();

    /** {@return the number of vertices of the graph} */
    int vertexCount();

    /** {@return the number of the superstep, from 0} */
    int superstep();

    /** {@return the length of the run of neighbours: the number of arcs to send along} */
    int degree();

    /** {@return the state of the vertex, read and written in place} */
    Packed state();

    /**
     * Moves to the next message. Messages come in the order of their senders, so the order does not depend on the
     * threads.
     *
     * @return false behind the last message
     */
    boolean nextMessage();

    /** {@return the message that {@link #nextMessage} has moved to} */
    Packed message();

    /**
     * {@return the message that {@link #send} and {@link #sendToNeighbours} send; its bytes stay until a change}
     */
    Packed outgoing();

    /**
     * Sends the outgoing message to a vertex, which may be any vertex of the graph.
     *
     * @param target 0 to {@code vertexCount() - 1}
     * @throws IndexOutOfBoundsException if the target is outside of the graph
     */
    void send(int target);

    /** Sends the outgoing message along each arc of the vertex. */
    void sendToNeighbours();

    /**
     * Moves to the next arc of the vertex, for messages that differ by arc; begins anew in each superstep.
     *
     * @return false behind the last arc
     */
    boolean nextArc();

    /** {@return the target of the arc that {@link #nextArc} has moved to} */
    int arcTarget();

    /** {@return the weight of the arc that {@link #nextArc} has moved to; 1 in a graph without weights} */
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

    /** {@return the aggregates of the superstep before; in superstep 0, the aggregates of no number} */
    Aggregates before();
}

package io.teff.graph.algorithms.program;

import java.util.List;

/**
 * An algorithm from the view of one vertex. In each superstep, a vertex that has messages or has not halted computes:
 * the vertex reads its messages, changes its state, and sends messages that arrive in the next superstep.
 *
 * <p>The object has settings alone. Methods are called by several threads at the same time, each for another vertex,
 * and later by several machines; they read and write nothing but their arguments.
 *
 * <p>G. Malewicz and others, "Pregel: a system for large-scale graph processing", SIGMOD 2010.
 */
public interface VertexProgram {
    /** {@return the bytes of the state of a vertex, at least 0; all bytes are zero at first} */
    int stateBytes();

    /** {@return the bytes of a message, at least 0} */
    int messageBytes();

    /**
     * Sets the state of a vertex before the first superstep.
     *
     * @param vertex number of the vertex
     * @param state all zero
     */
    default void begin(int vertex, Packed state) {}

    /**
     * Computes one vertex in one superstep.
     *
     * @param vertex the vertex, its messages and its neighbours; valid during the call
     */
    void compute(Vertex vertex);

    /** {@return whether {@link #combine} makes one message of all messages to a vertex, which saves memory} */
    default boolean combines() {
        return false;
    }

    /**
     * Merges a message into another message to the same vertex.
     *
     * @param kept changed
     * @param added not changed
     */
    default void combine(Packed kept, Packed added) {
        throw new UnsupportedOperationException("a program that combines has a method combine");
    }

    /**
     * Whether a vertex sends by {@link Vertex#sendToNeighbours} alone, and at most once in a superstep. On a graph in
     * parts without directions, a superstep with many messages then sends the message of a vertex once to each worker,
     * and each vertex looks for the messages of its neighbours.
     * @return true if each vertex keeps this rule; false by default
     */
    default boolean sendsToNeighboursOnce() {
        return false;
    }

    /** {@return the aggregates, which {@link Vertex} names by their index in this list; none by default} */
    default List<Aggregate> aggregates() {
        return List.of();
    }

    /**
     * Whether the program ends after a superstep, although vertices have not halted.
     *
     * @param superstep from 0
     * @param values the aggregates of this superstep
     * @return true if no further superstep runs; false by default
     */
    default boolean ends(int superstep, Aggregates values) {
        return false;
    }
}

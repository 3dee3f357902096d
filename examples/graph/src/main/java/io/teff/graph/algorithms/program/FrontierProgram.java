package io.teff.graph.algorithms.program;

/**
 * An algorithm that spreads from a set of vertices, the frontier, to their neighbours, round by round. Each vertex of
 * the frontier makes one message from its state, and each neighbour receives the message. The neighbours that return
 * true are the next frontier.
 *
 * <p>All messages of a round are made before the first is received. A message may be received by the neighbour that
 * looks for it or be brought by its sender; the engine chooses the direction with fewer arcs.
 *
 * <p>The object has settings alone. Methods are called by several threads at the same time, each for another state, and
 * later by several machines; they read and write nothing but their arguments.
 *
 * <p>J. Shun and G. Blelloch, "Ligra: a lightweight graph processing framework for shared memory", PPoPP 2013; X. Zhu
 * and others, "Gemini: a computation-centric distributed graph processing system", OSDI 2016 (signals and slots).
 */
public interface FrontierProgram {
    /** {@return the bytes of the state of a vertex, at least 0; all bytes are zero at first} */
    int stateBytes();

    /** {@return the bytes of a message, at least 0} */
    int messageBytes();

    /**
     * Sets the state of a vertex before the first round.
     *
     * @param vertex number of the vertex
     * @param state all zero
     */
    default void begin(int vertex, Packed state) {}

    /**
     * Makes the message of a vertex of the frontier.
     *
     * @param source number of the vertex
     * @param state not changed
     * @param message to be filled; may have bytes of an older message
     */
    void signal(int source, Packed state, Packed message);

    /**
     * Whether a message could still change a vertex. After false, the vertex may miss the other messages of the round.
     *
     * @param target number of the vertex
     * @param state not changed
     * @return true if a message could still change the vertex; always true by default
     */
    default boolean wants(int target, Packed state) {
        return true;
    }

    /**
     * Receives a message. The state after all messages of a round must not depend on their order.
     *
     * @param target number of the vertex
     * @param state of the vertex, changed in place
     * @param message not changed
     * @param weight of the arc
     * @return whether the vertex is in the next frontier
     */
    boolean receive(int target, Packed state, Packed message, double weight);
}

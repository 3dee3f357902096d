package io.teff.graph.algorithms;

/** Takes cliques, one after the other. Threads of the team call the sink at the same time. */
@FunctionalInterface
public interface CliqueSink {
    /**
     * Takes a clique.
     *
     * @param members the vertices in ascending order, from index 0 on; valid during the call
     * @param size number of members
     * @return whether to go on
     */
    boolean clique(int[] members, int size);
}

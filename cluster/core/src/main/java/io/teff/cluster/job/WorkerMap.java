package io.teff.cluster.job;

/**
 * Where the workers of a group are in a round of a step. Arrays have an element for each worker, and must not be
 * changed.
 *
 * @param zones zone of each worker
 * @param nids node that receives the messages to each worker
 * @param mirrors node that keeps a second copy of the messages of each worker; 0 for none
 * @param sources node that has the messages of the last step of each worker; 0 if this is the node of the worker
 * @param sourceLives the life of this node
 */
public record WorkerMap(int[] zones, int[] nids, int[] mirrors, int[] sources, int[] sourceLives) {
    /** Returns whether all arrays have the same length. */
    boolean isWhole() {
        return nids.length == zones.length && mirrors.length == zones.length && sources.length == zones.length
            && sourceLives.length == zones.length;
    }

    /** {@return the number of workers} */
    int workers() {
        return zones.length;
    }
}

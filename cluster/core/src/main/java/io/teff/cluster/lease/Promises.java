package io.teff.cluster.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A superpeer's promises not to vote against nodes.
 * <pre>
 *              answer                      promise over            expired by the cell, or forgotten
 *   (unknown) -------> PROMISED ---------------------> VOTING -------------------------------------> (unknown)
 *                      ^   | answer: a longer promise    |
 *                      +---+                             | a new life of the superpeer was applied
 *                      ^                                 |
 *                      +---------------------------------+
 * </pre>
 * A life that joins while the superpeer watches gets several terms until its first heartbeat: a process that starts on
 * a busy machine may be slow, and owns nothing yet. Otherwise it could expire and join again for ever. If another
 * process of its folder waits to join, the life gets one term: its own process has probably ended.
 *
 * <p>A superpeer in state VOTING never answers the node's life. A superpeer that was restarted knows nothing of its
 * earlier promises, so it neither answers nor votes until the longest one must be over ({@link #begin}).
 *
 * @param <N> a life of a node
 */
public final class Promises<N extends Comparable<N>> {
    /** Terms within which a life that has joined must send its first heartbeat. */
    static final int FIRST_TERMS = 5;

    private final LeaseTerms terms;
    private final Map<N, Promise> promises = new TreeMap<>();
    private long silentUntilNs;
    private boolean isBegun;
    private boolean hasLooked;

    private static final class Promise {
        private long untilNs;
        private boolean isVoting;
        /** Whether the node has sent a heartbeat; until then there is no promise, but patience. */
        private boolean hasSpoken;
        private long seenNs;
    }

    /**
     * Creates the promises of a superpeer that has just started.
     *
     * @param terms the terms
     */
    public Promises(LeaseTerms terms) {
        this.terms = terms;
    }

    /**
     * Records when the superpeer began its life. Until the term of a promise has passed it does not answer.
     *
     * @param nowNs time of the monotonic clock
     */
    public void begin(long nowNs) {
        silentUntilNs = nowNs + terms.promisedNs();
        isBegun = true;
        hasLooked = false;
    }

    /**
     * Makes or lengthens a promise.
     *
     * @param node the life of the node that has sent a heartbeat; the cell says that it counts
     * @param nowNs time of the monotonic clock
     * @return whether the superpeer answers the heartbeat
     */
    public boolean answer(N node, long nowNs) {
        if (!isBegun || nowNs - silentUntilNs < 0) {
            return false;
        }
        Promise promise = promises.computeIfAbsent(node, _ -> new Promise());
        if (promise.isVoting) {
            return false;
        }
        promise.hasSpoken = true;
        promise.untilNs = nowNs + terms.promisedNs();
        return true;
    }

    /**
     * Returns the nodes against which the superpeer votes now: their promises are over. It never answers them again,
     * unless the vote is withdrawn.
     *
     * @param alive the lives that count; a life without a promise is watched from now on: for a term if it may have
     *     joined before this superpeer began, else for {@link #FIRST_TERMS} of them
     * @param contested those of them for whose end another process of the node's folder waits
     * @param nowNs time of the monotonic clock
     * @return the nodes, also those of earlier calls
     */
    public List<N> overdue(Iterable<N> alive, Set<N> contested, long nowNs) {
        List<N> overdue = new ArrayList<>();
        if (!isBegun || nowNs - silentUntilNs < 0) {
            return overdue;
        }
        Map<N, Promise> kept = new TreeMap<>();
        for (N node : alive) {
            Promise promise = promises.get(node);
            if (promise == null) {
                promise = new Promise();
                promise.seenNs = nowNs;
                promise.untilNs = nowNs + (hasLooked ? FIRST_TERMS : 1) * terms.promisedNs();
            }
            if (!promise.hasSpoken && contested.contains(node)) {
                promise.untilNs = promise.seenNs + terms.promisedNs();
            }
            kept.put(node, promise);
            promise.isVoting |= nowNs - promise.untilNs >= 0;
            if (promise.isVoting) {
                overdue.add(node);
            }
        }
        hasLooked = true;
        promises.keySet().retainAll(kept.keySet());
        promises.putAll(kept);
        return overdue;
    }

    /**
     * Ends a vote: the cell has applied a new life of the superpeer, so the vote counts no longer.
     *
     * @param node the node
     * @param nowNs time of the monotonic clock
     */
    public void withdrawn(N node, long nowNs) {
        Promise promise = promises.get(node);
        if (promise != null && promise.isVoting) {
            promise.isVoting = false;
            promise.hasSpoken = true;                           // that is why
            promise.untilNs = nowNs + terms.promisedNs();
        }
    }

    /**
     * {@return whether the superpeer votes against a node}
     *
     * @param node the node
     */
    public boolean isVoting(N node) {
        Promise promise = promises.get(node);
        return promise != null && promise.isVoting;
    }
}

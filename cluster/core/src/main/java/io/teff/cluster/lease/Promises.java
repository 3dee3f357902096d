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
 * A life that joins while the superpeer watches gets several terms until the first heartbeat of the life: a starting
 * process on a busy machine may be slow, and owns nothing yet. Otherwise the life could expire and join again for ever.
 * If a second process of the life's folder waits to join, the life gets one term: the process of the life has probably
 * ended.
 *
 * <p><b>Judging.</b> The end of a promise allows a vote, and is no reason for a vote. The node must have been silent
 * for a term watched by the superpeer ({@link WatchTime}). The whole term must follow the superpeer's last gap:
 * heartbeats that waited for a stopped superpeer are received first. On a machine so busy that gaps follow each other,
 * {@link #GAP_TERMS} further terms of watching suffice, so that a dead node is also found on such a machine; so do they
 * if the living nodes are silent for half a term again and again.
 *
 * <p><b>Many silent nodes.</b> If all nodes are silent for half a term, the superpeer has probably been cut off, and no
 * node is left to take anything over: the superpeer votes against no node. Once the superpeer hears a node again, each
 * remaining node has {@link #MANY_TERMS} terms until the node is heard: links need less time to come back, because
 * nodes that have dialed in vain for a while dial every two seconds. A gap of more than a term has the effect of a
 * silence of all nodes: links may have been cut meanwhile. If more than half of the nodes are silent, each silent node
 * has as many terms: zones with owner and backups among the silent nodes could not be served anyway. A node is judged
 * alone if a second process of the node's folder waits to join: the second process has spoken.
 *
 * <p>A superpeer in state VOTING never answers the node's life. A restarted superpeer knows nothing of its earlier
 * promises, so the superpeer neither answers nor votes until the longest earlier promise must be over ({@link #begin}).
 *
 * @param <N> a life of a node
 */
public final class Promises<N extends Comparable<N>> {
    /** Terms within which a newly joined life must send its first heartbeat. */
    static final int FIRST_TERMS = 5;

    /** Terms of silence before a vote, while more than half of the nodes are silent, or if no node was heard before. */
    static final int MANY_TERMS = 5;

    /** Terms of silence that suffice if the superpeer has gaps all the time, beyond the terms needed without gaps. */
    static final int GAP_TERMS = 4;

    private final LeaseTerms terms;
    private final WatchTime watch;
    private final Map<N, Promise> promises = new TreeMap<>();
    private long silentUntilNs;
    private boolean isBegun;
    private boolean hasLooked;
    /** Whether no node was heard at the last look, and the time of {@link #watch} since when. */
    private boolean isAlone;
    private long aloneSinceNs;
    /** Time of {@link #watch} at which all nodes were last silent. */
    private long aloneNs;
    /** Time of {@link #watch} at the end of the last silence of all nodes that lasted long. */
    private long longAloneNs;

    private static final class Promise {
        private long untilNs;
        private boolean isVoting;
        /** Whether the node has sent a heartbeat; until then there is no promise, but patience. */
        private boolean hasSpoken;
        /** Whether the node has joined while the superpeer watched. */
        private boolean isNew;
        /** Time of {@link #watch} when the node was heard last, or first seen. */
        private long heardNs;
    }

    /**
     * Creates the promises of a superpeer that has just started.
     *
     * @param terms durations of leases and promises, equal on all nodes
     */
    public Promises(LeaseTerms terms) {
        this.terms = terms;
        watch = new WatchTime(terms);
    }

    /**
     * Records when the superpeer began its life. The superpeer does not answer until the term of a promise has passed.
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
     * @param node the life that has sent a heartbeat; the life must count according to the cell
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
        promise.heardNs = watch.nowNs();
        promise.untilNs = nowNs + terms.promisedNs();
        return true;
    }

    /**
     * Looks at the nodes, and returns the nodes against which the superpeer votes now: the promises to these nodes are
     * over, and these nodes have been silent for long enough. The superpeer never answers a returned node again, unless
     * the vote is withdrawn. To be called every few milliseconds; a while without a call is a gap. After a gap no vote
     * begins for a term.
     *
     * @param alive the lives that count; a life without a promise is watched from now on: for a term if the life may
     *     have joined before this superpeer began, else for {@link #FIRST_TERMS} terms
     * @param contested lives of {@code alive} for whose end a second process of the node's folder waits
     * @param nowNs time of the monotonic clock
     * @param wallNs time of the wall clock, in nanoseconds
     * @return the nodes, including nodes returned by earlier calls
     */
    public List<N> overdue(Iterable<N> alive, Set<N> contested, long nowNs, long wallNs) {
        watch.look(nowNs, wallNs);
        List<N> overdue = new ArrayList<>();
        if (!isBegun || nowNs - silentUntilNs < 0) {
            return overdue;
        }
        Map<N, Promise> kept = new TreeMap<>();
        int heard = 0;
        for (N node : alive) {
            Promise promise = promises.computeIfAbsent(node, _ -> seen(nowNs));
            heard += promise.hasSpoken && watch.nowNs() - promise.heardNs < terms.promisedNs() / 2 ? 1 : 0;
            kept.put(node, promise);
        }
        hasLooked = true;
        promises.keySet().retainAll(kept.keySet());
        if (heard == 0) {
            aloneSinceNs = isAlone ? aloneSinceNs : watch.nowNs();
            aloneNs = watch.nowNs();
            longAloneNs = aloneNs - aloneSinceNs >= terms.promisedNs() / 2 ? aloneNs : longAloneNs;
        }
        isAlone = heard == 0;
        boolean areMany = heard * 2 < kept.size() && kept.size() - heard > 1;
        kept.forEach((node, promise) -> {
            boolean isContested = contested.contains(node);
            promise.isVoting |= nowNs - promise.untilNs >= 0 && isSilent(promise, isContested, areMany);
            if (promise.isVoting) {
                overdue.add(node);
            }
        });
        return overdue;
    }

    /** Begins to watch a life that has not spoken: the life has no promise. */
    private Promise seen(long nowNs) {
        Promise promise = new Promise();
        promise.isNew = hasLooked;
        promise.heardNs = watch.nowNs();
        promise.untilNs = nowNs;
        return promise;
    }

    /** Returns whether the silence of a node is long enough for a vote. */
    private boolean isSilent(Promise promise, boolean isContested, boolean areMany) {
        boolean isBack = promise.heardNs >= aloneNs && isBackAfterGap(promise);
        int needed = isContested ? 1 : areMany || !isBack ? MANY_TERMS
            : promise.isNew && !promise.hasSpoken ? FIRST_TERMS : 1;
        long fromNs = isContested ? promise.heardNs
            : Math.max(promise.heardNs, Math.max(aloneNs, watch.longGapEndNs()));
        return hasPassed(needed, fromNs) && hasPassed(1, watch.gapEndNs())
            || hasPassed(needed + GAP_TERMS, isContested ? promise.heardNs : Math.max(promise.heardNs, longAloneNs));
    }

    /**
     * A heartbeat right after a gap may have waited for the end of the gap, and says nothing about the link of today.
     */
    private boolean isBackAfterGap(Promise promise) {
        long gapEndNs = watch.longGapEndNs();
        return gapEndNs == 0 || promise.heardNs - gapEndNs >= terms.promisedNs();
    }

    /** Returns whether the superpeer has watched for some terms since a time. */
    private boolean hasPassed(int count, long sinceNs) {
        return watch.nowNs() - sinceNs >= count * terms.promisedNs();
    }

    /**
     * Ends a vote: the cell has applied a new life of the superpeer, so the vote counts no longer.
     *
     * @param node the life against which the vote ends
     * @param nowNs time of the monotonic clock
     */
    public void withdrawn(N node, long nowNs) {
        Promise promise = promises.get(node);
        if (promise != null && promise.isVoting) {
            promise.isVoting = false;
            // the heartbeats of this life are the reason for the withdrawal
            promise.hasSpoken = true;
            promise.heardNs = watch.nowNs();
            promise.untilNs = nowNs + terms.promisedNs();
        }
    }

    /** {@return the time in which this superpeer has watched, in nanoseconds; it stands still while it does not run} */
    public long watchedNs() {
        return watch.nowNs();
    }

    /**
     * {@return whether the superpeer votes against a node}
     *
     * @param node the life in question
     */
    public boolean isVoting(N node) {
        Promise promise = promises.get(node);
        return promise != null && promise.isVoting;
    }
}

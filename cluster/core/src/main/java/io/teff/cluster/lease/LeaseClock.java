package io.teff.cluster.lease;

import java.util.Arrays;

/**
 * A node's view of the node's lease. The node holds the lease while a majority of superpeers has answered heartbeats
 * sent less than the term ago.
 *
 * <p>A heartbeat's number is the position in the sequence of the node's heartbeats; the clock remembers when the last
 * {@link #SENT_MAX} were sent. An answer to an older heartbeat is ignored. Ignoring an answer is safe.
 *
 * <p><b>Suspended machines.</b> The monotonic clock of a suspended machine may stand still, while the superpeers'
 * clocks continue. Therefore the term is measured by the wall clock, too: an answer counts while both clocks show that
 * the answered heartbeat is younger than the term. So the wall clock can end a lease, never lengthen it. If the wall
 * clock is set forward, the node holds no lease until the next heartbeats are answered.
 *
 * <p><b>Use.</b> Call {@link #sent} before the heartbeat leaves, {@link #answered} for each answer, and {@link #check}
 * after a value was read and before the answer with the value leaves. Not thread-safe.
 */
public final class LeaseClock {
    /** Heartbeats with a remembered time of sending: 25 s at ten a second. */
    static final int SENT_MAX = 256;

    /** The wall clock is read in milliseconds. */
    private static final long WALL_TICK_NS = 1_000_000L;

    private static final long NEVER = Long.MIN_VALUE;

    private final LeaseTerms terms;
    private final long[] sentAt = new long[SENT_MAX];
    private final long[] sentWallAt = new long[SENT_MAX];
    private final long[] answeredAt = new long[Integer.SIZE];
    private final long[] answeredWallAt = new long[Integer.SIZE];
    private int superpeers;
    private long last;

    /**
     * Creates the clock of a node without a lease.
     *
     * @param terms durations of the lease, equal on all nodes
     */
    public LeaseClock(LeaseTerms terms) {
        this.terms = terms;
        Arrays.fill(answeredAt, NEVER);
    }

    /**
     * Sets the superpeers that count from now on. The answers of these superpeers count also from before.
     *
     * @param bits one bit for each superpeer, bit 0 for superpeer 0; 0 for none, without a lease
     */
    public void superpeers(int bits) {
        superpeers = bits;
    }

    /**
     * Records that a heartbeat is about to be sent.
     *
     * @param nowNs time of the monotonic clock
     * @param wallNs time of the wall clock, in nanoseconds
     * @return the heartbeat's number, from 1
     */
    public long sent(long nowNs, long wallNs) {
        last++;
        sentAt[slot(last)] = nowNs;
        sentWallAt[slot(last)] = wallNs;
        return last;
    }

    /**
     * Records an answer.
     *
     * @param superpeer number of the superpeer, from 0 to 31
     * @param heartbeat number of the heartbeat
     */
    public void answered(int superpeer, long heartbeat) {
        if (heartbeat > 0 && heartbeat <= last && heartbeat > last - SENT_MAX) {
            long at = sentAt[slot(heartbeat)];
            if (answeredAt[superpeer] == NEVER || at - answeredAt[superpeer] > 0) {
                answeredAt[superpeer] = at;
                answeredWallAt[superpeer] = sentWallAt[slot(heartbeat)];
            }
        }
    }

    private static int slot(long heartbeat) {
        return (int) (heartbeat % SENT_MAX);
    }

    /**
     * Returns whether the node holds its lease.
     *
     * @param nowNs time of the monotonic clock
     * @param wallNs time of the wall clock, in nanoseconds
     * @return whether the node holds the lease
     */
    public boolean check(long nowNs, long wallNs) {
        int counting = 0;
        for (int i = 0; i < answeredAt.length; i++) {
            counting += counts(i) && answeredAt[i] != NEVER && nowNs - answeredAt[i] < terms.heldNs()
                && wallNs - answeredWallAt[i] + WALL_TICK_NS < terms.heldNs() ? 1 : 0;
        }
        return counting * 2 > Integer.bitCount(superpeers);
    }

    private boolean counts(int superpeer) {
        return (superpeers & 1 << superpeer) != 0;
    }

    /**
     * {@return until when the node holds its lease if no further answer arrives and the machine is not suspended; a
     * time in the past if it holds none}
     *
     * @param nowNs time of the monotonic clock
     */
    public long heldUntilNs(long nowNs) {
        long[] until = new long[Integer.bitCount(superpeers)];
        int count = 0;
        for (int i = 0; i < answeredAt.length; i++) {
            if (counts(i)) {
                long left = answeredAt[i] == NEVER ? -1 : answeredAt[i] + terms.heldNs() - nowNs;
                until[count++] = Math.max(left, -1);
            }
        }
        Arrays.sort(until);
        return count == 0 ? nowNs - 1 : nowNs + until[(count - 1) / 2];
    }
}

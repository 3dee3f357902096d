package io.teff.cluster.lease;

/**
 * The terms of all leases of a cluster. All nodes must use the same.
 *
 * @param termNs duration of a lease in nanoseconds, from 10 ms to 10 minutes
 * @param driftPerMille by how much the speeds of two clocks may differ, from 0 to 100
 */
public record LeaseTerms(long termNs, int driftPerMille) {
    /** One second; clocks differ by at most one per cent. */
    public static final LeaseTerms DEFAULT = new LeaseTerms(1_000_000_000L, 10);

    private static final long TERM_MIN_NS = 10_000_000L;
    private static final long TERM_MAX_NS = 600_000_000_000L;
    private static final int DRIFT_MAX_PER_MILLE = 100;

    /** Checks the ranges. */
    public LeaseTerms {
        if (termNs < TERM_MIN_NS || termNs > TERM_MAX_NS) {
            throw new IllegalArgumentException("lease term " + termNs + " ns; allowed are 10 ms to 10 minutes");
        }
        if (driftPerMille < 0 || driftPerMille > DRIFT_MAX_PER_MILLE) {
            throw new IllegalArgumentException("drift " + driftPerMille + " per mille; allowed are 0 to 100");
        }
    }

    /** {@return how long a node counts an answer, after it has sent the heartbeat} */
    public long heldNs() {
        return termNs - termNs / 1000 * driftPerMille;
    }

    /** {@return how long a superpeer keeps a promise, after it has made it} */
    public long promisedNs() {
        return termNs + termNs / 1000 * driftPerMille + 1;
    }
}

package io.teff.cluster.net.wire;

import io.teff.cluster.net.identity.ClusterId;

/**
 * Versions of the protocol that a side supports.
 *
 * @param lowest the lowest version
 * @param highest the highest version
 */
record Versions(int lowest, int highest) {
    static final int LOWEST = 2;
    static final int HIGHEST = 2;
    /** The versions of this code. */
    static final Versions OWN = new Versions(LOWEST, HIGHEST);
    private static final int BITS = 16;
    private static final int MASK = 0xFFFF;

    /** {@return the versions of the sender of a refusal by {@link Refusal#VERSION}; zeros if the sender named none} */
    static Versions of(Greeting.Refused refused) {
        final long first = refused.cluster().high();
        return new Versions((int) first & MASK, (int) (first >>> BITS) & MASK);
    }

    /** {@return these versions in the place of the identity of a cluster} */
    ClusterId inRefusal() {
        return new ClusterId(lowest | (long) highest << BITS, 0, "");
    }

    /** {@return whether no version is named} */
    boolean isUnknown() {
        return highest == 0;
    }

    /** {@return whether a version is supported by both sides} */
    boolean fits(Versions other) {
        return lowest <= other.highest && other.lowest <= highest;
    }

    @Override
    public String toString() {
        return lowest == highest ? "version " + lowest : "versions " + lowest + " to " + highest;
    }
}

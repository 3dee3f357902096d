package io.teff.cluster.meta;

/**
 * A superpeer in the tables.
 *
 * @param number of the superpeer, from 0 to {@link SuperpeerSet#NUMBER_MAX}
 * @param address of the superpeer, with the scheme of a transport; empty until the superpeer has announced the address
 * @param standing whether the superpeer counts in majorities
 */
public record SuperpeerRow(int number, String address, Standing standing) {
    /**
     * The stages of a superpeer.
     * <pre>
     *   ENTERING ──> COUNTING ──> LEAVING ──> LEFT ──> GONE
     *       └───────────────────────────────────^
     * </pre>
     */
    public enum Standing {
        /** Added by a person; does not count until the superpeer votes in the replicated log. */
        ENTERING,
        /** Counts. */
        COUNTING,
        /** To be removed, and counts until all nodes know the present superpeers. */
        LEAVING,
        /** Does not count any more, and is being removed from the replicated log. */
        LEFT,
        /** Without a row. */
        GONE
    }

    /** {@return whether the superpeer counts in majorities} */
    public boolean counts() {
        return standing == Standing.COUNTING || standing == Standing.LEAVING;
    }

    SuperpeerRow at(String value) {
        return new SuperpeerRow(number, value, standing);
    }

    SuperpeerRow in(Standing value) {
        return new SuperpeerRow(number, address, value);
    }
}

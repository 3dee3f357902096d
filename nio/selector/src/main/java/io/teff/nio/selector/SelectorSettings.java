package io.teff.nio.selector;

/**
 * The settings of a provider.
 *
 * @param usesLinks whether connections go by UCX where possible; else all connections go by TCP
 * @param registry folder with the listening addresses of programs with the provider; empty for the folder of the user
 *     in shared memory
 * @param transports of UCX, in the form of its variable {@code TLS}; empty for the choice of UCX
 * @param spinNs longest time in nanoseconds in which a waiting thread spins before it sleeps; waiters whose waits are
 *     longer do not spin
 */
public record SelectorSettings(boolean usesLinks, String registry, String transports, long spinNs) {
    /** The longest time of spinning, in nanoseconds. */
    public static final long SPIN_NS_MAX = 10_000_000;
    /** The time of spinning unless a program sets another time, in nanoseconds; longer than a wake of the peer. */
    public static final long SPIN_NS_DEFAULT = 50_000;
    /** With links, the folder of the user, the transports that UCX chooses, and {@link #SPIN_NS_DEFAULT}. */
    public static final SelectorSettings DEFAULT = new SelectorSettings(true, "", "", SPIN_NS_DEFAULT);

    /** Checks the values. */
    public SelectorSettings {
        if (spinNs < 0 || spinNs > SPIN_NS_MAX) {
            throw new IllegalArgumentException("spinNs=" + spinNs + ", limit " + SPIN_NS_MAX);
        }
    }

    /**
     * Reads the system properties {@code teff.nio.links} ({@code auto} or {@code tcp}), {@code teff.nio.registry},
     * {@code teff.nio.transports} and {@code teff.nio.spinNs}.
     *
     * @return the default where a property is missing
     */
    public static SelectorSettings ofProperties() {
        return new SelectorSettings(!"tcp".equals(System.getProperty("teff.nio.links", "auto")),
            System.getProperty("teff.nio.registry", ""), System.getProperty("teff.nio.transports", ""),
            Long.getLong("teff.nio.spinNs", SPIN_NS_DEFAULT));
    }

    /**
     * Returns settings without links.
     *
     * @return with TCP alone
     */
    public SelectorSettings withTcpOnly() {
        return new SelectorSettings(false, registry, transports, spinNs);
    }

    /**
     * Returns settings with another registry.
     *
     * @param folder with rights for its owner only; made if it is missing
     * @return otherwise equal
     */
    public SelectorSettings withRegistry(String folder) {
        return new SelectorSettings(usesLinks, folder, transports, spinNs);
    }

    /**
     * Returns settings with other transports of UCX.
     *
     * @param tls such as {@code posix,tcp}
     * @return otherwise equal
     */
    public SelectorSettings withTransports(String tls) {
        return new SelectorSettings(usesLinks, registry, tls, spinNs);
    }

    /**
     * Returns settings with another time of spinning.
     *
     * @param ns in nanoseconds; 0 for none
     * @return otherwise equal
     */
    public SelectorSettings withSpinNs(long ns) {
        return new SelectorSettings(usesLinks, registry, transports, ns);
    }
}

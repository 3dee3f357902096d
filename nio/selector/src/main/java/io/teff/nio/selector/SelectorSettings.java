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
 * @param firstWaitMs longest delay in milliseconds of the first connect to a program of this machine, while both
 *     programs load UCX and make their path; then the connection goes by TCP
 * @param side the side port for peers on other machines
 */
public record SelectorSettings(boolean usesLinks, String registry, String transports, long spinNs,
        int firstWaitMs, SideSettings side) {
    /** The longest time of spinning, in nanoseconds. */
    public static final long SPIN_NS_MAX = 10_000_000;
    /** The time of spinning unless a program sets another time, in nanoseconds; longer than a wake of the peer. */
    public static final long SPIN_NS_DEFAULT = 50_000;
    /** The longest delay of a first connect, in milliseconds. */
    public static final int FIRST_WAIT_MS_MAX = 60_000;
    /** The delay of a first connect unless a program sets another one, in milliseconds. */
    public static final int FIRST_WAIT_MS_DEFAULT = 3_000;
    /**
     * With links, the folder of the user, the choice of UCX, {@link #SPIN_NS_DEFAULT}, {@link #FIRST_WAIT_MS_DEFAULT},
     * and no side port.
     */
    public static final SelectorSettings DEFAULT = new SelectorSettings(true, "", "", SPIN_NS_DEFAULT,
        FIRST_WAIT_MS_DEFAULT, SideSettings.OFF);

    /** Checks the values. */
    public SelectorSettings {
        if (spinNs < 0 || spinNs > SPIN_NS_MAX) {
            throw new IllegalArgumentException("spinNs=" + spinNs + ", limit " + SPIN_NS_MAX);
        }
        if (firstWaitMs < 1 || firstWaitMs > FIRST_WAIT_MS_MAX) {
            throw new IllegalArgumentException("firstWaitMs=" + firstWaitMs + ", limit " + FIRST_WAIT_MS_MAX);
        }
    }

    /**
     * Reads the system properties {@code teff.nio.links} ({@code auto} or {@code tcp}), {@code teff.nio.registry},
     * {@code teff.nio.transports}, {@code teff.nio.spinNs} and {@code teff.nio.firstWaitMs}, and those of {@link
     * SideSettings#ofProperties}.
     *
     * @return the default where a property is missing
     */
    public static SelectorSettings ofProperties() {
        return new SelectorSettings(!"tcp".equals(System.getProperty("teff.nio.links", "auto")),
            System.getProperty("teff.nio.registry", ""), System.getProperty("teff.nio.transports", ""),
            Long.getLong("teff.nio.spinNs", SPIN_NS_DEFAULT),
            Integer.getInteger("teff.nio.firstWaitMs", FIRST_WAIT_MS_DEFAULT), SideSettings.ofProperties());
    }

    /**
     * Returns settings without links.
     *
     * @return with TCP alone
     */
    public SelectorSettings withTcpOnly() {
        return new SelectorSettings(false, registry, transports, spinNs, firstWaitMs, side);
    }

    /**
     * Returns settings with another registry.
     *
     * @param folder with rights for its owner only; made if it is missing
     * @return otherwise equal
     */
    public SelectorSettings withRegistry(String folder) {
        return new SelectorSettings(usesLinks, folder, transports, spinNs, firstWaitMs, side);
    }

    /**
     * Returns settings with other transports of UCX.
     *
     * @param tls such as {@code posix,tcp}
     * @return otherwise equal
     */
    public SelectorSettings withTransports(String tls) {
        return new SelectorSettings(usesLinks, registry, tls, spinNs, firstWaitMs, side);
    }

    /**
     * Returns settings with another side port.
     *
     * @param port for peers on other machines
     * @return otherwise equal
     */
    public SelectorSettings withSide(SideSettings port) {
        return new SelectorSettings(usesLinks, registry, transports, spinNs, firstWaitMs, port);
    }

    /**
     * Returns settings with another time of spinning.
     *
     * @param ns in nanoseconds; 0 for none
     * @return otherwise equal
     */
    public SelectorSettings withSpinNs(long ns) {
        return new SelectorSettings(usesLinks, registry, transports, ns, firstWaitMs, side);
    }

    /**
     * Returns settings with another delay of the first connect to a program of this machine.
     *
     * @param ms in milliseconds, 1 to {@link #FIRST_WAIT_MS_MAX}
     * @return otherwise equal
     */
    public SelectorSettings withFirstWaitMs(int ms) {
        return new SelectorSettings(usesLinks, registry, transports, spinNs, ms, side);
    }
}

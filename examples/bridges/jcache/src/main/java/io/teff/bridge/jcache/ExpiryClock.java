package io.teff.bridge.jcache;

/** The clock of times of expiry. Monotonic: setting the time of day expires no entry. */
interface ExpiryClock {
    /** The clock of this JVM, which starts at its first use. */
    ExpiryClock SYSTEM = new ExpiryClock() {
        private static final long NS_PER_MS = 1_000_000;

        private final long start = System.nanoTime();

        @Override
        public long nowMs() {
            return (System.nanoTime() - start) / NS_PER_MS;
        }
    };

    /** {@return the time in milliseconds, at least 0} */
    long nowMs();
}

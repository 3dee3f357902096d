package io.teff.bridge.jcache;

/** Where times of expiry come from. Monotonic: nobody's entries expire because somebody sets the time of day. */
interface Clock {
    /** The clock of this JVM; it counts from the first use on. */
    Clock SYSTEM = new Clock() {
        private static final long NS_PER_MS = 1_000_000;

        private final long start = System.nanoTime();

        @Override
        public long nowMs() {
            return (System.nanoTime() - start) / NS_PER_MS;
        }
    };

    /** {@return milliseconds, not negative} */
    long nowMs();
}

package io.teff.recovery.os;

import java.security.SecureRandom;

/** What the log needs of the machine besides files. Thread-safe. */
public interface Machine {
    /** This JVM's. */
    Machine SYSTEM = new Machine() {
        private final SecureRandom random = new SecureRandom();

        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public long random() {
            return random.nextLong();
        }

        @Override
        public Thread thread(String name, Runnable task) {
            return Thread.ofPlatform().name(name).daemon().unstarted(task);
        }
    };

    /**
     * Reads a monotonic clock with an arbitrary origin.
     *
     * @return nanoseconds; compare by subtraction
     */
    long nowNs();

    /**
     * Draws a number.
     *
     * @return 64 bits that nobody can foresee
     */
    long random();

    /**
     * Makes a thread that keeps no process alive.
     *
     * @param name of the thread
     * @param task what it does
     * @return the thread, not started
     */
    Thread thread(String name, Runnable task);
}

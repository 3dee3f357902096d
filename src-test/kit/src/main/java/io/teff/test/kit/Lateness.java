package io.teff.test.kit;

import java.util.concurrent.locks.LockSupport;

/**
 * Checks that need a machine that is in time, because they are about time. A thread watches how late this process is
 * meanwhile: a check that fails while the machine was late is repeated, a few times. One that fails on a machine in
 * time, or each time, has failed.
 */
public final class Lateness {
    private static final int ATTEMPTS = 5;
    private static final long LATE_NS = 20_000_000;
    private static final long PARK_NS = 1_000_000;

    private Lateness() {}

    /** What is checked, from the beginning each time. */
    @FunctionalInterface
    public interface Check {
        /** Runs the check, and throws what is wrong. */
        void run() throws Exception;
    }

    /** Runs a check until it holds; throws its failure if the machine was in time, or always late. */
    public static void retried(Check check) throws Exception {
        for (int attempt = 1;; attempt++) {
            Watch watch = new Watch();
            try {
                check.run();
                return;
            } catch (Exception | AssertionError e) {
                long lateNs = watch.end();
                if (lateNs < LATE_NS || attempt == ATTEMPTS || e instanceof InterruptedException) {
                    throw e;
                }
                System.out.println("the machine was late by " + lateNs / 1_000_000 + " ms, again after: " + e);
            } finally {
                watch.end();
            }
        }
    }

    /** Begins to watch how late this process is, for a test that judges by itself. */
    public static Watch watch() {
        return new Watch();
    }

    /** A thread that wants to run all the time, a moment each time. */
    public static final class Watch implements AutoCloseable {
        private final Thread thread;
        private volatile boolean isOver;
        private volatile long longestNs;

        private Watch() {
            thread = Thread.ofPlatform().daemon().name("lateness").start(this::watch);
        }

        private void watch() {
            long last = System.nanoTime();
            while (!isOver) {
                LockSupport.parkNanos(PARK_NS);
                long now = System.nanoTime();
                longestNs = Math.max(longestNs, now - last - PARK_NS);
                last = now;
            }
        }

        /** Returns by how much the thread was late at most, in milliseconds. */
        public long lateMs() {
            return longestNs / 1_000_000;
        }

        /** Ends the thread. */
        @Override
        public void close() {
            end();
        }

        /** Ends the thread, and returns by how much it was late at most. */
        private long end() {
            isOver = true;
            boolean isInterrupted = Thread.interrupted();
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            return longestNs;
        }
    }
}

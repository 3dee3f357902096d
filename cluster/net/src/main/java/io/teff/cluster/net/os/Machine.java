package io.teff.cluster.net.os;

import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/** What a network takes from the machine: threads, the time of its start, and chance that nobody can foretell. */
public final class Machine {
    /** The clock of this JVM. */
    public static final NanoClock CLOCK = System::nanoTime;

    private Machine() {}

    /**
     * Makes a thread that does not keep the JVM alive.
     *
     * @param name of the thread
     * @param work what it does
     * @return the thread, not started
     */
    public static Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).unstarted(work);
    }

    /**
     * Waits for the end of a thread, unless it is the one that calls. Interrupts are kept for later.
     *
     * @param thread that was started
     */
    public static void join(Thread thread) {
        boolean isInterrupted = false;
        while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return milliseconds since 1970, which tell one start of a node from the one before} */
    public static long startMs() {
        return System.currentTimeMillis();
    }

    /** {@return random numbers that are fit for secrets} */
    public static RandomGenerator random() {
        return new SecureRandom();
    }
}

package io.teff.engine.os;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The seam for threads: daemon threads, so that none keeps the JVM alive. Implementations are thread-safe. */
@FunctionalInterface
public interface Threads {
    /** Platform threads of this JVM. */
    Threads SYSTEM = (name, task) -> Thread.ofPlatform().daemon().name(name).unstarted(task);

    /**
     * Creates a daemon thread.
     *
     * @param name of the thread
     * @param task run by the thread
     * @return the thread, not started
     */
    Thread create(String name, Runnable task);

    /**
     * Runs a task on a new daemon thread.
     *
     * @param name of the thread
     * @param task must not throw
     */
    default void start(String name, Runnable task) {
        create(name, task).start();
    }

    /**
     * Creates a virtual thread of this JVM.
     *
     * @param name of the thread
     * @param task run by the thread
     * @return the thread, not started
     */
    static Thread virtual(String name, Runnable task) {
        return Thread.ofVirtual().name(name).unstarted(task);
    }

    /**
     * Waits until a thread has ended, unless it is the calling thread. Interrupts do not end the wait; the interrupt
     * flag is set again before this returns.
     *
     * @param thread that was started
     */
    static void join(Thread thread) {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupt.keepThrown();
                }
            }
        }
    }

    /**
     * Waits like {@link #join(Thread)}, for some time only.
     *
     * @param thread that was started
     * @param ns the longest wait in nanoseconds, at least a millisecond; an interrupt begins it anew
     * @return whether the thread has ended, or is the calling thread
     */
    static boolean join(Thread thread, long ns) {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            while (!thread.equals(Thread.currentThread()) && thread.isAlive()) {
                try {
                    return thread.join(Duration.ofNanos(ns));
                } catch (InterruptedException e) {
                    interrupt.keepThrown();
                }
            }
            return true;
        }
    }

    /**
     * Waits on a thread that belongs to the store, the log or a network until it is unparked; may return early. An
     * interrupt means nothing to such a thread, but code of an application on this thread may have left an interrupt:
     * the flag is cleared, because the thread would never wait again, and a read or write of a file would close the
     * file.
     *
     * @param blocker shown in thread dumps as the reason of the wait
     */
    static void rest(Object blocker) {
        LockSupport.park(blocker);
        dropInterrupt();
    }

    /**
     * Waits like {@link #rest(Object)}, or until the time has passed.
     *
     * @param blocker shown in thread dumps as the reason of the wait
     * @param ns the longest wait in nanoseconds; returns at once unless positive
     */
    static void rest(Object blocker, long ns) {
        LockSupport.parkNanos(blocker, ns);
        dropInterrupt();
    }

    /**
     * Clears the interrupt flag of a thread that belongs to the store, the log or a network.
     *
     * @return whether the flag was set
     */
    static boolean dropInterrupt() {
        return Thread.interrupted();
    }
}

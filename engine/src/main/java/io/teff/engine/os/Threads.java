package io.teff.engine.os;

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
}

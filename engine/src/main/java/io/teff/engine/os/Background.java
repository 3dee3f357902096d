package io.teff.engine.os;

/** The seam for threads: short background tasks, on daemon threads so that no process is kept alive. */
public interface Background {
    /** Starts a daemon thread per task. */
    Background SYSTEM = (name, task) -> Thread.ofPlatform().daemon().name(name).start(task);

    /**
     * Runs a task in the background.
     *
     * @param name the thread's name
     * @param task what to do; must not throw
     */
    void run(String name, Runnable task);
}

package io.teff.engine;

import io.teff.engine.os.Threads;
import java.util.function.BiConsumer;

/** Threads of a test, which decides how, where and whether a background task runs. */
public final class TaskThreads implements Threads {
    /** Runs each task on the calling thread. */
    public static final Threads INLINE = new TaskThreads((name, task) -> task.run());

    private final BiConsumer<String, Runnable> starter;

    /** Hands the name and the task of each start to the test. */
    public TaskThreads(BiConsumer<String, Runnable> starter) {
        this.starter = starter;
    }

    @Override
    public Thread create(String name, Runnable task) {
        throw new UnsupportedOperationException("the engine starts tasks and needs no thread object");
    }

    @Override
    public void start(String name, Runnable task) {
        starter.accept(name, task);
    }
}

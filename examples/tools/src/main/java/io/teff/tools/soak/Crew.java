package io.teff.tools.soak;

import io.teff.engine.error.StoreException;
import io.teff.tools.load.LoadFailure;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a run: a fixed number from beginning to end, so any additional thread is a leak of the store. Work
 * that exceeds its time ends the run with the stacks of all threads: the store hangs. The threads are daemons, because
 * a hanging thread must not keep the process alive.
 */
final class Crew implements AutoCloseable {
    private static final String NAME = "soak-";
    private static final int FRAMES_MAX = 12;

    private final ExecutorService pool;
    private final long timeoutNs;
    private boolean hangs;

    Crew(int threads, long timeoutNs) {
        AtomicInteger count = new AtomicInteger();
        this.timeoutNs = timeoutNs;
        this.pool = Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work, NAME + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Returns whether a thread with this name is one of a crew. */
    static boolean isMember(String threadName) {
        return threadName.startsWith(NAME);
    }

    Future<?> start(Runnable work) {
        return pool.submit(work);
    }

    /** Starts one piece of work per worker. */
    List<Future<?>> startAll(List<? extends Runnable> work) {
        List<Future<?>> started = new ArrayList<>();
        work.forEach(one -> started.add(start(one)));
        return started;
    }

    /** Waits for the end of work; throws the exception that it threw. */
    void await(List<Future<?>> work) throws InterruptedException {
        long end = System.nanoTime() + timeoutNs;
        for (Future<?> one : work) {
            try {
                one.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw failure(e.getCause() == null ? e : e.getCause());
            } catch (TimeoutException e) {
                hangs = true;
                throw new LoadFailure("the store seems to hang: a phase did not end in "
                    + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s" + stacks());
            }
        }
    }

    /** {@return whether work exceeded its time; closing the store would then hang too} */
    boolean hangs() {
        return hangs;
    }

    /** Returns a known failure as it is, and wraps any other exception in one with its name and stack. */
    static RuntimeException failure(Throwable cause) {
        return switch (cause) {
            case LoadFailure known -> known;
            case StoreException known -> known;
            default -> {
                LoadFailure unforeseen = new LoadFailure(cause + at(cause.getStackTrace()));
                unforeseen.initCause(cause);
                yield unforeseen;
            }
        };
    }

    private static String stacks() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            if (thread.getState() != State.TERMINATED && entry.getValue().length > 0) {
                text.append(System.lineSeparator()).append("  ").append(thread.getName()).append(' ')
                    .append(thread.getState()).append(at(entry.getValue()));
            }
        }
        return text.toString();
    }

    private static String at(StackTraceElement[] stack) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(stack.length, FRAMES_MAX); i++) {
            text.append(System.lineSeparator()).append("    at ").append(stack[i]);
        }
        return text.toString();
    }

    /** Ends the threads when their work ends; does not wait for them. */
    @Override
    public void close() {
        pool.shutdownNow();
    }
}

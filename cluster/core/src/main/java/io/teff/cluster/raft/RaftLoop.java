package io.teff.cluster.raft;

import io.microraft.executor.RaftNodeExecutor;
import io.teff.engine.os.Clock;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a member, done one after the other by one thread, or by a simulator.
 *
 * <p><b>Scaled time.</b> The algorithm measures its intervals in whole seconds. The loop counts {@link #SCALE} seconds
 * in each second, so an interval of one second lasts 100 ms. The loop measures by the monotonic clock.
 *
 * <p>Any thread may add tasks. One thread calls {@link #run}.
 */
final class RaftLoop implements RaftNodeExecutor {
    /** Seconds of the algorithm in a second. */
    static final int SCALE = 10;

    private final Clock clock;
    private final Consumer<Throwable> failures;
    private final Runnable wake;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Tasks for later that the running thread has not seen yet. */
    private final Queue<Timer> added = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final long originNs;
    private volatile @Nullable Thread running;
    private long number;

    private record Timer(long dueNs, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return dueNs != other.dueNs ? Long.compare(dueNs, other.dueNs) : Long.compare(number, other.number);
        }
    }

    /**
     * Makes a loop without tasks.
     *
     * @param clock measures time
     * @param failures receives exceptions of tasks
     * @param wake wakes the thread that calls {@link #run}
     */
    RaftLoop(Clock clock, Consumer<Throwable> failures, Runnable wake) {
        this.clock = clock;
        this.failures = failures;
        this.wake = wake;
        originNs = clock.nowNs();
    }

    /** Returns milliseconds of the algorithm since the start of the loop, beginning with an hour. */
    long millis() {
        return TimeUnit.HOURS.toMillis(1) + TimeUnit.NANOSECONDS.toMillis((clock.nowNs() - originNs) * SCALE);
    }

    /** Does a task at once if this thread runs the loop, otherwise later. */
    @Override
    public void execute(Runnable task) {
        if (Thread.currentThread().equals(running)) {
            task.run();
        } else {
            submit(task);
        }
    }

    @Override
    public void submit(Runnable task) {
        tasks.add(task);
        wake.run();
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        long dueNs = clock.nowNs() - originNs + unit.toNanos(delay) / SCALE;
        added.add(new Timer(dueNs, 0, task));
        if (!Thread.currentThread().equals(running)) {
            wake.run();
        }
    }

    /** Does all due tasks. Returns the nanoseconds until the next task is due; {@link Long#MAX_VALUE} without one. */
    long run() {
        running = Thread.currentThread();
        try {
            boolean hasRun;
            do {
                hasRun = runTasks() | runTimer();
            } while (hasRun);
            Timer next = timers.peek();
            return next == null ? Long.MAX_VALUE : Math.max(0, next.dueNs() - (clock.nowNs() - originNs));
        } finally {
            running = null;
        }
    }

    private boolean runTasks() {
        boolean hasRun = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
            hasRun = true;
        }
        return hasRun;
    }

    private boolean runTimer() {
        for (Timer timer = added.poll(); timer != null; timer = added.poll()) {
            timers.add(new Timer(timer.dueNs(), number++, timer.task()));
        }
        Timer next = timers.peek();
        if (next == null || next.dueNs() > clock.nowNs() - originNs) {
            return false;
        }
        timers.remove();
        run(next.task());
        return true;
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failures.accept(e);
        }
    }
}

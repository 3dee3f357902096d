package io.teff.engine;

import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.GroupProgress;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobPriority;
import io.teff.engine.compute.Reduction;
import io.teff.engine.compute.StepResult;
import io.teff.engine.work.ByteBudget;
import io.teff.engine.work.Inbox;
import io.teff.engine.work.JobFuture;
import io.teff.engine.work.JobTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A compute group on a store of this JVM: its workers are tasks of the pool of jobs. */
final class LocalGroup implements ComputeGroup {
    /** All messages of a group take at most this part of the heap. */
    private static final int MEMORY_SHARE = 2;

    private final LocalCompute home;
    private final GroupOptions options;
    private final Inbox[] inboxes;
    private final AtomicReferenceArray<@Nullable Object> kept;
    private volatile List<JobFuture> running = List.of();
    private volatile GroupProgress progress;
    private volatile AtomicInteger done = new AtomicInteger();
    private volatile long[] reduced = {};
    private volatile boolean isCancelled;
    private volatile boolean isOver;

    LocalGroup(LocalCompute home, GroupOptions options, int workers) {
        this.home = home;
        this.options = options;
        inboxes = new Inbox[workers];
        final ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / MEMORY_SHARE);
        for (int i = 0; i < workers; i++) {
            inboxes[i] = new Inbox(options.inboxBytesMax(), budget);
        }
        kept = new AtomicReferenceArray<>(workers);
        progress = new GroupProgress(0, "", 0, workers, 0);
    }

    @Override
    public int workers() {
        return inboxes.length;
    }

    Inbox inbox(int worker) {
        return inboxes[worker];
    }

    long[] reduced() {
        return reduced.clone();
    }

    /** Returns what a worker keeps; its steps come one after the other. */
    Object kept(int worker, Supplier<?> first) {
        final Object known = kept.get(worker);
        if (known != null) {
            return known;
        }
        final Object made = first.get();
        kept.set(worker, made);
        return made;
    }

    void deliver(long step, int from, int to, int number, byte[] batch) {
        if (inboxes[to].put(step, from, 1, number, batch) == Inbox.Verdict.FULL) {
            throw new JobException(Reason.FAILED, "worker " + to + " has " + options.inboxBytesMax()
                + " bytes of messages that wait, as many as are allowed");
        }
    }

    @Override
    public StepResult step(String task, byte[] argument, Reduction reduction) {
        JobTexts.check(task, argument);
        if (isOver) {
            throw isCancelled ? cancelled() : new IllegalStateException("the group is closed, or a step has failed");
        }
        final long step = progress.step() + 1;
        done = new AtomicInteger();
        progress = new GroupProgress(step, task, 0, workers(), 0);
        boolean isDone = false;
        try {
            final List<byte[]> results = run(step, task, argument);
            final StepResult result = result(step, results, reduction);
            isDone = true;
            return result;
        } finally {
            isOver |= !isDone;
        }
    }

    private StepResult result(long step, List<byte[]> results, Reduction reduction) {
        if (reduction == Reduction.GATHER) {
            return new StepResult(step, results, new long[0]);
        }
        long[] sum = {};
        for (byte[] result : results) {
            sum = reduction.combine(sum, Reduction.numbers(result));
        }
        reduced = sum;
        return new StepResult(step, List.of(), sum.clone());
    }

    private List<byte[]> run(long step, String task, byte[] argument) {
        final List<JobFuture> futures = new ArrayList<>();
        for (int worker = 0; worker < workers(); worker++) {
            futures.add(new JobFuture(task, options.stepTimeoutNs()));
        }
        for (JobFuture future : futures) {
            final var _ = future.whenComplete((_, thrown) -> {
                if (thrown != null) {                           // nobody waits for the other workers any more
                    futures.forEach(other -> other.completeExceptionally(thrown));
                }
            });
        }
        running = futures;
        if (isCancelled) {
            throw cancelled();
        }
        for (int worker = 0; worker < workers(); worker++) {
            final int number = worker;
            home.run(JobPriority.NORMAL, futures.get(worker), "task " + task,
                () -> runWorker(number, step, task, argument, futures.get(number)));
        }
        final List<byte[]> results = new ArrayList<>();
        try {
            for (JobFuture future : futures) {
                results.add(future.join());
            }
            return results;
        } catch (CompletionException e) {
            throw JobTexts.failure(task, e.getCause() == null ? e : e.getCause());
        } catch (CancellationException _) {
            throw cancelled();
        } finally {
            futures.forEach(future -> future.cancel(false));
        }
    }

    private byte[] runWorker(int worker, long step, String name, byte[] argument, JobFuture future) throws Exception {
        final LocalTask context = new LocalTask(home, this, worker, step, argument, future::isDone);
        final byte[] result = JobTexts.checked("task " + name, home.task(name).run(context), Compute.BYTES_MAX);
        if (!context.end()) {
            throw new JobException(Reason.FAILED, name + " has failed: another change of a chunk was faster");
        }
        context.flush();
        done.incrementAndGet();
        return result;
    }

    private JobException cancelled() {
        return new JobException(Reason.CANCELLED, "the group was cancelled");
    }

    @Override
    public GroupProgress progress() {
        final GroupProgress now = progress;
        return new GroupProgress(now.step(), now.task(), done.get(), now.workers(), 0);
    }

    @Override
    public void cancel() {
        isCancelled = true;
        isOver = true;
        running.forEach(future -> future.cancel(false));
    }

    @Override
    public void close() {
        cancel();
        for (Inbox inbox : inboxes) {
            inbox.close();
        }
    }
}

package io.teff.engine;

import io.teff.engine.chunk.GroupChange;
import io.teff.engine.chunk.ZoneSpace;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobPriority;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.work.JobFuture;
import io.teff.engine.work.JobPool;
import io.teff.engine.work.JobTexts;
import io.teff.engine.work.Registered;
import io.teff.engine.work.TrackedChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CompletableFuture;

/** Jobs and groups of a store of this JVM, which is the only node. Thread-safe. */
final class LocalCompute implements Compute, AutoCloseable {
    private final ChunkStore store;
    private final ZoneSpace zones;
    private final Clock clock;
    private final JobPool pool;
    /** Jobs under way, which end with the store. */
    private final Set<JobFuture> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    LocalCompute(ChunkStore store, ZoneSpace zones, String name, Platform platform) {
        this.store = store;
        this.zones = zones;
        clock = platform.clock();
        pool = new JobPool("teff-" + name + "-job", Math.max(2, Runtime.getRuntime().availableProcessors()),
            platform.threads());
    }

    /** The classes on the class path, found at the first use. */
    private static final class Found {
        private static final Registered<ChunkJob> JOBS = new Registered<>(ChunkJob::name)
            .addAll(ServiceLoader.load(ChunkJob.class, ChunkJob.class.getClassLoader()));
        private static final Registered<GroupTask> TASKS = new Registered<>(GroupTask::name)
            .addAll(ServiceLoader.load(GroupTask.class, GroupTask.class.getClassLoader()));
    }

    /** Returns the jobs of this process, to which a test can add. */
    static Registered<ChunkJob> jobs() {
        return Found.JOBS;
    }

    /** Returns the tasks of this process, to which a test can add. */
    static Registered<GroupTask> tasks() {
        return Found.TASKS;
    }

    // ---- jobs ----

    @Override
    public CompletableFuture<byte[]> submit(JobTarget target, String job, byte[] argument, JobOptions options) {
        JobTexts.check(job, argument);
        if (options.isOnce() && !target.hasZone()) {
            throw new IllegalArgumentException("a job whose changes are made once needs a chunk or a zone");
        }
        final JobFuture future = new JobFuture(job, options.timeoutNs());
        if (target.hasZone() && target.zone() != zone()) {
            future.completeExceptionally(new JobException(Reason.REFUSED, "there is no zone " + target.zone()));
            return future;
        }
        final byte[] copy = argument.clone();
        run(options.priority(), future, "job " + job, () -> runJob(target, job, copy, options, future));
        return future;
    }

    private byte[] runJob(JobTarget target, String name, byte[] argument, JobOptions options, JobFuture future)
            throws Exception {
        final ChunkJob job = Found.JOBS.find(name);
        if (job == null) {
            throw JobTexts.unknown(name, "this process", Found.JOBS.why(name));
        }
        for (int attempt = 1; future.begin(); attempt++) {
            final LocalJob context = new LocalJob(this, argument, target.cid(), attempt, options.isOnce(),
                future::isDone);
            final byte[] result = JobTexts.checked("job " + name, job.run(context), options.isOnce()
                ? JobOptions.ONCE_RESULT_BYTES_MAX : BYTES_MAX);
            if (context.end()) {
                return result;
            }
        }
        return new byte[0];                                     // the caller does not wait any more
    }

    /** Runs work on the pool, and ends a future with its result; {@code what} names the work in failures. */
    void run(JobPriority priority, JobFuture future, String what, Callable<byte[]> work) {
        open.add(future);
        final var _ = future.whenComplete((_, _) -> open.remove(future));
        if (isClosed) {
            end();
        } else if (!pool.add(priority, () -> run(future, what, work))) {
            future.completeExceptionally(new JobException(isClosed ? Reason.CLOSED : Reason.BUSY, isClosed
                ? "the store is closed" : JobPool.QUEUED_MAX + " jobs wait, as many as are possible"));
        }
    }

    private static void run(JobFuture future, String what, Callable<byte[]> work) {
        if (future.isDone()) {
            return;                                             // cancelled, or its time is over
        }
        try {
            future.complete(work.call());
        } catch (Exception | Error e) {                         // of the application: an answer to its caller
            future.completeExceptionally(JobTexts.failure(what, e));
        }
    }

    // ---- groups ----

    @Override
    public ComputeGroup group(GroupOptions options) {
        return new LocalGroup(this, options, options.workers() == 0 ? pool.threads() : options.workers());
    }

    GroupTask task(String name) {
        final GroupTask task = Found.TASKS.find(name);
        if (task == null) {
            throw JobTexts.unknown(name, "this process", Found.TASKS.why(name));
        }
        return task;
    }

    // ---- the store ----

    ChunkStore store() {
        return store;
    }

    Clock clock() {
        return clock;
    }

    int zone() {
        return zones.ownNid();
    }

    @Override
    public int[] zones() {
        return new int[] {zone()};
    }

    /** Makes changes together; returns OK, 1 + index of the first chunk with another content, or a status. */
    int change(Iterable<TrackedChanges.Change> changes) {
        final List<TrackedChanges.Change> all = new ArrayList<>();
        changes.forEach(all::add);
        final GroupChange group = zones.changer(zone(), null).change(all.size());
        for (TrackedChanges.Change change : all) {
            group.add(change.cid(), change.expected() == null ? 0 : GroupChange.IF_EQUAL, change.expected(),
                change.content() == null ? GroupChange.REMOVE : GroupChange.PUT, change.content());
        }
        return group.run();
    }

    /** Ends all jobs. Running code is not waited for. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        pool.close();
        end();
    }

    private void end() {
        open.forEach(future -> future.completeExceptionally(new JobException(Reason.CLOSED, "the store is closed")));
    }
}

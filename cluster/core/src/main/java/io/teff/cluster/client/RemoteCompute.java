package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.compute.Compute;
import io.teff.engine.compute.ComputeGroup;
import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.compute.JobOptions;
import io.teff.engine.compute.JobTarget;
import io.teff.engine.os.Threads;
import io.teff.engine.work.JobFuture;
import io.teff.engine.work.JobTexts;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends jobs to the owners of their zones, and coordinates groups. Thread-safe. */
final class RemoteCompute implements Compute {
    /** Most jobs of a client under way. */
    static final int JOBS_MAX = 16_384;

    private final ClusterClient client;
    private final WriteLevel level;
    private final AtomicInteger underway = new AtomicInteger();

    RemoteCompute(ClusterClient client, WriteLevel level) {
        this.client = client;
        this.level = level;
    }

    @Override
    public CompletableFuture<byte[]> submit(JobTarget target, String job, byte[] argument, JobOptions options) {
        client.checkOpen();
        JobTexts.check(job, argument);
        if (options.isOnce() && !target.hasZone()) {
            throw new IllegalArgumentException("a job whose changes are made once needs a chunk or a zone");
        }
        final JobFuture future = new JobFuture(job, options.timeoutNs());
        if (underway.incrementAndGet() > JOBS_MAX) {
            underway.decrementAndGet();
            future.completeExceptionally(new JobException(Reason.BUSY, "this client has " + JOBS_MAX
                + " jobs under way, as many as are possible"));
            return future;
        }
        final RemoteJob run = new RemoteJob(client, level, target, job, argument.clone(), options, future);
        Threads.virtual("teff-job", () -> {
            try {
                run.run();
            } finally {
                underway.decrementAndGet();
            }
        }).start();
        return future;
    }

    @Override
    public ComputeGroup group(GroupOptions options) {
        final int[] zones = zones();
        if (zones.length == 0) {
            throw new JobException(Reason.REFUSED, "the cluster has no zone that can have a worker");
        }
        final int[] of = new int[options.workers() == 0 ? zones.length : options.workers()];
        for (int i = 0; i < of.length; i++) {
            of[i] = zones[i % zones.length];
        }
        return new RemoteWorkers(client, options, of);
    }

    @Override
    public int[] zones() {
        client.checkOpen();
        return client.rows().zones().stream().filter(row -> row.state() != ZoneState.LOST).mapToInt(row -> row.zone())
            .toArray();
    }
}

package io.teff.engine.work;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The result of a job, which ends by itself when the time of the job is over. Thread-safe. */
public final class JobFuture extends CompletableFuture<byte[]> {
    private final String job;

    /**
     * Begins the time of a job.
     *
     * @param job name of the job
     * @param timeoutNs longest time until the result, in nanoseconds
     */
    public JobFuture(String job, long timeoutNs) {
        this.job = job;
        final var _ = orTimeout(timeoutNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        return super.completeExceptionally(thrown instanceof TimeoutException
            ? new JobException(Reason.TIMED_OUT, "job " + job + " has no result in its time") : thrown);
    }
}

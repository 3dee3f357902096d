package io.teff.engine.work;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The result of a job, which ends by itself when the time of the job is over. Thread-safe.
 *
 * <pre>
 *             begin()
 *   WAITING ----------&gt; BEGUN          the time is over: UNKNOWN_OUTCOME
 *      |    &lt;----------
 *      |     hasNotRun()
 *      '---------------&gt; OVER          the time is over: TIMED_OUT, and the job cannot begin any more
 * </pre>
 */
public final class JobFuture extends CompletableFuture<byte[]> {
    private final String job;
    private final AtomicReference<Run> run = new AtomicReference<>(Run.WAITING);

    /** State of the runs of the job. */
    private enum Run { WAITING, BEGUN, OVER }

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

    /**
     * Says that the job may run from now on.
     *
     * @return false if the time of the job is over or the future has ended, so the job must not run
     */
    public boolean begin() {
        return run.updateAndGet(it -> it == Run.WAITING ? Run.BEGUN : it) == Run.BEGUN && !isDone();
    }

    /** Says that no run since {@link #begin} has happened. */
    public void hasNotRun() {
        run.compareAndSet(Run.BEGUN, Run.WAITING);
    }

    /** {@return the reason of a job whose time is over: TIMED_OUT if the job has not run and cannot run any more} */
    public Reason late() {
        return run.updateAndGet(it -> it == Run.WAITING ? Run.OVER : it) == Run.OVER ? Reason.TIMED_OUT
            : Reason.UNKNOWN_OUTCOME;
    }

    @Override
    public boolean completeExceptionally(Throwable thrown) {
        if (!(thrown instanceof TimeoutException)) {
            return super.completeExceptionally(thrown);
        }
        final Reason reason = late();
        return super.completeExceptionally(new JobException(reason, "job " + job + " has no result in its time"
            + (reason == Reason.TIMED_OUT ? ", and has not begun" : "")));
    }
}

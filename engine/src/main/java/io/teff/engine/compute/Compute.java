package io.teff.engine.compute;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs code of the application at the data of a store. Thread-safe.
 * <ul>
 * <li>A <b>job</b> is short work on the data of one zone: {@link #submit}. Its class is a {@link
 *     io.teff.engine.ChunkJob}.
 * <li>A <b>compute group</b> is long work of many workers in steps: {@link #group}. The class of a step is a {@link
 *     io.teff.engine.GroupTask}.
 * </ul>
 * Jobs and tasks are called by their names. The owner of the data finds the classes with {@link
 * java.util.ServiceLoader} on its own class path or module path.
 *
 * <p><b>At least once.</b> A job whose node ends before the answer runs again elsewhere ({@link OnLoss}), so a job may
 * run more than once. Changes of a job with {@link JobOptions#once} are made once.
 */
public interface Compute {
    /** Most bytes of the argument of a job or a task, and of the result: 1,000,000. */
    int BYTES_MAX = 1_000_000;
    /** Most bytes of a name of a job or a task in UTF-8. */
    int NAME_BYTES_MAX = 100;

    /**
     * Sends a job to its data. Returns at once.
     *
     * @param target where the job runs
     * @param job name of the job
     * @param argument for the job, at most {@value #BYTES_MAX} bytes
     * @param options priority, deadline, and what happens if the node of the job ends
     * @return ends with the result of the job, or with a {@link JobException}; a cancel of this future cancels the job
     * @throws IllegalArgumentException if the name or the argument is too long
     */
    CompletableFuture<byte[]> submit(JobTarget target, String job, byte[] argument, JobOptions options);

    /**
     * Sends a job with default options; see {@link #submit(JobTarget, String, byte[], JobOptions)}.
     *
     * @param target where the job runs
     * @param job name of the job
     * @param argument for the job
     * @return ends with the result of the job, or with a {@link JobException}
     */
    default CompletableFuture<byte[]> submit(JobTarget target, String job, byte[] argument) {
        return submit(target, job, argument, JobOptions.DEFAULT);
    }

    /**
     * Sends several jobs. Each job runs, fails and is cancelled on its own.
     *
     * @param calls the jobs
     * @param options of each job
     * @return a future for each job, in the order of the calls
     */
    default List<CompletableFuture<byte[]>> submitAll(List<JobCall> calls, JobOptions options) {
        final List<CompletableFuture<byte[]>> futures = new ArrayList<>();
        for (JobCall call : calls) {
            futures.add(submit(call.target(), call.job(), call.argument(), options));
        }
        return futures;
    }

    /**
     * Makes a compute group. The caller is the coordinator of the group.
     *
     * @param options number of workers, deadline of a step, and what happens if a worker is lost
     * @return the group, which the caller must close
     * @throws JobException if no zone can have a worker
     */
    ComputeGroup group(GroupOptions options);

    /** {@return the zones with data that this store knows of; a job can be sent to each of these zones} */
    int[] zones();
}

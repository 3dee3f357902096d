package io.teff.engine;

/**
 * A job: short work on the data of one zone, which the owner of the zone runs. Nodes find the implementations with
 * {@link java.util.ServiceLoader} on their own class path or module path, at the first job. Callers name a job by
 * {@link io.teff.engine.compute.Compute#submit}.
 * <pre>
 *  public final class AddJob implements ChunkJob {
 *      public String name() {
 *          return "add/1";
 *      }
 *
 *      public byte[] run(JobContext job) {
 *          ByteBuffer sum = ByteBuffer.wrap(job.get(job.cid()));
 *          sum.putLong(0, sum.getLong(0) + ByteBuffer.wrap(job.argument()).getLong());
 *          job.put(job.cid(), sum.array());
 *          return sum.array();
 *      }
 *  }
 * </pre>
 *
 * <p><b>Rules.</b> Threads run a job at the same time for different calls. A job may run more than once for one call,
 * so nothing but its changes and its result counts. A job does not wait for other jobs, because all jobs share the
 * threads of a node. A long job asks {@link JobContext#isCancelled} now and then. A job that throws has failed, and
 * changes nothing.
 *
 * <p><b>Names.</b> While a program changes, old and new nodes have jobs of one name at the same time. So a name has a
 * version, as {@code add/1}.
 */
public interface ChunkJob {
    /** {@return the name, of 1 to 100 bytes in UTF-8; the same at each call} */
    String name();

    /**
     * Runs the job.
     *
     * @param job the call, valid until this method returns, for the calling thread
     * @return the result for the caller; an empty array for none
     * @throws Exception ends the job as FAILED
     */
    byte[] run(JobContext job) throws Exception;
}

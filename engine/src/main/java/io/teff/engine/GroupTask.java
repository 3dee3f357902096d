package io.teff.engine;

/**
 * The work of one step at one worker of a {@linkplain io.teff.engine.compute.ComputeGroup compute group}. Nodes find
 * the implementations with {@link java.util.ServiceLoader}, as those of {@link ChunkJob}, and the rules of jobs hold
 * for tasks, too.
 *
 * <p>A task reads the messages of the last step, computes, sends messages for the next step, and returns a result. What
 * a worker keeps in memory from step to step ({@link TaskContext#kept}) is lost with the node of the worker. What must
 * survive is in chunks of the zone.
 */
public interface GroupTask {
    /** {@return the name, of 1 to 100 bytes in UTF-8; the same at each call} */
    String name();

    /**
     * Runs the task of a worker.
     *
     * @param task the call, valid until this method returns, for the calling thread
     * @return the result of this worker; with a reduction, a row of numbers ({@link
     *     io.teff.engine.compute.Reduction#bytes})
     * @throws Exception ends the step as FAILED
     */
    byte[] run(TaskContext task) throws Exception;
}

package io.teff.engine.compute;

import java.util.Map;

/**
 * Workers that compute in steps, with the caller as their coordinator. For one thread; {@link #cancel} and {@link
 * #progress} for any thread.
 *
 * <p>Each worker has a zone, and runs at the owner of this zone. A step runs one task at all workers. A worker sends
 * messages to other workers in a step, and the receivers have these messages in the next step. The step ends when all
 * workers have ended and all messages have arrived: a barrier.
 *
 * <p><b>Join and leave.</b> A worker follows its zone. If the zone moves to another node between two steps, the next
 * step runs there. A node that joins the cluster has workers as soon as it owns their zones.
 */
public interface ComputeGroup extends AutoCloseable {
    /** {@return the number of workers} */
    int workers();

    /**
     * Runs a task at all workers, and waits for the end of the step.
     *
     * @param task name of the task
     * @param argument for all workers, at most {@value Compute#BYTES_MAX} bytes
     * @param reduction how the results of the workers become one result
     * @return the results
     * @throws JobException if a worker has failed, was lost, or the time of the step is over; the group takes no
     *     further step then
     * @throws IllegalStateException if the group is closed, or a step has failed
     */
    StepResult step(String task, byte[] argument, Reduction reduction);

    /**
     * Runs a script: steps with conditions and loops.
     *
     * @param script steps with conditions and loops
     * @param parameters values that replace the defaults of the script: numbers as {@link Long}, or {@link String}
     * @return the values of all names at the end
     * @throws JobException as {@link #step}
     * @throws IllegalArgumentException if a parameter is not one of the script
     */
    default Map<String, Object> run(TaskScript script, Map<String, Object> parameters) {
        return script.run(this::step, parameters);
    }

    /** {@return what the group does now} */
    GroupProgress progress();

    /** Cancels the step under way and all later steps. Tasks see that they are cancelled. Idempotent. */
    void cancel();

    /** Ends the group at all nodes. Idempotent. */
    @Override
    void close();
}

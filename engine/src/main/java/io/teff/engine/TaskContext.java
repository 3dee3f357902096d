package io.teff.engine;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * A call of a {@link GroupTask}: one worker in one step. For the thread of the task, until the task returns.
 *
 * <p>The zone of the worker is {@link #zone}. If several workers share a zone, {@link #forEachCid} visits the part of
 * this worker: each chunk of the zone is in the part of one worker.
 *
 * <p>Changes are those of a job, except that a conflict with another change ends the step as FAILED, because messages
 * have left already. {@link #commit} makes changes in the middle of a task.
 */
public interface TaskContext extends JobContext {
    /** {@return the number of this worker, from 0} */
    int worker();

    /** {@return the number of workers} */
    int workers();

    /** {@return the number of the step, from 1} */
    long step();

    /** {@return the reduced numbers of the last step with a reduction; empty before} */
    long[] reduced();

    /**
     * Sends a message to a worker, also to this worker, which has the message in the next step. Messages lie one behind
     * another in batches, without lengths: a receiver knows the length of its messages. Waits while the node of the
     * receiver has no room for a batch under way.
     *
     * @param worker number of the receiver
     * @param message at most 64 KiB
     * @throws io.teff.engine.compute.JobException of the reason FAILED if the receiver has too many messages
     * @throws IndexOutOfBoundsException if there is no such worker
     */
    void send(int worker, byte[] message);

    /**
     * Sends a number of 8 bytes, little-endian; see {@link #send}.
     *
     * @param worker number of the receiver
     * @param message the number
     */
    void sendLong(int worker, long message);

    /**
     * Reads the messages of the last step to this worker, batch by batch. Batches come in the order of their senders,
     * and the batches of a sender in the order of its messages. Can be called again.
     *
     * @param reader reads a batch
     */
    void receive(MessageReader reader);

    /**
     * Returns an object that this worker keeps until the next step.
     *
     * @param <T> type of the object
     * @param first makes the object in the first step, after the worker has come to another node, and when the worker
     *     runs a step again
     * @return the object
     */
    <T> T kept(Supplier<T> first);

    /** Reads messages. */
    @FunctionalInterface
    interface MessageReader {
        /**
         * Reads a batch of whole messages.
         *
         * @param from worker that has sent the messages
         * @param batch the messages, little-endian
         */
        void read(int from, ByteBuffer batch);
    }
}

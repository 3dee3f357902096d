package io.teff.cluster.job;

import io.teff.engine.work.Inbox;
import java.util.List;

/**
 * A part of the messages of a worker.
 *
 * @param isKnown whether the node has the group
 * @param isLast whether no batch follows
 * @param batches in the order of the inbox
 */
public record FetchAnswer(boolean isKnown, boolean isLast, List<Part> batches) {
    /** Copies the list. */
    public FetchAnswer {
        batches = List.copyOf(batches);
    }

    /**
     * A batch.
     *
     * @param from worker that has sent the batch
     * @param round attempt of the sender
     * @param number of the batch in the attempt
     * @param bytes the messages
     */
    public record Part(int from, int round, int number, byte[] bytes) {
        static Part of(Inbox.Batch batch) {
            return new Part(batch.from(), batch.attempt(), batch.number(), batch.bytes());
        }
    }
}

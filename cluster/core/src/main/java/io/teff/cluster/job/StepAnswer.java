package io.teff.cluster.job;

import java.util.List;

/**
 * The ends of workers at a node and at the nodes below it.
 *
 * @param ends end of each worker without a reduction, and of each worker that has no result
 * @param done workers whose results are in the reduced numbers
 * @param reduced the reduced numbers of these workers
 */
public record StepAnswer(List<End> ends, int[] done, long[] reduced) {
    /** Copies the list. */
    public StepAnswer {
        ends = List.copyOf(ends);
    }

    /**
     * The end of a worker.
     *
     * @param worker number of the worker
     * @param code a code of {@link JobAnswer}, or {@link #LOST}
     * @param content result of the task, or a text in UTF-8
     */
    public record End(int worker, int code, byte[] content) {
        /** The node of the worker has not answered: the worker has run or not. */
        public static final int LOST = 100;
        /** The messages of the worker are at no living node. */
        public static final int MESSAGES_LOST = 101;
    }
}

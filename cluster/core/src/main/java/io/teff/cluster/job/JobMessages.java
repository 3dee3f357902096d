package io.teff.cluster.job;

import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Schema;

/** The types of messages of jobs and compute groups. */
public final class JobMessages {
    private static final int JOB_ID = 40;
    private static final int CANCEL_ID = 41;
    private static final int STEP_ID = 42;
    private static final int BATCH_ID = 43;
    private static final int FETCH_ID = 44;
    private static final int END_ID = 45;
    private static final int JOB_BYTES_MAX = 1 << 20;
    private static final int BATCH_BYTES_MAX = 128 << 10;
    private static final int FETCH_BYTES_MAX = 2 << 20;
    private static final int STEP_BYTES_MAX = 64 << 20;

    /** A call of a job. */
    public static final RequestType<JobRequest, JobAnswer> JOB = new RequestType<>(
        new MessageType<>(JOB_ID, Schema.of(JobRequest.class), JOB_BYTES_MAX),
        new MessageType<>(JOB_ID, Schema.of(JobAnswer.class), JOB_BYTES_MAX));

    /** The client of a job waits no longer. */
    public static final MessageType<JobCancel> CANCEL = MessageType.of(CANCEL_ID, Schema.of(JobCancel.class));

    /** A step of a group, for a node and the nodes below it. */
    public static final RequestType<StepRequest, StepAnswer> STEP = new RequestType<>(
        new MessageType<>(STEP_ID, Schema.of(StepRequest.class), STEP_BYTES_MAX),
        new MessageType<>(STEP_ID, Schema.of(StepAnswer.class), STEP_BYTES_MAX));

    /** Messages between workers. */
    public static final RequestType<BatchRequest, BatchVerdict> BATCH = new RequestType<>(
        new MessageType<>(BATCH_ID, Schema.of(BatchRequest.class), BATCH_BYTES_MAX),
        MessageType.of(BATCH_ID, Schema.of(BatchVerdict.class)));

    /** The messages of a worker that moves. */
    public static final RequestType<FetchRequest, FetchAnswer> FETCH = new RequestType<>(
        MessageType.of(FETCH_ID, Schema.of(FetchRequest.class)),
        new MessageType<>(FETCH_ID, Schema.of(FetchAnswer.class), FETCH_BYTES_MAX));

    /** The end of a group. */
    public static final MessageType<GroupEnd> END = MessageType.of(END_ID, Schema.of(GroupEnd.class));

    private JobMessages() {}
}

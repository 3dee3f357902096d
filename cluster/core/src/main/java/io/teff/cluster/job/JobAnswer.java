package io.teff.cluster.job;

import io.teff.cluster.meta.ZoneRow;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run of a job.
 *
 * @param code one of the codes below
 * @param content result of the job, or a text in UTF-8
 * @param row newest row of the zone, if the peer does not serve the zone; or null
 */
public record JobAnswer(int code, byte[] content, @Nullable ZoneRow row) {
    /** The job has its result. */
    public static final int DONE = 0;
    /** The peer does not serve the zone, and the job has not run: the client asks the next owner. */
    public static final int NOT_HERE = 1;
    /** The peer has no job of the name. */
    public static final int UNKNOWN = 2;
    /** The job has failed. */
    public static final int FAILED = 3;
    /** The peer takes no job of the client now; nothing was done. */
    public static final int BUSY = 4;
    /** A chunk is of another zone. */
    public static final int REFUSED = 5;
    /** The session of the client has ended. */
    public static final int EXPIRED = 6;
    /** The job was cancelled, or its time is over. */
    public static final int CANCELLED = 7;
    /** The peer has lost the zone while the job ran: nothing of this run counts. */
    public static final int DEPOSED = 8;

    /** {@return an answer with a text} */
    public static JobAnswer of(int code, String text) {
        return new JobAnswer(code, text.getBytes(StandardCharsets.UTF_8), null);
    }

    /** {@return the content as a text} */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }
}

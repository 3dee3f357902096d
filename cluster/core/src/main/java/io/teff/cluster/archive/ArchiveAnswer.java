package io.teff.cluster.archive;

/**
 * An answer of the owner of a zone.
 *
 * @param code one of the constants
 * @param session number of the session
 * @param number number of a change, as the request says
 * @param content entries, or the text of a refusal in UTF-8
 */
public record ArchiveAnswer(int code, long session, long number, byte[] content) {
    /** The request was executed, and there is more. */
    public static final int DONE = 0;
    /** The request was executed, and was the last one. */
    public static final int END = 1;
    /** This node does not serve the zone. */
    public static final int NOT_HERE = 2;
    /** The session does not exist any more: the zone is read or filled anew. */
    public static final int LOST = 3;
    /** The owner cannot take entries now. */
    public static final int BUSY = 4;
    /** The request is refused; the content is the reason. */
    public static final int REFUSED = 5;

    static ArchiveAnswer of(int code) {
        return new ArchiveAnswer(code, 0, 0, ArchiveRequest.NONE);
    }
}

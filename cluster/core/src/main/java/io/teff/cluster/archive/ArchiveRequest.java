package io.teff.cluster.archive;

/**
 * A request to read or to fill a zone at its owner.
 *
 * @param code one of the constants
 * @param zone number of the zone
 * @param session number of the session that {@link #READ} or {@link #FILL} has answered; 0 to begin
 * @param content digests of {@link #READ}, entries of {@link #PUT}; else empty
 */
public record ArchiveRequest(int code, int zone, long session, byte[] content) {
    /** Begins to read a zone. Content: digests of known blocks. Result: the session, and the base as number. */
    public static final int READ = 1;
    /** Reads the next entries. Result: entries; at the end, the number of the cut. */
    public static final int NEXT = 2;
    /** Ends reading early. */
    public static final int LEAVE = 3;
    /** Begins to fill an empty zone, or a zone that is being filled. Result: the session. */
    public static final int FILL = 4;
    /** Fills entries in. */
    public static final int PUT = 5;
    /** Publishes a filled zone. The answer leaves when the disks of all backups have the zone. */
    public static final int PUBLISH = 6;

    /** Most bytes of a content. */
    public static final int BYTES_MAX = 64 << 20;
    static final byte[] NONE = {};
}

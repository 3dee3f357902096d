package io.teff.recovery.format;

/** What an entry says of its chunk; the numbers stand in files. */
public final class EntryKind {
    /** The chunk has this payload. */
    public static final int PUT = 1;
    /** The chunk has this payload and never changes again. */
    public static final int PUT_READ_ONLY = 2;
    /** The chunk is gone, its index is free; no payload. */
    public static final int REMOVED = 3;
    /** The CID is taken, there is no chunk yet; no payload. */
    public static final int RESERVED = 4;
    /** A link of the chain that is the payload of a {@link #PUT}: see {@link ChainLink}. */
    public static final int LINK = 5;
    /** The same of a {@link #PUT_READ_ONLY}. */
    public static final int LINK_READ_ONLY = 6;
    /** The last entry of a sealed segment, nothing about a chunk. */
    static final int END = 7;

    private EntryKind() {}

    /**
     * Tells whether an entry of a chunk can have this kind and this length.
     *
     * @param kind any number
     * @param length of the payload in bytes
     * @return whether it can
     */
    static boolean fits(int kind, int length) {
        return switch (kind) {
            case PUT, PUT_READ_ONLY -> length >= 0;
            case REMOVED, RESERVED -> length == 0;
            case LINK, LINK_READ_ONLY -> length > ChainLink.HEAD_BYTES;
            default -> false;
        };
    }
}

package io.teff.recovery.format;

/** Kinds of entries; the numbers are stored in files. */
public final class EntryKind {
    /** The chunk has this payload. */
    public static final int PUT = 1;
    /** The chunk has this payload and never changes again. */
    public static final int PUT_READ_ONLY = 2;
    /** The chunk was removed and its index is free; no payload. */
    public static final int REMOVED = 3;
    /** The CID is reserved without a chunk; no payload. */
    public static final int RESERVED = 4;
    /** A link of the chain that is the payload of a {@link #PUT}: see {@link ChainLink}. */
    public static final int LINK = 5;
    /** A link of the chain that is the payload of a {@link #PUT_READ_ONLY}. */
    public static final int LINK_READ_ONLY = 6;
    /** The last entry of a sealed segment; concerns no chunk. */
    static final int END = 7;

    private EntryKind() {}

    /**
     * Returns whether an entry of a chunk can have a kind and a length.
     *
     * @param kind any number
     * @param length of the payload in bytes
     * @return whether the combination is valid
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

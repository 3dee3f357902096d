package io.teff.recovery.format;

import io.teff.engine.journal.ChangedBytes;
import java.lang.foreign.MemorySegment;

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
    /** Bytes of the chunk have changed since the entry that the payload names: see {@link ChangedBytes}. */
    public static final int BYTES = 8;
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
            case BYTES -> length >= ChangedBytes.HEAD_BYTES;
            default -> false;
        };
    }

    /**
     * Returns whether an entry is a link of a chain.
     *
     * @param kind of the entry
     * @return whether it is {@link #LINK} or {@link #LINK_READ_ONLY}
     */
    public static boolean isLink(int kind) {
        return kind == LINK || kind == LINK_READ_ONLY;
    }

    /** Returns whether the payload of an entry of a kind and length that fit is possible. */
    static boolean isPossible(int kind, MemorySegment bytes, long at, int length) {
        return isLink(kind) ? ChainLink.isPossible(bytes, at, length)
            : kind != BYTES || ChangedBytes.isPossible(bytes, at, length);
    }
}

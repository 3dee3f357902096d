package io.teff.cluster.archive;

import io.teff.engine.journal.Journal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The digest of a block: of {@link #INDEXES} consecutive indexes with their chunks and reservations. Two blocks with
 * one digest have the same CIDs and contents. Numbers of changes and removals do not count. For one thread.
 */
final class BlockDigest {
    /** Indexes of a block. */
    static final int INDEXES = 64;
    /** Bytes of a digest. */
    static final int BYTES = 16;

    private final MessageDigest sha;
    private final byte[] head = new byte[Long.BYTES + Integer.BYTES + 1];

    BlockDigest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);                 // each JDK has it
        }
    }

    static long block(long cid) {
        return EntryBytes.index(cid) / INDEXES;
    }

    static boolean counts(int kind) {
        return kind == Journal.PUT || kind == Journal.PUT_READ_ONLY || kind == Journal.RESERVED;
    }

    /** Adds the current entry of a block. */
    void add(EntryBytes of) {
        final long cid = of.cid();
        final int length = of.length();
        for (int i = 0; i < Long.BYTES; i++) {
            head[i] = (byte) (cid >>> Byte.SIZE * i);
        }
        for (int i = 0; i < Integer.BYTES; i++) {
            head[Long.BYTES + i] = (byte) (length >>> Byte.SIZE * i);
        }
        head[head.length - 1] = (byte) of.kind();
        sha.update(head);
        sha.update(of.array(), of.contentAt(), length);
    }

    /** Ends a block, and returns its digest. */
    byte[] end() {
        return Arrays.copyOf(sha.digest(), BYTES);
    }
}

package io.teff.rdma.transport.verbs;

import io.teff.rdma.verbs.device.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory of one message that is sent.
 *
 * <p>The number of its work request has the index of the piece, and above it a count of its uses: a completion of an
 * earlier use, whose link is gone, is recognized.
 */
final class Piece {
    static final int SIZE = 8 << 10;
    static final int INDEX_BITS = 24;

    final MemoryRegion region;
    final long offset;
    private final int index;
    private long use;
    private @Nullable VerbsLink user;

    Piece(MemoryRegion region, long offset, int index) {
        this.region = region;
        this.offset = offset;
        this.index = index;
    }

    void begin(VerbsLink link) {
        use++;
        user = link;
    }

    void end() {
        user = null;
    }

    @Nullable VerbsLink user() {
        return user;
    }

    /** Returns the number of the work request of this use; never negative. */
    long workId() {
        return (use << INDEX_BITS | index) & Long.MAX_VALUE;
    }

    static int index(long workId) {
        return (int) (workId & (1 << INDEX_BITS) - 1);
    }
}

package io.teff.rdma.transport.verbs;

import io.teff.rdma.verbs.device.MemoryRegion;
import org.jspecify.annotations.Nullable;

/**
 * Registered memory of a message on the way to the peer.
 *
 * <p>The number of the work request contains the index of the buffer, and a count of uses above the index. So the
 * completion of an earlier use, by an ended link, is recognized.
 */
final class RegisteredBuffer {
    static final int SIZE = 8 << 10;
    static final int INDEX_BITS = 24;

    final MemoryRegion region;
    final long offset;
    private final int index;
    private long use;
    private @Nullable PairUser user;

    RegisteredBuffer(MemoryRegion region, long offset, int index) {
        this.region = region;
        this.offset = offset;
        this.index = index;
    }

    void begin(PairUser sender) {
        use++;
        user = sender;
    }

    void end() {
        user = null;
    }

    @Nullable PairUser user() {
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

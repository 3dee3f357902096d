package io.teff.cluster.ship;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of all zones on their way to a node. The limit keeps runs from filling the send buffer to a node. Answers
 * to clients need this buffer, too. Thread-safe; the limit may be exceeded by one run of each zone.
 */
final class BackupWindow {
    /** Limit of the bytes on their way: then no further run is sent; three quarters of the largest send buffer. */
    static final int BYTES = 768 << 10;

    private final AtomicLong bytes = new AtomicLong();

    boolean isOpen() {
        return bytes.get() < BYTES;
    }

    void add(long more) {
        bytes.addAndGet(more);
    }
}

package io.teff.cluster.ship;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of all zones is on its way to one node. The limit keeps runs from filling the send buffer to a node, which
 * answers to clients need, too. Thread-safe; the limit may be exceeded by one run of each zone.
 */
final class BackupWindow {
    /** Bytes on their way at which no further run is sent; three quarters of the largest send buffer. */
    static final int BYTES = 768 << 10;

    private final AtomicLong bytes = new AtomicLong();

    boolean isOpen() {
        return bytes.get() < BYTES;
    }

    void add(long more) {
        bytes.addAndGet(more);
    }
}

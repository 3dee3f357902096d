package io.teff.cluster.ship;

import io.teff.cluster.zone.ZoneNumber;
import java.lang.foreign.MemorySegment;

/**
 * Records of a zone that were cut from the ring, as one message, kept until all backups have them. Records are added
 * until the run is sent for the first time. Guarded by its {@link ZoneShipment}.
 */
final class ShippedRun {
    final MemorySegment memory;
    final long first;
    final long cutNs;
    long last;
    int bytes = RunMessage.HEAD_BYTES;
    boolean isSent;
    private int sum;

    ShippedRun(MemorySegment memory, long first, long cutNs) {
        this.memory = memory;
        this.first = first;
        this.cutNs = cutNs;
    }

    /**
     * Returns whether a record can be added: it has room, and the epoch of the others. A run that is longer than usual,
     * because its first record is, takes no other: its memory may be larger than a message.
     */
    boolean takes(long number, long recordBytes) {
        return !isSent && bytes + recordBytes <= Math.min(memory.byteSize(), RunMemory.RUN_BYTES)
            && ZoneNumber.epoch(number) == ZoneNumber.epoch(first);
    }

    void add(long number, MemorySegment source, long offset, long recordBytes) {
        assert last == 0 || ZoneNumber.counter(number) == ZoneNumber.counter(last) + 1 : "records are consecutive";
        ShipLayout.copy(source, offset, memory, bytes, recordBytes);
        bytes += (int) recordBytes;
        last = number;
    }

    /** Returns the checksum of the records; for sending it. */
    int sum() {
        if (!isSent) {                                          // else no record is added any more
            sum = RunMessage.recordsSum(memory, RunMessage.HEAD_BYTES, bytes - RunMessage.HEAD_BYTES);
        }
        return sum;
    }

    int count() {
        return (int) (ZoneNumber.counter(last) - ZoneNumber.counter(first)) + 1;
    }
}

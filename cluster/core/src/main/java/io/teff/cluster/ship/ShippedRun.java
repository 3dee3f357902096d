package io.teff.cluster.ship;

import io.teff.cluster.zone.ZoneNumber;
import java.lang.foreign.MemorySegment;

/**
 * Records of a zone, cut from the ring as one message, and kept until all backups have these records. Records are added
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
     * Returns whether a record can be added: the run has room, and the same epoch. A run with a long first record takes
     * no other record: the memory of such a run may be larger than a message.
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

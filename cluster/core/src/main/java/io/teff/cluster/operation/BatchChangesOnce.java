package io.teff.cluster.operation;

import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Executes entries of a section of a batch of changes, after each other: the entries whose results the slot does not
 * know. Each record names the entry of the batch. Used once.
 */
final class BatchChangesOnce {
    private final OperationRequest request;
    private final ChunkStore store;
    private final SlotTable slots;
    private final Slot slot;
    private final long[] results;
    private final SlotWriter writer;

    static {
        assert Slot.NOT_DONE == OperationFormat.NOT_DONE : "an entry without a result has one value everywhere";
    }

    /**
     * Prepares a section.
     *
     * @param results receives the results of the whole batch
     */
    BatchChangesOnce(OperationRequest request, RecordedZone zone, SlotTable slots, Slot slot, long[] results) {
        this.request = request;
        store = zone.store();
        writer = zone.writer();
        this.slots = slots;
        this.slot = slot;
        this.results = results;
    }

    /** Executes entries; an executed entry has its result in any case. */
    void run(long[] cids, int from, int entries, long sourceAt) {
        final long[] known = slot.results(entries);
        try {
            if (request.type != OperationType.BATCH_CREATE) {
                change(known, cids, from, entries, sourceAt);
            } else if (request.has(OperationFormat.CONSECUTIVE)) {
                createRange(known, entries, sourceAt);
            } else {
                create(known, entries, sourceAt);
            }
        } finally {
            System.arraycopy(known, 0, results, from, entries);
        }
    }

    private void change(long[] known, long[] cids, int from, int entries, long sourceAt) {
        final boolean isRemoval = request.type == OperationType.BATCH_REMOVE;
        long at = sourceAt;
        for (int i = 0; i < entries; i++) {
            final int length = isRemoval ? 0 : request.entryLength(from + i);
            if (known[i] == Slot.NOT_DONE) {
                writer.entry(slots, slot, i, isRemoval ? SlotWriter.Result.LENGTH : SlotWriter.Result.OK);
                known[i] = switch (request.type) {
                    case BATCH_PUT -> store.put(cids[from + i], request.memory, at, length);
                    case BATCH_RESIZE -> store.resize(cids[from + i], length);
                    case BATCH_REMOVE -> store.remove(cids[from + i]);
                    default -> throw new AssertionError(request.type);
                };
            }
            at += length;
        }
    }

    private void create(long[] known, int entries, long sourceAt) {
        final boolean isUniform = request.has(OperationFormat.UNIFORM);
        final boolean isZeros = request.has(OperationFormat.ZEROS);
        long at = sourceAt;
        boolean isFull = false;
        for (int i = 0; i < entries; i++) {
            final int length = request.entryLength(isUniform ? 0 : i);
            if (known[i] == Slot.NOT_DONE && isFull) {
                known[i] = Status.FULL;                         // the rest would be full, too
            } else if (known[i] == Slot.NOT_DONE) {
                writer.entry(slots, slot, i, SlotWriter.Result.CID);
                known[i] = isZeros ? store.create(length) : store.create(request.memory, at, length);
                isFull = known[i] == Status.FULL;
            }
            at += isZeros ? 0 : length;
        }
    }

    /** Creates chunks at consecutive CIDs. If some of these chunks exist already, the rest cannot be created there. */
    private void createRange(long[] known, int entries, long sourceAt) {
        for (int i = 0; i < entries; i++) {
            if (known[i] != Slot.NOT_DONE) {
                return;
            }
        }
        final long[] cids = new long[entries];
        writer.creates(slots, slot, entries);
        if (request.has(OperationFormat.UNIFORM)) {
            store.batch().create(request.entryLength(0), cids, 0, entries, true);
        } else {
            final @Nullable MemorySegment source = request.has(OperationFormat.ZEROS) ? null
                : request.memory.asSlice(sourceAt);
            store.batch().create(source, request.entryLengths(0, entries), cids, 0, true);
        }
        System.arraycopy(cids, 0, known, 0, entries);
    }
}

package io.teff.cluster.slot;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Belongs to a change that is being made: puts the result of the change into the record of the change, and knows the
 * number of the record afterwards. The executor of an operation says which slot gets the result; the journal that
 * records the change asks when a record is claimed, and again when the record is committed. For one thread at a time.
 *
 * <p>The journal does not know the result: the result follows from the operation and the first entry of the record. For
 * example, the value before an addition is the value in the record without the summand.
 */
public final class SlotWriter {
    /** How the result follows from a record. */
    public enum Result {
        /** Always {@link io.teff.engine.error.Status#OK}. */
        OK,
        /** Always 1. */
        SUCCESS,
        /** CID of the first entry. */
        CID,
        /** Length of the chunk that is removed. */
        LENGTH,
        /** The value of the field without the summand. */
        SUM,
        /** Token of the lock that the record has. */
        TOKEN
    }

    private enum Form { ONE, RANGE, ENTRY, NEXT_ENTRY, COLLECTION, COLLECTION_ENTRY }

    private @Nullable SlotTable table;
    private @Nullable Slot slot;
    private Form form = Form.ONE;
    private Result result = Result.OK;
    private int width;
    private long offset;
    private long summand;
    private long removedLength;
    private long collectionResult;
    private byte @Nullable [] value;
    private int entry;
    private long number;
    private int records;

    /** Makes a writer without a slot: its records have no results. */
    public SlotWriter() {
        // begins without a slot
    }

    // ---- for the executor ----

    /** Begins another change: the writer has no slot, and no number. */
    void begin() {
        slot = null;
        table = null;
        number = 0;
        records = 0;
    }

    /** {@return the number of the last record of the change; 0 if the change has no record} */
    public long number() {
        return number;
    }

    /** {@return how many records the change has} */
    public int records() {
        return records;
    }

    private void attach(SlotTable of, Slot entered, Form as, Result by) {
        table = of;
        form = as;
        result = by;
        removedLength = 0;
        slot = entered;
    }

    /**
     * Attaches a slot for a single change.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     * @param by how the result follows from the record
     */
    public void one(SlotTable of, Slot entered, Result by) {
        of.ensurePlace(entered, 0);
        attach(of, entered, Form.ONE, by);
    }

    /**
     * Attaches a slot for an addition.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     * @param bytes of the field, 4 or 8
     * @param at first byte of the field
     * @param delta what is added
     */
    public void sum(SlotTable of, Slot entered, int bytes, long at, long delta) {
        of.ensurePlace(entered, 0);
        width = bytes;
        offset = at;
        summand = delta;
        attach(of, entered, Form.ONE, Result.SUM);
    }

    /**
     * Makes sure that a slot can get the result of a change of a collection, before the change is made.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     */
    public static void prepare(SlotTable of, Slot entered) {
        of.ensurePlace(entered, 0);
    }

    /**
     * Attaches a slot for a change of a collection that was made in memory: the next record is its record, and later
     * records, for example of the growth of the collection, have no slot.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in, and that is {@linkplain #prepare prepared}
     * @param wanted the result; the length of the value if there is a value
     * @param valueOf the value that is the result, of at most {@link SlotLayout#VALUE_BYTES_MAX} bytes; or null
     */
    public void collection(SlotTable of, Slot entered, long wanted, byte @Nullable [] valueOf) {
        collectionResult = wanted;
        value = valueOf;
        attach(of, entered, Form.COLLECTION, Result.OK);
    }

    /**
     * Attaches a slot for the reservation of a range of CIDs, each by a record.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     */
    public void range(SlotTable of, Slot entered) {
        of.ensurePlace(entered, 0);
        attach(of, entered, Form.RANGE, Result.CID);
    }

    /**
     * Attaches a slot for an entry of a batch.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     * @param index of the entry in its section
     * @param by how the result follows from the record
     */
    public void entry(SlotTable of, Slot entered, int index, Result by) {
        of.ensurePlace(entered, index / SlotLayout.PART_ENTRIES);
        entry = index;
        attach(of, entered, Form.ENTRY, by);
    }

    /**
     * Makes sure that a slot can get the result of an entry of a batch of changes of a collection.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     * @param index of the entry in its section
     */
    public static void prepareEntry(SlotTable of, Slot entered, int index) {
        of.ensurePlace(entered, index / SlotLayout.PART_ENTRIES);
    }

    /**
     * Attaches a slot for an entry of a batch of changes of a collection, which was made in memory: the next record is
     * its record, as for {@link #collection}. The result is OK.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in, and that is {@linkplain #prepareEntry prepared}
     * @param index of the entry in its section
     */
    public void collectionEntry(SlotTable of, Slot entered, int index) {
        entry = index;
        attach(of, entered, Form.COLLECTION_ENTRY, Result.OK);
    }

    /**
     * Attaches a slot for the creates of a batch, of which each record is the next one.
     *
     * @param of the table of the zone
     * @param entered a slot that this thread is in
     * @param count number of creates
     */
    public void creates(SlotTable of, Slot entered, int count) {
        for (int part = 0; part <= (count - 1) / SlotLayout.PART_ENTRIES; part++) {
            of.ensurePlace(entered, part);
        }
        entry = 0;
        attach(of, entered, Form.NEXT_ENTRY, Result.CID);
    }

    // ---- for the journal ----

    /**
     * {@return the bytes that the slot needs beside the content of a record; 0 without a slot of the zone}
     *
     * @param zone the zone of the record
     */
    public int bytesMax(int zone) {
        final SlotTable of = table;
        if (of == null || of.zone() != zone) {
            return 0;
        }
        return switch (form) {
            case ENTRY, NEXT_ENTRY, COLLECTION_ENTRY -> SlotLayout.PART_BYTES_MAX;
            case COLLECTION -> SlotLayout.valueBytes(value == null ? 0 : value.length);
            default -> SlotLayout.HEAD_BYTES + 2 * Long.BYTES;
        };
    }

    /**
     * Notes the length of a chunk that is about to be removed.
     *
     * @param length its length in bytes
     */
    public void removing(long length) {
        removedLength = length;
    }

    /**
     * Notes the result, and writes it.
     *
     * @param memory of the journal
     * @param cid of the record's first entry
     * @param content offset of the content of the first entry
     * @param to where the content of the slot is written, in the same memory
     * @return bytes that were written
     */
    public int write(MemorySegment memory, long cid, long content, long to) {
        final Slot of = Objects.requireNonNull(slot);
        switch (form) {
            case ONE -> {
                of.recorded(result(memory, cid, content));
                return of.write(memory, to);
            }
            case RANGE -> {
                of.recordedNext(cid);
                return of.write(memory, to);
            }
            case COLLECTION -> {
                of.recorded(collectionResult, value);
                return of.write(memory, to);
            }
            default -> {
                of.recorded(entry, result(memory, cid, content));
                entry += form == Form.NEXT_ENTRY ? 1 : 0;
                return of.writePart(memory, to);
            }
        }
    }

    private long result(MemorySegment memory, long cid, long content) {
        return switch (result) {
            case OK -> 0;
            case SUCCESS -> 1;
            case CID -> cid;
            case LENGTH -> removedLength;
            case TOKEN -> SlotLayout.ticket(memory, content);
            case SUM -> width == Integer.BYTES ? SlotLayout.getInt(memory, content + offset) - (int) summand
                : SlotLayout.getLong(memory, content + offset) - summand;
        };
    }

    /**
     * Notes that a record of the change is being committed.
     *
     * @param of number of the record
     */
    public void committed(long of) {
        number = of;
        records++;
        if (form == Form.COLLECTION || form == Form.COLLECTION_ENTRY) {
            slot = null;
            table = null;
        }
    }

    /** {@return the CID of the slot in the log} */
    public long cid() {
        final Slot of = Objects.requireNonNull(slot);
        final boolean isOfBatch = form == Form.ENTRY || form == Form.NEXT_ENTRY || form == Form.COLLECTION_ENTRY;
        final int part = isOfBatch ? entry / SlotLayout.PART_ENTRIES : 0;
        return Objects.requireNonNull(table).cid(of, part);
    }
}

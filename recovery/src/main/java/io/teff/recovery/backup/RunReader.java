package io.teff.recovery.backup;

import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RunLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Checks a run and goes through its records and their entries. For one thread; may be used for many runs in turn.
 *
 * <pre>{@code
 * if (reader.check(run, offset, length, zone) == null) {
 *     while (reader.nextRecord()) {
 *         while (reader.nextEntry()) { ... reader.cid() ... }
 *     }
 * }
 * }</pre>
 * {@link #check} reads nothing outside of the given bytes and throws nothing, for any content. A run is accepted only
 * if the records fill the run, the numbers of records rise, the counters are consecutive, and each entry is possible.
 * An entry is possible if the CID belongs to the zone, kind and length go together, and all padding is zero. Only a
 * removal may have a number of its own, lower than the record's number. The content of a chunk can be anything.
 */
public final class RunReader {
    private static final String NOTHING = "the run has no record";

    private @Nullable MemorySegment bytes;
    private long first;
    private long last;
    private int recordCount;
    private long begin;
    private long end;
    /** Offset of the current record, and of the next one. */
    private long record;
    private long nextRecord;
    private long number;
    private int entryCount;
    /** Offset of the current entry, and of the next one. */
    private long entry;
    private long nextEntry;
    private int length;

    /** Makes a reader without a run. */
    public RunReader() {
        // the fields are set by a check
    }

    // ---- checking ----

    /**
     * Checks a run and, if the run is right, begins in front of the first record. The bytes must not change meanwhile.
     *
     * @param run holds the run
     * @param offset of its first byte there
     * @param runBytes its length in bytes
     * @param zone of all its entries
     * @return the reason why it is refused, or null
     */
    public @Nullable String check(MemorySegment run, long offset, long runBytes, int zone) {
        bytes = null;
        recordCount = 0;
        if (offset < 0 || runBytes < 0 || offset > run.byteSize() - runBytes) {
            return "the run of " + runBytes + " bytes from " + offset + " on is not inside of its memory";
        }
        if (runBytes == 0) {
            return NOTHING;
        }
        if (runBytes > RunLayout.RUN_BYTES_MAX || runBytes % RunLayout.ALIGNMENT != 0) {
            return "a run has no " + runBytes + " bytes";
        }
        final long limit = offset + runBytes;
        long before = 0;
        int count = 0;
        for (long at = offset; at < limit; count++) {
            if (limit - at < RunLayout.RECORD_BYTES) {
                return "the run ends in the head of record " + count;
            }
            final String problem = recordProblem(run, at, limit, zone, before, count);
            if (problem != null) {
                return problem + ", in record " + count;
            }
            before = RunLayout.number(run, at);
            at += RunLayout.RECORD_BYTES + RunLayout.restBytes(run, at);
        }
        bytes = run;
        begin = offset;
        end = limit;
        first = RunLayout.number(run, offset);
        last = before;
        recordCount = count;
        rewind();
        return null;
    }

    private static @Nullable String recordProblem(MemorySegment run, long at, long limit, int zone, long before,
                                                  int count) {
        final long own = RunLayout.number(run, at);
        if (RunLayout.counter(own) == 0) {
            return "no record has a counter of 0";
        }
        if (count > 0 && (RunLayout.counter(own) != RunLayout.counter(before) + 1
            || Long.compareUnsigned(own, before) < 0)) {
            return "number " + Long.toUnsignedString(own) + " does not follow " + Long.toUnsignedString(before);
        }
        final int rest = RunLayout.restBytes(run, at);
        final long entries = at + RunLayout.RECORD_BYTES;
        if (rest < 0 || rest % RunLayout.ALIGNMENT != 0 || rest > limit - entries) {
            return "entries of " + rest + " bytes do not fit";
        }
        return entriesProblem(run, entries, entries + rest, zone, own, RunLayout.entries(run, at));
    }

    private static @Nullable String entriesProblem(MemorySegment run, long from, long limit, int zone, long own,
                                                   int expected) {
        int count = 0;
        for (long at = from; at < limit; count++) {
            if (limit - at < RunLayout.ENTRY_BYTES) {
                return "the record ends in the head of entry " + count;
            }
            final int kind = RunLayout.kind(run, at);
            final int bytes = RunLayout.length(run, at);
            if (!RunLayout.fits(kind, bytes) || RunLayout.entryBytes(bytes) > limit - at) {
                return "entry " + count + " of kind " + kind + " has no " + bytes + " bytes";
            }
            final long number = RunLayout.entryNumber(run, at);
            if (number != 0 && (kind != EntryKind.REMOVED || Long.compareUnsigned(number, own) >= 0)) {
                return "entry " + count + " of kind " + kind + " has no number " + Long.toUnsignedString(number);
            }
            if (!RunLayout.isOf(RunLayout.cid(run, at), zone) || !RunLayout.hasZeros(run, at, bytes)) {
                return "entry " + count + " is not one of zone " + zone;
            }
            at += RunLayout.entryBytes(bytes);
        }
        return count == expected ? null : "there are " + count + " entries, not " + expected;
    }

    // ---- the run ----

    /** {@return number of the first record} */
    public long first() {
        return first;
    }

    /** {@return number of the last record} */
    public long last() {
        return last;
    }

    /** {@return number of records; 0 if the last run was refused} */
    public int recordCount() {
        return recordCount;
    }

    /** Returns to the front of the first record. */
    public void rewind() {
        nextRecord = begin;
        entry = 0;
        nextEntry = 0;
    }

    private MemorySegment run() {
        if (bytes == null) {
            throw new IllegalStateException(NOTHING);
        }
        return bytes;
    }

    // ---- records ----

    /**
     * Goes to the next record, in front of its first entry.
     *
     * @return false if there is none
     */
    public boolean nextRecord() {
        final MemorySegment run = run();
        if (nextRecord == end) {
            return false;
        }
        record = nextRecord;
        number = RunLayout.number(run, record);
        entryCount = RunLayout.entries(run, record);
        nextEntry = record + RunLayout.RECORD_BYTES;
        nextRecord = nextEntry + RunLayout.restBytes(run, record);
        return true;
    }

    /** {@return number of the record} */
    public long number() {
        return number;
    }

    /** {@return number of its entries, 0 if its change was given up} */
    public int entryCount() {
        return entryCount;
    }

    /** {@return offset of the record in the memory} */
    public long recordOffset() {
        return record;
    }

    /** {@return bytes of the record} */
    public long recordBytes() {
        return nextRecord - record;
    }

    // ---- entries ----

    /**
     * Goes to the next entry of the record.
     *
     * @return false if there is none
     */
    public boolean nextEntry() {
        if (nextEntry == nextRecord) {
            return false;
        }
        entry = nextEntry;
        length = RunLayout.length(run(), entry);
        nextEntry += RunLayout.entryBytes(length);
        return true;
    }

    /** {@return CID of the chunk} */
    public long cid() {
        return RunLayout.cid(run(), entry);
    }

    /** {@return PUT, PUT_READ_ONLY, REMOVED or RESERVED of {@link io.teff.engine.journal.Journal}} */
    public int kind() {
        return RunLayout.kind(run(), entry);
    }

    /** {@return number of the entry: the record's number, or the lower number of a removal} */
    public long entryNumber() {
        final long own = RunLayout.entryNumber(run(), entry);
        return own == 0 ? number : own;
    }

    /** {@return length of the content in bytes} */
    public int length() {
        return length;
    }

    /** {@return offset of the content in the memory} */
    public long contentOffset() {
        return entry + RunLayout.ENTRY_BYTES;
    }
}

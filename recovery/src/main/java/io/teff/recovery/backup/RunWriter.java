package io.teff.recovery.backup;

import io.teff.recovery.format.RunLayout;
import java.lang.foreign.MemorySegment;

/**
 * Writes records of a run where the caller has room for them. Stateless: all state of an open record is in the record's
 * bytes and in the caller's offsets.
 *
 * <pre>{@code
 * long at = RunWriter.begin(record);
 * long content = RunWriter.entry(memory, at, cid, Journal.PUT, length, 0);
 * // the caller copies the content to memory, at this offset
 * at = RunWriter.next(content, length);
 * RunWriter.end(memory, record, number, 1, at);
 * }</pre>
 */
public final class RunWriter {
    /** Limit of the bytes of a run, and so of a record. */
    public static final int RUN_BYTES_MAX = RunLayout.RUN_BYTES_MAX;
    /** Longest content of an entry in bytes. */
    public static final int CONTENT_BYTES_MAX = RunLayout.CONTENT_BYTES_MAX;

    private static final int PADDING_MAX = RunLayout.ALIGNMENT - 1;

    private RunWriter() {}

    /**
     * Returns the bytes that a record can have at most.
     *
     * @param entries number of entries
     * @param contentBytes sum of the lengths of their contents
     * @return bytes, a multiple of 8
     */
    public static long recordBytesMax(int entries, long contentBytes) {
        return RunLayout.RECORD_BYTES
            + (contentBytes + (long) entries * (RunLayout.ENTRY_BYTES + PADDING_MAX) & -(long) RunLayout.ALIGNMENT);
    }

    /**
     * Returns the bytes of an entry.
     *
     * @param length of its content in bytes
     * @return bytes, a multiple of 8
     */
    public static long entryBytes(int length) {
        return RunLayout.entryBytes(length);
    }

    /**
     * Begins a record.
     *
     * @param record offset of the record
     * @return offset of its first entry
     */
    public static long begin(long record) {
        return record + RunLayout.RECORD_BYTES;
    }

    /**
     * Writes the head of an entry, and the zeros behind its content.
     *
     * @param memory receives the entry
     * @param at offset of the entry: result of {@link #begin} or {@link #next}
     * @param cid of the chunk
     * @param kind PUT, PUT_READ_ONLY, REMOVED or RESERVED of {@link io.teff.engine.journal.Journal}
     * @param length of the content in bytes, 0 to {@link #CONTENT_BYTES_MAX}
     * @param number of a removal that was made before the record was numbered; 0 for the number of the record
     * @return offset at which the caller writes the content
     */
    public static long entry(MemorySegment memory, long at, long cid, int kind, int length, long number) {
        RunLayout.entry(memory, at, cid, kind, length, number);
        return at + RunLayout.ENTRY_BYTES;
    }

    /**
     * Reads the CID of an entry that is written.
     *
     * @param memory has the entry
     * @param at offset of the entry
     * @return the CID
     */
    public static long cid(MemorySegment memory, long at) {
        return RunLayout.cid(memory, at);
    }

    /**
     * Returns the offset behind an entry.
     *
     * @param content offset of its content: result of {@link #entry}
     * @param length of the content in bytes
     * @return offset of the next entry, or of the end of the record
     */
    public static long next(long content, int length) {
        return content - RunLayout.ENTRY_BYTES + RunLayout.entryBytes(length);
    }

    /**
     * Ends a record. The record may have no entry: its number was taken, but its change was given up.
     *
     * @param memory has the entries
     * @param record offset of the record
     * @param number of the record: the counter is 1 more than the counter of the record before
     * @param entries number of entries
     * @param end offset behind the last entry
     * @return {@code end}, which is the offset of the next record
     */
    public static long end(MemorySegment memory, long record, long number, int entries, long end) {
        RunLayout.record(memory, record, number, entries, (int) (end - begin(record)));
        return end;
    }
}

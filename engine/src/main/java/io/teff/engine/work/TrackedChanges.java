package io.teff.engine.work;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a job has read and changes: the changes are made at the end of the run, if each changed chunk still has
 * the content that the run has read. For one thread.
 */
public final class TrackedChanges {
    /** Most changed chunks of a job. */
    public static final int CHUNKS_MAX = 1_024;
    /** Most bytes of the new contents and of the contents that were read of changed chunks. */
    public static final int CHANGES_BYTES_MAX = 1_000_000;
    /** Most bytes of the contents that are kept for comparison. Chunks read later are not compared. */
    private static final long READ_BYTES_MAX = 16 << 20;

    private final Map<Long, byte[]> read = new LinkedHashMap<>();
    private final Map<Long, Change> changes = new LinkedHashMap<>();
    private long readBytes;

    /** Begins without changes. */
    public TrackedChanges() {}

    /**
     * A changed chunk.
     *
     * @param cid the chunk
     * @param expected content that the chunk must have; null for any content
     * @param content the new content; null if the chunk is removed
     */
    public record Change(long cid, byte @Nullable [] expected, byte @Nullable [] content) {}

    /**
     * Reads a chunk: a change of this run, the content that this run has read before, or the content of the store.
     *
     * @param cid the chunk
     * @param store reads the chunk in the store; null for no chunk
     * @return a copy of the content; null if there is no such chunk
     */
    public byte @Nullable [] get(long cid, LongFunction<byte @Nullable []> store) {
        final Change change = changes.get(cid);
        if (change != null) {
            return change.content == null ? null : change.content.clone();
        }
        final byte[] before = read.get(cid);
        if (before != null) {
            return before.clone();
        }
        final byte[] now = store.apply(cid);
        if (now != null && readBytes + now.length <= READ_BYTES_MAX) {
            readBytes += now.length;
            read.put(cid, now.clone());
        }
        return now;
    }

    /**
     * Notes a change.
     *
     * @param cid the chunk
     * @param content the new content; null to remove the chunk
     */
    public void change(long cid, byte @Nullable [] content) {
        changes.put(cid, new Change(cid, read.get(cid), content == null ? null : content.clone()));
    }

    /**
     * {@return the changes, in the order of their first notes}
     *
     * @throws JobException if there are too many changes, or too many bytes
     */
    public Iterable<Change> changes() {
        long bytes = 0;
        for (Change change : changes.values()) {
            bytes += (change.expected == null ? 0 : change.expected.length)
                + (change.content == null ? 0 : change.content.length);
        }
        if (changes.size() > CHUNKS_MAX || bytes > CHANGES_BYTES_MAX) {
            throw new JobException(Reason.FAILED, "a job changes " + changes.size() + " chunks with " + bytes
                + " bytes; the limits are " + CHUNKS_MAX + " chunks and " + CHANGES_BYTES_MAX + " bytes");
        }
        return changes.values();
    }

    /** {@return the number of changes} */
    public int count() {
        return changes.size();
    }

    /** Forgets what was read and noted: the changes were made, or the run reads anew. */
    public void clear() {
        read.clear();
        changes.clear();
        readBytes = 0;
    }
}

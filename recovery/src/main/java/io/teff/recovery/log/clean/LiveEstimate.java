package io.teff.recovery.log.clean;

import io.teff.recovery.format.EntryKind;

/**
 * Estimates the live bytes of a zone with a few numbers, however many chunks it has. Not thread-safe.
 *
 * <p>An entry of an index above all earlier indexes is the entry of a new chunk, and live. Any other entry replaces an
 * older entry, of the same length on average; a removal replaces an entry of average length. Each count corrects the
 * estimate. So a zone filled in order is estimated as live, and a zone of often rewritten chunks as mostly outdated.
 */
public final class LiveEstimate {
    private static final int PERCENT = 100;
    /** A segment counts as at least this part of a full segment, so that small segments are merged. */
    private static final int SMALLEST = 2;
    private static final long NEVER = -1;

    private final long segmentBytes;
    private long liveBytes;
    private long totalBytes;
    private long entryBytes;
    private long entryCount;
    private long highestIndex = -1;
    private long nextBytes;
    private long sealedBytes;
    private long exactCount = NEVER;
    private boolean isKnown;

    /**
     * Begins with an empty zone, or an unknown one.
     *
     * @param segmentBytes limit of the bytes of a segment
     * @param isEmpty whether it is empty
     */
    public LiveEstimate(int segmentBytes, boolean isEmpty) {
        this.segmentBytes = segmentBytes;
        this.nextBytes = 2L * segmentBytes;
        this.isKnown = isEmpty;
    }

    /**
     * Returns the counted bytes of a segment.
     *
     * @param bytes of its file
     * @param segmentBytes limit of the bytes of a segment
     * @return bytes
     */
    public static long countedBytes(long bytes, long segmentBytes) {
        return Math.max(bytes, segmentBytes / SMALLEST);
    }

    /**
     * Records the result of a reading of a zone of a former process. Changes nothing that is known already.
     *
     * @param live the live entries of its segments
     * @param total counted bytes of its segments
     * @param before the state when the reading began
     * @return whether this was not known
     */
    public boolean found(ZoneVisitor.Live live, long total, Before before) {
        if (isKnown) {
            return false;
        }
        isKnown = true;
        highestIndex = live.highestIndex();
        liveBytes = live.bytes() + sealedBytes - before.sealedBytes;
        totalBytes = total + sealedBytes - before.sealedBytes;
        exactCount = before.entryCount;
        return true;
    }

    /** {@return whether the segments were read or counted} */
    public boolean isKnown() {
        return isKnown;
    }

    /** {@return whether the live bytes are exact: nothing was added since the segments were read} */
    public boolean isExact() {
        return isKnown && entryCount == exactCount;
    }

    /**
     * The state at the begin of a reading.
     *
     * @param sealedBytes see {@link LiveEstimate#sealedBytes}
     * @param entryCount entries added
     */
    public record Before(long sealedBytes, long entryCount) {}

    /** {@return the state now, for {@link #found}} */
    public Before before() {
        return new Before(sealedBytes, entryCount);
    }

    /**
     * Records that an entry was added.
     *
     * @param kind of the entry
     * @param index of its chunk
     * @param bytes of the entry
     */
    public void added(int kind, long index, int bytes) {
        entryBytes += bytes;
        entryCount++;
        if (index > highestIndex) {
            highestIndex = index;
            liveBytes += bytes;
        } else if (kind == EntryKind.REMOVED) {
            liveBytes = Math.max(0, liveBytes + bytes - entryBytes / entryCount);
        }
    }

    /**
     * Records that a segment was sealed.
     *
     * @param bytes of its file
     */
    public void sealed(long bytes) {
        final long counted = countedBytes(bytes, segmentBytes);
        sealedBytes += counted;
        totalBytes += counted;
    }

    /**
     * Records the result of a count, with or without cleaning.
     *
     * @param live bytes of the live entries at the time of the count
     * @param total counted bytes of the segments read
     * @param freed counted bytes of the segments deleted, less those of the segments created
     * @param sealedBefore value of {@link #sealedBytes} at the time of the count
     */
    public void counted(long live, long total, long freed, long sealedBefore) {
        final long since = sealedBytes - sealedBefore;
        isKnown = true;
        exactCount = NEVER;
        liveBytes = live + since;
        totalBytes = total + since - freed;
        nextBytes = totalBytes + Math.max(segmentBytes, totalBytes / 4);
    }

    /**
     * Returns whether it is time to clean.
     *
     * @param percent wanted share of live bytes
     * @return whether the share is smaller, and enough was added since the last try
     */
    public boolean isBelow(int percent) {
        return totalBytes >= nextBytes && liveBytes * PERCENT < totalBytes * percent;
    }

    /** {@return number of entries added so far} */
    public long entryCount() {
        return entryCount;
    }

    /** {@return bytes of live entries, approximately} */
    public long liveBytes() {
        return liveBytes;
    }

    /** {@return counted bytes of the segments that are not being written} */
    public long totalBytes() {
        return totalBytes;
    }

    /** {@return counted bytes of all segments ever sealed, deleted or not} */
    public long sealedBytes() {
        return sealedBytes;
    }
}

package io.teff.recovery.log.clean;

import io.teff.recovery.format.EntryKind;

/**
 * How much of a zone lives, about: some numbers, however many chunks it has. Not thread-safe.
 *
 * <p>An entry of an index above all that came before is of a new chunk, and lives. Any other one takes the place of an
 * older entry, of the same length on average; a removal, of one of average length. What that comes to is put right each
 * time somebody counts. So a zone that is filled in order is known to live, and one whose chunks are written again and
 * again is known not to.
 */
public final class ZoneFill {
    private static final int PERCENT = 100;
    /** A segment counts as this part of a full one at least, so that small ones are joined. */
    private static final int SMALLEST = 2;

    private final long segmentBytes;
    private long liveBytes;
    private long totalBytes;
    private long entryBytes;
    private long entryCount;
    private long highestIndex = -1;
    private long nextBytes;
    private long sealedBytes;
    private boolean isKnown;

    /**
     * An empty zone, or one of which nothing is known.
     *
     * @param segmentBytes most bytes of a segment
     * @param isEmpty whether it is empty
     */
    public ZoneFill(int segmentBytes, boolean isEmpty) {
        this.segmentBytes = segmentBytes;
        this.nextBytes = 2L * segmentBytes;
        this.isKnown = isEmpty;
    }

    /**
     * What a segment counts.
     *
     * @param bytes of its file
     * @param segmentBytes most bytes of one
     * @return bytes
     */
    public static long countedBytes(long bytes, long segmentBytes) {
        return Math.max(bytes, segmentBytes / SMALLEST);
    }

    /**
     * The zone was there before, and somebody has read it. What is known already is not changed.
     *
     * @param live bytes of entries that may live
     * @param total what its segments count
     * @param sealedBefore what {@link #sealedBytes} was when the reader began
     * @return whether that was not known
     */
    public boolean found(long live, long total, long sealedBefore) {
        if (isKnown) {
            return false;
        }
        isKnown = true;
        highestIndex = Long.MAX_VALUE;
        liveBytes = live + sealedBytes - sealedBefore;
        totalBytes = total + sealedBytes - sealedBefore;
        return true;
    }

    /**
     * An entry was added.
     *
     * @param kind of it
     * @param index of its chunk
     * @param bytes that it takes
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
     * A segment was sealed.
     *
     * @param bytes of its file
     */
    public void sealed(long bytes) {
        final long counted = countedBytes(bytes, segmentBytes);
        sealedBytes += counted;
        totalBytes += counted;
    }

    /**
     * Somebody has counted, and perhaps cleaned.
     *
     * @param live bytes of the entries that live, as of then
     * @param total what the segments counted together that were looked at
     * @param freed what segments counted that are gone, less those that have come
     * @param sealedBefore what {@link #sealedBytes} was then
     */
    public void counted(long live, long total, long freed, long sealedBefore) {
        final long since = sealedBytes - sealedBefore;
        isKnown = true;
        liveBytes = live + since;
        totalBytes = total + since - freed;
        nextBytes = totalBytes + Math.max(segmentBytes, totalBytes / 4);
    }

    /**
     * Whether it is time to clean.
     *
     * @param percent share of the bytes that shall live
     * @return whether fewer do, and enough was added since it was tried
     */
    public boolean isBelow(int percent) {
        return totalBytes >= nextBytes && liveBytes * PERCENT < totalBytes * percent;
    }

    /** {@return bytes of entries that live, about} */
    public long liveBytes() {
        return liveBytes;
    }

    /** {@return what the segments count that nobody writes to any more} */
    public long totalBytes() {
        return totalBytes;
    }

    /** {@return what those count that were ever sealed, gone or not} */
    public long sealedBytes() {
        return sealedBytes;
    }
}

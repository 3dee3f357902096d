package io.teff.engine.offer;

import io.teff.engine.chunk.Thresholds;
import io.teff.engine.lock.StripeWord;
import io.teff.engine.lock.Stripes;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;

/**
 * The layout of the bytes for a reader outside of the process. Pure functions.
 *
 * <p><b>The steps of a read</b>. Each step begins after the end of the step before:
 * <ol>
 * <li>the word of the chunk's stripe, which must be {@linkplain #isReadable(long) readable};
 * <li>the epoch, which must be that of the entry's place, and the entry;
 * <li>the word again: if it is the same, the entry is proven, and its address and length may be used;
 * <li>for a length in front of the payload, that length, and the word again;
 * <li>the payload;
 * <li>the word again: if it is the same, the payload is the chunk's.
 * </ol>
 * A reader that has proven an entry before may begin with the payload, and compares the word behind it with the word
 * that has proven the entry: versions never come back, so no writer was inside meanwhile.
 *
 * <p>This is the optimistic read of {@link Stripes}, with the epoch in place of the directory: an entry that was read
 * where there is no entry any more fails by the epoch if its page had gone before the epoch was read, and by the word
 * if later.
 */
public final class OfferLayout {
    /** Bytes of a stripe word, of the epoch and of an entry. */
    public static final int WORD_BYTES = Long.BYTES;
    /**
     * Longer chunks are not read one-sidedly, in bytes: their writers hold a lock, and the reader would wait in vain.
     */
    public static final int LENGTH_MAX = (int) Thresholds.OPTIMISTIC_BYTES_MAX;
    /** Bytes of a length in front of a payload, directly before its first byte. */
    public static final int FRONT_BYTES = StoredLength.FRONT_BYTES;
    /** log2 of a stripe's bytes: its word comes first. */
    private static final int STRIPE_SHIFT = 5;

    static {
        assert 1 << STRIPE_SHIFT == Stripes.BYTES : "a stripe has other words behind its word";
    }

    private OfferLayout() {}

    /**
     * Returns the size of the words of all stripes.
     *
     * @param count number of stripes
     * @return bytes
     */
    public static long stripesBytes(int count) {
        return (long) count << STRIPE_SHIFT;
    }

    /**
     * Returns the offset of the word of a chunk's stripe.
     *
     * @param cid any CID
     * @param count number of stripes, a power of two
     * @return bytes from the first word
     */
    public static long stripeOffset(long cid, int count) {
        return (cid & count - 1) << STRIPE_SHIFT;
    }

    /**
     * Returns whether a read may begin.
     *
     * @param word of a stripe
     * @return false if a writer is inside, or the store is closed
     */
    public static boolean isReadable(long word) {
        return StripeWord.readable(word);
    }

    /**
     * Returns whether the store is closed.
     *
     * @param word of a stripe
     * @return whether no read will be possible any more
     */
    public static boolean isClosed(long word) {
        return (word & StripeWord.CLOSED) != 0;
    }

    /**
     * Names the table page of a CID: those of the same page have the same name.
     *
     * @param cid any CID
     * @return a number that is not negative for CIDs
     */
    public static long page(long cid) {
        return (long) CidLayout.nid(cid) << CidLayout.INDEX_BITS | CidLayout.index(cid) & -(long) Table.PAGE_ENTRIES;
    }

    /**
     * Returns the offset of a CID's entry in its page.
     *
     * @param cid any CID
     * @return bytes
     */
    public static long offsetInPage(long cid) {
        return (CidLayout.index(cid) & Table.PAGE_ENTRIES - 1) * WORD_BYTES;
    }

    /**
     * Returns whether an entry is a CID's chunk, which can be read now.
     *
     * @param entry of the CID's index
     * @param cid CID of the chunk
     * @return false if there is no such chunk, or a thread holds it exclusively
     */
    public static boolean isReadable(long entry, long cid) {
        return EntryWord.isReadable(entry, cid);
    }

    /**
     * Returns whether an entry is a CID's chunk.
     *
     * @param entry of the CID's index
     * @param cid CID of the chunk
     * @return false if there is no such chunk
     */
    public static boolean isChunk(long entry, long cid) {
        return EntryWord.isChunk(entry, cid);
    }

    /**
     * Returns the length in an entry.
     *
     * @param entry of a chunk
     * @return the length of the payload; -1 if it is in front of the payload
     */
    public static int length(long entry) {
        int length = EntryWord.length(entry);
        return length == EntryWord.LENGTH_IN_FRONT ? -1 : length;
    }

    /**
     * Returns the address of a payload.
     *
     * @param entry of a chunk
     * @return the address; 0 if the length is 0
     */
    public static long address(long entry) {
        return EntryWord.address(entry);
    }
}

package io.teff.engine.journal;

/**
 * Records that their threads have claimed and not committed, left to the journal. A thread whose stack has ended can
 * make no call, enter no monitor, resolve no class and allocate no array. So the thread leaves the record by these
 * statements, in an array fetched before:
 * <pre>{@code
 * final long product = record * AbandonedRecords.SPREAD;
 * int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
 *     >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
 * while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
 *     place++;
 * }
 * left[place] = record;
 * }</pre>
 * The journal looks for a record when it waits for just this record.
 *
 * <p><b>Places.</b> A record may be left in each of 16 places, which a hash of its number selects:
 * <pre>
 * +--------------------+--------------------+-----+--------------------+
 * | record 0 .. 0 .. 0 | 0 .. 0 .. 0 .. 0   | ... | record record 0 .. | 512 x 16 places
 * +--------------------+--------------------+-----+--------------------+
 * </pre>
 * The hash spreads records over the places whatever the distances between them. The distances are not random: the first
 * and the last record of a full ring often differ by just the usable part of the ring, a power of two; and the records
 * of a run differ by a common length. So a part of the number, or of a single product, would give many records the same
 * place again and again. A record stays unknown if 16 other untaken records have its places, or if another thread
 * leaves a record in its place in the same instant.
 *
 * <p><b>Old entries.</b> A stack may also end when the commit has been stored and has not returned. Then the record is
 * left and nothing waits for it; its entry is removed when a later record is looked for in these places.
 *
 * <p>Any thread may leave a record; one thread at a time takes them.
 */
public final class AbandonedRecords {
    /** Factor of the hash: two to the power of 64, divided by the golden ratio. */
    public static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    /** Shift of the hash to the right. */
    public static final int SHIFT = 51;
    /** Mask of the first place of a record. */
    public static final int FIRST = -16;
    /** Mask of the place within the 16 of a record, and its value for the last one. */
    public static final int LAST = 15;

    /** Records are multiples of two to this power if more is left with them. */
    private static final int ALIGN_BITS = 3;

    private final long[] places = new long[1 << Long.SIZE - SHIFT];
    private final int shift;
    /** Bits of an entry that are those of the record. */
    private final long recordMask;

    /** Makes an empty list of records that are left by their number. */
    public AbandonedRecords() {
        shift = 0;
        recordMask = -1;
    }

    /**
     * Makes an empty list of records that are left with more, as {@code record << bits - 3 | more}.
     *
     * @param bits lowest bits of an entry, which do not belong to the record, 3 to 40; the record is a multiple of 8
     */
    public AbandonedRecords(int bits) {
        shift = bits - ALIGN_BITS;
        recordMask = -1L << bits;
    }

    /** {@return the array that records are left in, always the same one} */
    public long[] places() {
        return places;
    }

    /**
     * Looks for a record, and empties its place. All records with lower numbers must have ended: what is left of them
     * in these places is removed.
     *
     * @param record its number
     * @return what its thread has left, or 0 if it has not left the record
     */
    public long take(long record) {
        final long wanted = record << shift;
        final long product = record * SPREAD;
        final int first = (int) ((product ^ product >>> Integer.SIZE) * SPREAD >>> SHIFT) & FIRST;
        long found = 0;
        for (int place = first; place <= first + LAST; place++) {
            final long entry = places[place];
            if (entry != 0) {
                final long distance = (entry & recordMask) - wanted;
                if (distance == 0) {
                    found = entry;
                }
                if (distance <= 0) {
                    places[place] = 0;
                }
            }
        }
        return found;
    }
}

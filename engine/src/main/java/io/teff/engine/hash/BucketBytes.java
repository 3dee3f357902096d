package io.teff.engine.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A copy of a bucket on the heap ({@link BucketLayout}), to be read or composed. Not thread-safe. */
final class BucketBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BYTES_FIRST = 4096;

    private byte[] bytes;
    private long header;
    private int length;

    BucketBytes() {
        bytes = new byte[BYTES_FIRST];
    }

    // ---- reading ----

    /** Returns the array to copy a bucket into; {@link #copied} must follow. */
    byte[] bytes() {
        return bytes;
    }

    /** Replaces the array by one for a copy of {@code wanted} bytes. */
    void grow(long wanted) {
        bytes = new byte[Math.toIntExact(Math.max(wanted, bytes.length * 2L))];
    }

    /** Accepts the bytes that were copied; returns whether they form a bucket. */
    boolean copied(int copiedBytes) {
        header = copiedBytes >= BucketLayout.HEADER_BYTES ? (long) LONG.get(bytes, 0) : -1;
        length = copiedBytes;
        if (count() > BucketLayout.slots(header)
            || BucketLayout.entriesAt(header) + (long) count() * size() > copiedBytes) {
            return false;
        }
        for (int i = 0; i < count(); i++) {
            if (bytesOf(i) < 0 || isOverflow(i) && bytesOf(i) != BucketLayout.LINK_BYTES) {
                return false;
            }
        }
        return BucketLayout.entriesAt(header) + start(count()) <= copiedBytes;
    }

    /** Returns whether all entries, except overflow entries, begin with a key. */
    boolean hasKeys(KeyForm<?> keys) {
        for (int i = 0; i < count(); i++) {
            if (!isOverflow(i) && !keys.fits(bytes, from(i), bytesOf(i))) {
                return false;
            }
        }
        return true;
    }

    int level() {
        return BucketLayout.level(header);
    }

    int count() {
        return BucketLayout.count(header);
    }

    int tag(int index) {
        return bytes[BucketLayout.HEADER_BYTES + index];
    }

    /** Returns the offset of an entry from the first entry. */
    private int start(int index) {
        int size = BucketLayout.size(header);
        return size > 0 ? index * size : index == 0 ? 0 : rawEnd(index - 1) & BucketLayout.END_MASK;
    }

    private int rawEnd(int index) {
        int size = BucketLayout.size(header);
        return size > 0 ? (index + 1) * size : (short) SHORT.get(bytes, BucketLayout.endAt(header, index)) & 0xFFFF;
    }

    /** Returns the index in {@link #bytes} of an entry's first byte. */
    int from(int index) {
        return BucketLayout.entriesAt(header) + start(index);
    }

    /** Returns the size of an entry in bytes. */
    int bytesOf(int index) {
        return (rawEnd(index) & BucketLayout.END_MASK) - start(index);
    }

    boolean isOverflow(int index) {
        return (rawEnd(index) & BucketLayout.OVERFLOW) != 0;
    }

    /** Returns the hash of an overflow entry. */
    long overflowHash(int index) {
        return (long) LONG.get(bytes, from(index));
    }

    /** Returns the chunk of an overflow entry. */
    long overflowCid(int index) {
        return (long) LONG.get(bytes, from(index) + Long.BYTES);
    }

    // ---- composing ----

    /** Returns the size of each entry, or 0 if the bucket has ends. */
    int size() {
        return BucketLayout.size(header);
    }

    /**
     * Begins an empty bucket with room for a number of entries, all of one size, or of different sizes if {@code size}
     * is 0.
     */
    void begin(int level, int entries, int size, int entriesBytes) {
        int slots = BucketLayout.slotsFor(entries);
        length = BucketLayout.lengthFor(slots, size, entriesBytes);
        header = BucketLayout.header(level, 0, slots, size);
        if (bytes.length < length) {
            grow(length);
        }
        Arrays.fill(bytes, 0, length, (byte) 0);
        LONG.set(bytes, 0, header);
    }

    /** Appends an entry of another bucket. */
    void add(BucketBytes source, int index) {
        add(source.bytes, source.from(index), source.bytesOf(index), source.tag(index),
            source.isOverflow(index) ? BucketLayout.OVERFLOW : 0);
    }

    /** Appends an entry; {@code overflow} is 0 or {@link BucketLayout#OVERFLOW}. */
    void add(byte[] source, int from, int size, int tag, int overflow) {
        int count = count();
        int start = start(count);
        System.arraycopy(source, from, bytes, BucketLayout.entriesAt(header) + start, size);
        bytes[BucketLayout.HEADER_BYTES + count] = (byte) tag;
        if (size() == 0) {
            SHORT.set(bytes, BucketLayout.endAt(header, count), (short) (start + size | overflow));
        }
        header = BucketLayout.withCount(header, count + 1);
        LONG.set(bytes, 0, header);
    }

    /** Returns the length of the whole bucket in bytes. */
    int length() {
        return length;
    }

    /** Returns the total size of all entries in bytes. */
    int entriesBytes() {
        return start(count());
    }
}

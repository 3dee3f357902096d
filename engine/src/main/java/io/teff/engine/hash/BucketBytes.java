package io.teff.engine.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A copy of a bucket on the heap ({@link BucketLayout}): taken apart, and put together. Not thread-safe. */
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

    // ---- take apart ----

    /** Where a copy goes; {@link #copied} must follow. */
    byte[] bytes() {
        return bytes;
    }

    /** Makes room for a copy of so many bytes. */
    void grow(long wanted) {
        bytes = new byte[Math.toIntExact(Math.max(wanted, bytes.length * 2L))];
    }

    /** The bytes are a bucket's now; false if they are not. */
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

    /** Whether all entries that lie inside begin with a key. */
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

    /** Where an entry begins, from the first one. */
    private int start(int index) {
        int size = BucketLayout.size(header);
        return size > 0 ? index * size : index == 0 ? 0 : rawEnd(index - 1) & BucketLayout.END_MASK;
    }

    private int rawEnd(int index) {
        int size = BucketLayout.size(header);
        return size > 0 ? (index + 1) * size : (short) SHORT.get(bytes, BucketLayout.endAt(header, index)) & 0xFFFF;
    }

    /** Index in {@link #bytes} of an entry's first byte. */
    int from(int index) {
        return BucketLayout.entriesAt(header) + start(index);
    }

    /** Bytes of an entry. */
    int bytesOf(int index) {
        return (rawEnd(index) & BucketLayout.END_MASK) - start(index);
    }

    boolean isOverflow(int index) {
        return (rawEnd(index) & BucketLayout.OVERFLOW) != 0;
    }

    /** The hash of an entry outside. */
    long overflowHash(int index) {
        return (long) LONG.get(bytes, from(index));
    }

    /** The chunk of an entry outside. */
    long overflowCid(int index) {
        return (long) LONG.get(bytes, from(index) + Long.BYTES);
    }

    // ---- put together ----

    /** Size of each entry, or 0 if there are ends. */
    int size() {
        return BucketLayout.size(header);
    }

    /** Begins an empty bucket with room for some entries, all of one size or, for 0, not. */
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

    /** Adds an entry of another bucket. */
    void add(BucketBytes source, int index) {
        int count = count();
        int start = start(count);
        int size = source.bytesOf(index);
        System.arraycopy(source.bytes, source.from(index), bytes, BucketLayout.entriesAt(header) + start, size);
        bytes[BucketLayout.HEADER_BYTES + count] = (byte) source.tag(index);
        if (size() == 0) {
            int overflow = source.isOverflow(index) ? BucketLayout.OVERFLOW : 0;
            SHORT.set(bytes, BucketLayout.endAt(header, count), (short) (start + size | overflow));
        }
        header = BucketLayout.withCount(header, count + 1);
        LONG.set(bytes, 0, header);
    }

    /** Bytes of the whole bucket. */
    int length() {
        return length;
    }

    /** Bytes of all entries. */
    int entriesBytes() {
        return start(count());
    }
}

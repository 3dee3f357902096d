package io.teff.engine.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The collected entries of a loader whose hashes have the same lowest bits, and so the same writer lock. For one thread
 * at a time.
 * <pre>
 *  record:   | hash (8) | size (4) | entry: key, value |        place: segment (32) | offset (32)
 * </pre>
 * The records lie in segments that are never copied. A segment is smaller than the arrays that the collector of garbage
 * treats as humongous.
 */
final class LoadPart {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SIZE_AT = Long.BYTES;
    private static final int ENTRY_AT = SIZE_AT + Integer.BYTES;
    private static final int SEGMENT_BYTES_MIN = 1 << 10;
    private static final int SEGMENT_BYTES_MAX = 1 << 17;
    private static final int SEGMENTS_FIRST = 4;
    private static final long OFFSET_MASK = (1L << Integer.SIZE) - 1;

    private byte[][] segments = new byte[SEGMENTS_FIRST][];
    private int[] ends = new int[SEGMENTS_FIRST];
    private int segmentCount;
    /** The last segment and the index behind its last record. */
    private byte[] last = new byte[0];
    private int end;
    private int count;
    private long bytes;
    private long weight;

    /** Adds a record; returns the bytes of memory that were taken for it. */
    int add(long hash, byte[] entry, int size) {
        int taken = 0;
        if (last.length - end < ENTRY_AT + size) {
            taken = addSegment(ENTRY_AT + size);
        }
        LONG.set(last, end, hash);
        INT.set(last, end + SIZE_AT, size);
        System.arraycopy(entry, 0, last, end + ENTRY_AT, size);
        end += ENTRY_AT + size;
        count++;
        weight += HashGrowth.weight(Math.min(size, BucketLayout.ENTRY_BYTES_MAX));
        return taken;
    }

    private int addSegment(int needed) {
        if (segmentCount == segments.length) {
            segments = Arrays.copyOf(segments, 2 * segmentCount);
            ends = Arrays.copyOf(ends, 2 * segmentCount);
        }
        closeSegment();
        last = new byte[Math.max(needed, Math.min(Math.max(2 * last.length, SEGMENT_BYTES_MIN), SEGMENT_BYTES_MAX))];
        end = 0;
        segments[segmentCount++] = last;
        bytes += last.length;
        return last.length;
    }

    private void closeSegment() {
        if (segmentCount > 0) {
            ends[segmentCount - 1] = end;
        }
    }

    /** Takes one record. */
    interface Record {
        void take(long hash, byte[] bytes, int from, int size);
    }

    /** Shows all records in the order in which they were added. */
    void forEach(Record action) {
        closeSegment();
        for (int s = 0; s < segmentCount; s++) {
            final byte[] segment = segments[s];
            for (int at = 0; at < ends[s]; ) {
                final int size = (int) INT.get(segment, at + SIZE_AT);
                action.take((long) LONG.get(segment, at), segment, at + ENTRY_AT, size);
                at += ENTRY_AT + size;
            }
        }
    }

    int count() {
        return count;
    }

    /** Returns the memory of the segments. */
    long bytes() {
        return bytes;
    }

    /** Returns the weight of all entries, approximately: overflow entries count as the largest others. */
    long weight() {
        return weight;
    }

    void clear() {
        Arrays.fill(segments, null);
        segmentCount = 0;
        last = new byte[0];
        end = 0;
        count = 0;
        bytes = 0;
        weight = 0;
    }

    /**
     * Writes the places of all records to an array, ordered by bucket; records of one bucket keep their order.
     *
     * @param buckets number of buckets of the table
     * @param places receives the places; has room for all records
     * @param starts all 0; receives at the index of a bucket, without its lowest bits, the index behind its records
     * @param shift number of lowest bits that all buckets of this part have in common
     */
    void order(long buckets, long[] places, int[] starts, int shift) {
        closeSegment();
        for (int s = 0; s < segmentCount; s++) {
            for (int at = 0; at < ends[s]; at += ENTRY_AT + (int) INT.get(segments[s], at + SIZE_AT)) {
                starts[(int) (LinearHash.bucketOf((long) LONG.get(segments[s], at), buckets) >>> shift)]++;
            }
        }
        int sum = 0;
        for (int i = 0; i < starts.length; i++) {
            int here = starts[i];
            starts[i] = sum;
            sum += here;
        }
        for (int s = 0; s < segmentCount; s++) {
            for (int at = 0; at < ends[s]; at += ENTRY_AT + (int) INT.get(segments[s], at + SIZE_AT)) {
                int bucket = (int) (LinearHash.bucketOf((long) LONG.get(segments[s], at), buckets) >>> shift);
                places[starts[bucket]++] = (long) s << Integer.SIZE | at;
            }
        }
    }

    // ---- one record ----

    byte[] bytes(long place) {
        return segments[(int) (place >>> Integer.SIZE)];
    }

    private static int offset(long place) {
        return (int) (place & OFFSET_MASK);
    }

    long hash(long place) {
        return (long) LONG.get(bytes(place), offset(place));
    }

    int size(long place) {
        return (int) INT.get(bytes(place), offset(place) + SIZE_AT);
    }

    /** Returns the index of the entry in {@link #bytes}. */
    int from(long place) {
        return offset(place) + ENTRY_AT;
    }
}

package io.teff.cluster;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import java.util.Arrays;

/**
 * A position in a {@link ChangeStream}, of all partitions. Immutable. A position has 12 bytes, and 16 for each of up to
 * 256 partitions.
 */
public final class WatchPosition {
    private static final int PARTITIONS_MAX = 256;

    private final long collection;
    private final long[] rings;
    private final long[] numbers;

    /**
     * Makes a position; for streams.
     *
     * @param collection token of the collection
     * @param rings what has the changes of each partition; 0 if that is not known
     * @param numbers last number of each partition
     */
    public WatchPosition(long collection, long[] rings, long[] numbers) {
        if (rings.length != numbers.length || rings.length > PARTITIONS_MAX) {
            throw new IllegalArgumentException(rings.length + " rings, " + numbers.length + " numbers");
        }
        this.collection = collection;
        this.rings = rings.clone();
        this.numbers = numbers.clone();
    }

    /**
     * Reads a position.
     *
     * @param bytes from {@link #toBytes}
     * @return the position
     * @throws IllegalArgumentException if the bytes are no position
     */
    public static WatchPosition of(byte[] bytes) {
        try {
            final Input in = new Input(bytes, 0, bytes.length);
            final long collection = in.getLong();
            final int count = in.getInt();
            if (count < 0 || count > PARTITIONS_MAX || in.left() != count * 2 * Long.BYTES) {
                throw new IllegalArgumentException(bytes.length + " bytes are no position in changes");
            }
            final long[] rings = new long[count];
            final long[] numbers = new long[count];
            Arrays.setAll(rings, _ -> in.getLong());
            Arrays.setAll(numbers, _ -> in.getLong());
            return new WatchPosition(collection, rings, numbers);
        } catch (MalformedException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no position in changes", e);
        }
    }

    /** {@return the bytes of this position} */
    public byte[] toBytes() {
        final Output out = Output.growing(64);
        out.putLong(collection);
        out.putInt(rings.length);
        Arrays.stream(rings).forEach(out::putLong);
        Arrays.stream(numbers).forEach(out::putLong);
        return out.toByteArray();
    }

    /** {@return the token of the collection} */
    public long collection() {
        return collection;
    }

    /** {@return the number of partitions} */
    public int partitions() {
        return rings.length;
    }

    /**
     * Returns what has the changes of a partition.
     *
     * @param partition from 0
     * @return a name; 0 if it is not known
     */
    public long ring(int partition) {
        return rings[partition];
    }

    /**
     * Returns the last number of a partition.
     *
     * @param partition from 0
     * @return the number
     */
    public long number(int partition) {
        return numbers[partition];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WatchPosition that && collection == that.collection && Arrays.equals(rings, that.rings)
            && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(collection) + Arrays.hashCode(numbers);
    }

    @Override
    public String toString() {
        return "WatchPosition" + Arrays.toString(numbers);
    }
}

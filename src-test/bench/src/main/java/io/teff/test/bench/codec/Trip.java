package io.teff.test.bench.codec;

import java.util.List;

/** A library at work: values to bytes in a buffer that is used again, and bytes to new values. Not thread-safe. */
abstract class Trip {
    private final List<?> values;
    private final byte[][] bytes;
    private int next;

    /** Keeps the values as the library wants to have them. */
    Trip(List<?> values) {
        this.values = values;
        this.bytes = new byte[values.size()][];
    }

    /** Writes a value to the buffer; its bytes. */
    abstract int write(Object value);

    /** What the last {@link #write} has left in the buffer. */
    abstract byte[] written(int length);

    /** A new value. */
    abstract Object read(byte[] from);

    /** Writes all values, so that they can be read; bytes of one in the mean. */
    final double prepare() {
        long sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = written(write(values.get(i)));
            sum += bytes[i].length;
        }
        return (double) sum / bytes.length;
    }

    /** Writes one of the values in turn. */
    final int writeNext() {
        return write(values.get(step()));
    }

    /** Reads one of the values in turn. */
    final Object readNext() {
        return read(bytes[step()]);
    }

    private int step() {
        int now = next;
        next = now + 1 == bytes.length ? 0 : now + 1;
        return now;
    }
}

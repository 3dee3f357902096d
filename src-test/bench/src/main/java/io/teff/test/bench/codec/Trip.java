package io.teff.test.bench.codec;

import java.util.List;

/** A library in use: converts values to bytes in a reused buffer, and bytes to new values. Not thread-safe. */
abstract class Trip {
    private final List<?> values;
    private final byte[][] bytes;
    private int next;

    /** Keeps the values in the form that the library needs. */
    Trip(List<?> values) {
        this.values = values;
        this.bytes = new byte[values.size()][];
    }

    /** Writes a value to the buffer; returns the number of bytes. */
    abstract int write(Object value);

    /** Returns the bytes that the last {@link #write} left in the buffer. */
    abstract byte[] written(int length);

    /** Reads a new value. */
    abstract Object read(byte[] from);

    /** Writes all values, so that they can be read; returns the mean bytes of a value. */
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

package io.teff.test.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One way to write and read a file whose blocks are all allocated. Writes the first bytes of {@link Content}, from its
 * own memory. For one thread.
 */
interface Access extends AutoCloseable {
    /** Inspects bytes that were read. */
    @FunctionalInterface
    interface Look {
        /**
         * Inspects bytes.
         *
         * @param at their offset in the file
         * @param bytes the remaining bytes of the buffer
         */
        void look(long at, ByteBuffer bytes);
    }

    /** Writes, without waiting for the device if this method supports that. */
    void write(long at, int bytes) throws IOException;

    /** Waits until all written bytes are on the device. */
    void sync() throws IOException;

    /** Reads; the returned buffer is valid until the next call. */
    ByteBuffer read(long at, int bytes) throws IOException;

    /** Returns the unit of writes: lengths and offsets are multiples of it, in bytes. */
    default int unitBytes() {
        return 1;
    }

    /** Writes several pieces by one call. */
    default void writePieces(long at, int count, int bytes) throws IOException {
        write(at, roundUp(count * bytes, unitBytes()));
    }

    /** Writes, and waits for the device. */
    default void writeSynced(long at, int bytes) throws IOException {
        write(at, bytes);
        sync();
    }

    /** Writes a part of the file from its start, block by block, and waits for the device at the end. */
    default void writeAll(long bytes, int block) throws IOException {
        for (long at = 0; at < bytes; at += block) {
            write(at, block);
        }
        sync();
    }

    /** Reads a part of the file from its start, block by block, and passes each block on. */
    default void readAll(long bytes, int block, Look look) throws IOException {
        for (long at = 0; at < bytes; at += block) {
            look.look(at, read(at, block));
        }
    }

    @Override
    void close() throws IOException;

    private static int roundUp(int bytes, int unit) {
        return (bytes + unit - 1) / unit * unit;
    }
}

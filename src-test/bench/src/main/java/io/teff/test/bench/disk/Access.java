package io.teff.test.bench.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One way to write and read a file that has all of its bytes already. What it writes are the first bytes of
 * {@link Content}, from memory of its own. For one thread.
 */
interface Access extends AutoCloseable {
    /** Looks at bytes that were read. */
    @FunctionalInterface
    interface Look {
        /**
         * Looks.
         *
         * @param at where they are in the file
         * @param bytes all that is left in it
         */
        void look(long at, ByteBuffer bytes);
    }

    /** Writes, without waiting for the device, if this way can. */
    void write(long at, int bytes) throws IOException;

    /** Waits until the device has all that was written. */
    void sync() throws IOException;

    /** Reads; what is returned is good until the next call. */
    ByteBuffer read(long at, int bytes) throws IOException;

    /** What can be written is a multiple of so many bytes, at a multiple of it. */
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

    /** Reads a part of the file from its start, block by block, and shows each. */
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

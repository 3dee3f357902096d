package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** An open file. Thread-safe. */
public interface DiskFile extends Closeable {
    /**
     * Writes all remaining bytes of a buffer.
     *
     * @param bytes to write
     * @param offset in the file of the first byte; the file grows if needed
     * @throws DiskFullException if there is no room for all bytes; some may have been written
     * @throws IOException if not all bytes could be written; some may have been
     */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @param target receives the bytes
     * @param offset in the file of the first byte
     * @return bytes read; fewer than remained in the buffer only at the end of the file
     * @throws IOException if the device failed
     */
    int read(ByteBuffer target, long offset) throws IOException;

    /**
     * Returns the size of the file.
     *
     * @return bytes
     * @throws IOException if it cannot be read
     */
    long size() throws IOException;

    /**
     * Waits until all bytes written before and the size of the file are on the device. After a failure each later call
     * fails, too.
     *
     * @throws IOException if the device failed, now or before
     */
    void force() throws IOException;

    /**
     * Maps the first bytes of the file to memory. Stores to it reach the kernel at once and survive the process; they
     * are never synced to the device.
     *
     * @param bytes to map, at most the size of the file
     * @param arena owns the memory
     * @return the memory, to read and write
     * @throws IOException if the mapping fails
     */
    MemorySegment map(long bytes, Arena arena) throws IOException;

    /**
     * Maps the first bytes of the file to memory of an automatic arena: it is unmapped when it is no longer reachable,
     * and an access costs no liveness check.
     *
     * @param bytes to map, at most the size of the file
     * @return the memory, to read and write
     * @throws IOException if the mapping fails
     */
    default MemorySegment map(long bytes) throws IOException {
        return map(bytes, Arena.ofAuto());
    }
}

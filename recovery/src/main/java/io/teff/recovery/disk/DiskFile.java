package io.teff.recovery.disk;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A file that is open. For many threads. */
public interface DiskFile extends Closeable {
    /**
     * Writes all remaining bytes.
     *
     * @param bytes what to write
     * @param offset where in the file; it grows if need be
     * @throws DiskFullException if there is no room for all of them; some may be written
     * @throws IOException if not all could be written; some may be
     */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /**
     * Reads until the buffer is full or the file ends.
     *
     * @param target where to
     * @param offset where in the file
     * @return bytes read, less than asked for only at the file's end
     * @throws IOException if the device failed
     */
    int read(ByteBuffer target, long offset) throws IOException;

    /**
     * The file's size.
     *
     * @return bytes
     * @throws IOException if it cannot be told
     */
    long size() throws IOException;

    /**
     * Waits until what was written is on the device. After a failure each further call fails too.
     *
     * @throws IOException if the device failed, now or before
     */
    void force() throws IOException;

    /**
     * Maps the file's first bytes to memory. Stores to it are the kernel's at once, and never synced.
     *
     * @param bytes to map; the file has so many
     * @param arena after which the memory is gone
     * @return the memory, to read and write
     * @throws IOException if that fails
     */
    MemorySegment map(long bytes, Arena arena) throws IOException;

    /**
     * Maps the file's first bytes to memory that stays for as long as anybody can reach it, and that costs nothing to
     * use.
     *
     * @param bytes to map; the file has so many
     * @return the memory, to read and write
     * @throws IOException if that fails
     */
    default MemorySegment map(long bytes) throws IOException {
        return map(bytes, Arena.ofAuto());
    }
}

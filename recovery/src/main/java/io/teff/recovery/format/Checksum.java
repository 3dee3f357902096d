package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C of parts of one memory segment, without allocation. For one thread; several threads may each have one of the
 * same memory.
 *
 * <p>The JDK acquires the arena of the memory in each call. This step is free for {@code Arena.global()} and
 * {@code ofAuto()}, an atomic step on a shared counter for {@code ofShared()}, and refused to other threads for
 * {@code ofConfined()}. So memory written by many threads must belong to one of the first two arenas.
 */
final class Checksum {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer bytes;
    private long summedBytes;

    /** Returns the CRC-32C of at most 2^31 - 1 bytes. */
    Checksum(MemorySegment bytes) {
        this.bytes = bytes.asByteBuffer();
    }

    int of(long from, long end) {
        crc.reset();
        bytes.limit((int) end).position((int) from);
        summedBytes += end - from;
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Continues a sum of bytes from several places. */
    void add(MemorySegment part) {
        summedBytes += part.byteSize();
        crc.update(part.asByteBuffer());
    }

    /** Returns the bytes that were summed up so far. */
    long summedBytes() {
        return summedBytes;
    }

    /** Returns the sum of all parts added since the beginning. */
    int value() {
        return (int) crc.getValue();
    }
}

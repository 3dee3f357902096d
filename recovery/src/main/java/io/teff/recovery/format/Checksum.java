package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * CRC-32C of parts of one piece of memory, without garbage. For one thread; several may each have one of the same
 * bytes.
 *
 * <p>The JDK acquires the memory's arena for each call. That is free for {@code Arena.global()} and {@code ofAuto()},
 * an atomic step on a counter that all threads share for {@code ofShared()}, and refused to other threads for
 * {@code ofConfined()}: memory that many threads write to belongs to one of the first two.
 */
final class Checksum {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer bytes;

    /** Of bytes that are at most 2^31 - 1. */
    Checksum(MemorySegment bytes) {
        this.bytes = bytes.asByteBuffer();
    }

    int of(long from, long end) {
        crc.reset();
        bytes.limit((int) end).position((int) from);
        crc.update(bytes);
        return (int) crc.getValue();
    }
}

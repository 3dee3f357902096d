package io.teff.cluster.ship;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC-32C of the bytes of messages between owners and backups. Stateless. */
final class RunChecksum {
    private RunChecksum() {}

    /** Returns the checksum of at most 2^31 - 1 bytes. */
    static int of(MemorySegment memory, long offset, long bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(memory.asSlice(offset, bytes).asByteBuffer());
        return (int) crc.getValue();
    }

    /** Returns the checksum of bytes, as if the four at an offset in them were zero. */
    static int without(MemorySegment memory, long offset, long bytes, long hole) {
        final CRC32C crc = new CRC32C();
        crc.update(memory.asSlice(offset, hole).asByteBuffer());
        for (int i = 0; i < Integer.BYTES; i++) {
            crc.update(0);
        }
        final long behind = hole + Integer.BYTES;
        crc.update(memory.asSlice(offset + behind, bytes - behind).asByteBuffer());
        return (int) crc.getValue();
    }
}

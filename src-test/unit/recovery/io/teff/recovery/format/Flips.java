package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/** Flips bits. */
final class Flips {
    private Flips() {}

    /** Flips a bit, counted from the first byte's lowest. */
    static void flip(MemorySegment bytes, long bit) {
        final long at = bit / Byte.SIZE;
        LittleEndian.putByte(bytes, at, LittleEndian.getByte(bytes, at) ^ 1 << (int) (bit % Byte.SIZE));
    }
}

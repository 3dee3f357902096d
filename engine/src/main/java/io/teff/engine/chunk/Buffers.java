package io.teff.engine.chunk;

import io.teff.engine.check.Arguments;
import io.teff.engine.memory.Memory;
import java.lang.foreign.MemorySegment;

/**
 * Copies between the region and a caller's buffer, which is a {@code byte[]} or a {@link MemorySegment}.
 *
 * <p>Both are passed on as Object. A wrapper around the array would be one more allocation per operation wherever the
 * JIT cannot prove that the wrapper stays local; a type check costs nothing where the call is inlined, and one compare
 * elsewhere.
 */
public final class Buffers {
    private Buffers() {}

    public static long size(Object buffer) {
        return buffer instanceof byte[] array ? array.length : ((MemorySegment) buffer).byteSize();
    }

    /** Checks a range given by a caller. */
    public static void check(Object buffer, long offset, long length) {
        Arguments.checkRange(size(buffer), offset, length);
    }

    /** Copies from the region. */
    public static void copyOut(Memory memory, long address, Object target, long offset, long length) {
        if (target instanceof byte[] array) {
            memory.copyOut(address, array, (int) offset, (int) length);
        } else {
            memory.copyOut(address, (MemorySegment) target, offset, length);
        }
    }

    /** Copies into the region. */
    public static void copyIn(Memory memory, Object source, long offset, long address, long length) {
        if (source instanceof byte[] array) {
            memory.copyIn(array, (int) offset, address, (int) length);
        } else {
            memory.copyIn((MemorySegment) source, offset, address, length);
        }
    }
}

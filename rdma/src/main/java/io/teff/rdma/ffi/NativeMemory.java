package io.teff.rdma.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Reads of structs of a native library, by address. To be used only between {@link NativeObject#enter} and {@link
 * NativeObject#leave} of the owner of the struct, or right after the creation.
 */
public final class NativeMemory {
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /** Returns a byte. */
    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    /** Returns 32 bits. */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    /** Returns 64 bits, or a pointer. */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    /** Returns a copy of some bytes. */
    public static byte[] bytes(long address, int length) {
        return ALL.asSlice(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Returns a text that ends with a zero byte.
     *
     * @param bytesMax the text is cut there, if it has no end before
     */
    public static String text(long address, int bytesMax) {
        int length = 0;
        while (length < bytesMax && getByte(address + length) != 0) {
            length++;
        }
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }
}

package io.teff.engine.view;

import io.teff.engine.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A chunk in place, to read and write without copying, under an exclusive hold. See {@link ChunkView}. */
public final class ChunkEditor extends ChunkView {
    /**
     * Begins an edit; the engine does it.
     *
     * @param memory of the region
     * @param address first byte
     * @param length bytes
     */
    @SuppressWarnings("exports")                              // only the engine has such an object
    public ChunkEditor(Memory memory, long address, long length) {
        super(memory, address, length, true);
    }

    /**
     * Writes 64 bits.
     *
     * @param offset first byte
     * @param value what to write
     */
    public void putLong(long offset, long value) {
        memory().putFieldLong(at(offset, Long.BYTES), value);
    }

    /**
     * Writes 32 bits.
     *
     * @param offset first byte
     * @param value what to write
     */
    public void putInt(long offset, int value) {
        memory().putFieldInt(at(offset, Integer.BYTES), value);
    }

    /**
     * Writes 16 bits.
     *
     * @param offset first byte
     * @param value what to write
     */
    public void putShort(long offset, short value) {
        memory().putFieldShort(at(offset, Short.BYTES), value);
    }

    /**
     * Writes 8 bits.
     *
     * @param offset the byte
     * @param value what to write
     */
    public void putByte(long offset, byte value) {
        memory().putFieldByte(at(offset, Byte.BYTES), value);
    }

    /**
     * Writes a double.
     *
     * @param offset first byte
     * @param value what to write
     */
    public void putDouble(long offset, double value) {
        putLong(offset, Double.doubleToRawLongBits(value));
    }

    /**
     * Writes a float.
     *
     * @param offset first byte
     * @param value what to write
     */
    public void putFloat(long offset, float value) {
        putInt(offset, Float.floatToRawIntBits(value));
    }

    /**
     * Copies bytes into the chunk.
     *
     * @param source array to copy from
     * @param sourceOffset first index in the array
     * @param offset first byte in the chunk
     * @param bytes number of bytes
     */
    public void copyFrom(byte[] source, int sourceOffset, long offset, int bytes) {
        Objects.checkFromIndexSize(sourceOffset, bytes, source.length);
        long target = at(offset, bytes);
        if (bytes > 0) {
            memory().copyIn(source, sourceOffset, target, bytes);
        }
    }

    /**
     * Copies bytes into the chunk.
     *
     * @param source segment to copy from
     * @param sourceOffset first byte in the segment
     * @param offset first byte in the chunk
     * @param bytes number of bytes
     */
    public void copyFrom(MemorySegment source, long sourceOffset, long offset, long bytes) {
        Objects.checkFromIndexSize(sourceOffset, bytes, source.byteSize());
        long target = at(offset, bytes);
        if (bytes > 0) {
            memory().copyIn(source, sourceOffset, target, bytes);
        }
    }
}

package io.teff.engine.view;

import io.teff.engine.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A view that reads and writes the bytes of a chunk or of a value in place, under an exclusive hold. Valid on the same
 * thread and in the same scope as a {@link ChunkView}; not thread-safe. A range outside the bytes throws
 * {@link IndexOutOfBoundsException}.
 */
public final class ChunkEditor extends ChunkView {
    /**
     * Begins an edit. Called by the engine only.
     *
     * @param memory memory of the region
     * @param address address of the first byte
     * @param length number of bytes
     */
    @SuppressWarnings("exports")                              // only the engine has a Memory
    public ChunkEditor(Memory memory, long address, long length) {
        super(memory, address, length, true);
    }

    /**
     * Writes 64 bits.
     *
     * @param offset first byte in the view
     * @param value value to write
     */
    public void putLong(long offset, long value) {
        memory().putFieldLong(at(offset, Long.BYTES), value);
    }

    /**
     * Writes 32 bits.
     *
     * @param offset first byte in the view
     * @param value value to write
     */
    public void putInt(long offset, int value) {
        memory().putFieldInt(at(offset, Integer.BYTES), value);
    }

    /**
     * Writes 16 bits.
     *
     * @param offset first byte in the view
     * @param value value to write
     */
    public void putShort(long offset, short value) {
        memory().putFieldShort(at(offset, Short.BYTES), value);
    }

    /**
     * Writes 8 bits.
     *
     * @param offset offset of the byte in the view
     * @param value value to write
     */
    public void putByte(long offset, byte value) {
        memory().putFieldByte(at(offset, Byte.BYTES), value);
    }

    /**
     * Writes the 64 bits of a double.
     *
     * @param offset first byte in the view
     * @param value value to write
     */
    public void putDouble(long offset, double value) {
        putLong(offset, Double.doubleToRawLongBits(value));
    }

    /**
     * Writes the 32 bits of a float.
     *
     * @param offset first byte in the view
     * @param value value to write
     */
    public void putFloat(long offset, float value) {
        putInt(offset, Float.floatToRawIntBits(value));
    }

    /**
     * Copies bytes of an array into the view.
     *
     * @param source array to copy from
     * @param sourceOffset first index in the array
     * @param offset first byte in the view
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
     * Copies bytes of a segment into the view.
     *
     * @param source segment to copy from
     * @param sourceOffset first byte in the segment
     * @param offset first byte in the view
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

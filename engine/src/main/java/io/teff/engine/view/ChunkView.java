package io.teff.engine.view;

import io.teff.engine.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A view that reads the bytes of a chunk or of a value in place, without copying. A view is valid on the thread and
 * inside the scope that it was created for; any other use throws {@link IllegalStateException}. A range outside the
 * bytes throws {@link IndexOutOfBoundsException}. Values are little-endian, at any offset. Not thread-safe.
 */
public sealed class ChunkView permits ChunkEditor {
    private final Memory memory;
    private final long address;
    private final long length;
    private final boolean pinned;
    private final Thread owner = Thread.currentThread();
    private boolean open = true;

    /**
     * Begins a view. Called by the engine only.
     *
     * @param memory memory of the region
     * @param address address of the first byte
     * @param length number of bytes
     * @param pinned whether the bytes keep their address until the view ends
     */
    @SuppressWarnings("exports")                              // only the engine has a Memory
    public ChunkView(Memory memory, long address, long length, boolean pinned) {
        this.memory = memory;
        this.address = address;
        this.length = length;
        this.pinned = pinned;
    }

    /** Ends the view: every later use throws {@link IllegalStateException}. Called by the engine. */
    public final void end() {
        open = false;
    }

    final Memory memory() {
        return memory;
    }

    /** Checks scope, thread and range; returns the address of the first byte. */
    @SuppressWarnings("ReferenceEquality")                    // threads are compared by identity
    final long at(long offset, long bytes) {
        if (!open || owner != Thread.currentThread()) {
            throw new IllegalStateException("a view is used outside its scope, or by another thread");
        }
        if ((offset | bytes) < 0 || bytes > length - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " of " + bytes + " bytes is not inside a view of "
                + length + " bytes");
        }
        return address + offset;
    }

    /** {@return the number of bytes; may be called at any time} */
    public final long length() {
        return length;
    }

    /**
     * Returns the machine address of the first byte, for libraries that accept only addresses. Accesses through the
     * address are not checked. Do not access bytes beyond {@link #length()} or after the end of the scope, and do not
     * write unless this is a {@link ChunkEditor}: such an access reads or destroys memory of other chunks, or ends the
     * JVM. Prefer the other methods.
     *
     * @return the address, valid until the scope ends; 0 if there are no bytes
     * @throws IllegalStateException outside the scope, on another thread, and in {@link io.teff.engine.Views#peek},
     *     because a peek does not keep the bytes at their address
     */
    public final long address() {
        long first = at(0, 0);
        if (!pinned) {
            throw new IllegalStateException("peek does not hold its chunk, so there is not an address; use read");
        }
        return length == 0 ? 0 : memory.machineAddress(first);
    }

    /**
     * Reads 64 bits.
     *
     * @param offset first byte in the view
     * @return the value
     */
    public final long getLong(long offset) {
        return memory.getFieldLong(at(offset, Long.BYTES));
    }

    /**
     * Reads 32 bits.
     *
     * @param offset first byte in the view
     * @return the value
     */
    public final int getInt(long offset) {
        return memory.getFieldInt(at(offset, Integer.BYTES));
    }

    /**
     * Reads 16 bits.
     *
     * @param offset first byte in the view
     * @return the value
     */
    public final short getShort(long offset) {
        return memory.getFieldShort(at(offset, Short.BYTES));
    }

    /**
     * Reads 8 bits.
     *
     * @param offset offset of the byte in the view
     * @return the value
     */
    public final byte getByte(long offset) {
        return memory.getFieldByte(at(offset, Byte.BYTES));
    }

    /**
     * Reads a double.
     *
     * @param offset first byte in the view
     * @return the value
     */
    public final double getDouble(long offset) {
        return Double.longBitsToDouble(getLong(offset));
    }

    /**
     * Reads a float.
     *
     * @param offset first byte in the view
     * @return the value
     */
    public final float getFloat(long offset) {
        return Float.intBitsToFloat(getInt(offset));
    }

    /**
     * Copies bytes of the view into an array.
     *
     * @param offset first byte in the view
     * @param target array to copy to
     * @param targetOffset first index in the array
     * @param bytes number of bytes
     */
    public final void copyTo(long offset, byte[] target, int targetOffset, int bytes) {
        Objects.checkFromIndexSize(targetOffset, bytes, target.length);
        long source = at(offset, bytes);
        if (bytes > 0) {
            memory.copyOut(source, target, targetOffset, bytes);
        }
    }

    /**
     * Copies bytes of the view into a segment.
     *
     * @param offset first byte in the view
     * @param target segment to copy to
     * @param targetOffset first byte in the segment
     * @param bytes number of bytes
     */
    public final void copyTo(long offset, MemorySegment target, long targetOffset, long bytes) {
        Objects.checkFromIndexSize(targetOffset, bytes, target.byteSize());
        long source = at(offset, bytes);
        if (bytes > 0) {
            memory.copyOut(source, target, targetOffset, bytes);
        }
    }
}

package io.teff.bridge.agrona;

import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.agrona.AsciiEncoding;
import org.agrona.AsciiNumberFormatException;
import org.agrona.AsciiSequenceView;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A chunk, or a value of a map, as a {@link DirectBuffer} of Agrona: in place and without copying, inside a scope.
 *
 * <pre>{@code
 * ChunkBuffer buffer = new ChunkBuffer();
 * store.views().read(cid, view -> price[0] = decoder.wrapAndApplyHeader(buffer.on(view), 0, header).price());
 * }</pre>
 *
 * <p><b>Safety.</b> Each access goes through the view, which checks scope, thread and range: an access after the scope
 * throws {@link IllegalStateException} and reaches no memory, even by a flyweight that still has the buffer. Therefore
 * the machine address is not available: {@link #addressOffset()} throws, and so do operations of other buffers that use
 * it ({@code UnsafeBuffer.wrap(DirectBuffer)}, {@code UnsafeBuffer.putBytes(int, DirectBuffer, int, int)}).
 * {@link #getBytes(int, MutableDirectBuffer, int, int)} copies to every buffer, and another ChunkBuffer wraps a part of
 * this one. No JVM flag is needed, and {@code agrona.disable.bounds.checks} changes nothing.
 *
 * <p>Equality is identity; {@link #compareTo} compares contents. Not thread-safe, and bound to the scope's thread.
 */
public sealed class ChunkBuffer implements DirectBuffer permits MutableChunkBuffer {
    static final ByteOrder NATIVE = ByteOrder.nativeOrder();
    private static final int COMPARED_AT_ONCE = Long.BYTES;

    private @Nullable ChunkView view;
    private int start;
    private int capacity;

    /** Creates a buffer of capacity 0; call {@link #on} to put it on one view after the other. */
    public ChunkBuffer() {}

    /**
     * Puts the buffer on a view.
     *
     * @param bytes the view, valid until its scope ends
     * @return this
     * @throws IllegalArgumentException if the view has 2 GiB or more, the limit of Agrona's buffers
     */
    public ChunkBuffer on(ChunkView bytes) {
        if (bytes.length() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("length=" + bytes.length() + ", but a buffer of Agrona has at most "
                + Integer.MAX_VALUE + " bytes");
        }
        set(bytes, 0, (int) bytes.length());
        return this;
    }

    private void set(@Nullable ChunkView bytes, int from, int length) {
        view = bytes;
        start = from;
        capacity = length;
    }

    /** Checks the range and returns the view, which itself checks its scope. */
    final ChunkView view(int index, int length) {
        boundsCheck(index, length);
        final ChunkView current = view;
        if (current == null) {
            throw new IllegalStateException("this buffer is not on a view, see on()");
        }
        return current;
    }

    /** Returns the offset in the view of a byte of the buffer. */
    final int at(int index) {
        return start + index;
    }

    // ---- wrapping ----

    /**
     * Wraps another ChunkBuffer completely, with its scope.
     *
     * @param buffer a ChunkBuffer
     * @throws UnsupportedOperationException if it is of another class
     */
    @Override
    public final void wrap(DirectBuffer buffer) {
        wrap(buffer, 0, buffer.capacity());
    }

    /**
     * Wraps a part of another ChunkBuffer, with its scope.
     *
     * @param buffer a ChunkBuffer; a MutableChunkBuffer, if this is one
     * @param offset first byte
     * @param length number of bytes
     * @throws UnsupportedOperationException if it is of another class
     */
    @Override
    public final void wrap(DirectBuffer buffer, int offset, int length) {
        if (!(buffer instanceof ChunkBuffer other)) {
            throw new UnsupportedOperationException("a ChunkBuffer is for chunks; for " + buffer.getClass().getName()
                + " use an UnsafeBuffer");
        }
        if (this instanceof MutableChunkBuffer && other.view != null && !(other.view instanceof ChunkEditor)) {
            throw new UnsupportedOperationException("the other buffer is on a view that cannot be written to");
        }
        other.boundsCheck(offset, length);
        set(other.view, other.start + offset, length);
    }

    private static UnsupportedOperationException noWrap() {
        return new UnsupportedOperationException("a ChunkBuffer is for chunks; for arrays, ByteBuffers and addresses "
            + "use an UnsafeBuffer");
    }

    @Override
    public final void wrap(byte[] buffer) {
        throw noWrap();
    }

    @Override
    public final void wrap(byte[] buffer, int offset, int length) {
        throw noWrap();
    }

    @Override
    public final void wrap(ByteBuffer buffer) {
        throw noWrap();
    }

    @Override
    public final void wrap(ByteBuffer buffer, int offset, int length) {
        throw noWrap();
    }

    @Override
    public final void wrap(long address, int length) {
        throw noWrap();
    }

    /**
     * Not supported, because uses of an address after the scope cannot be detected.
     *
     * @return never
     * @throws UnsupportedOperationException always
     */
    @Override
    public final long addressOffset() {
        throw new UnsupportedOperationException("the address of a chunk is not available: copy with getBytes or "
            + "putBytes of the ChunkBuffer, or wrap it with another ChunkBuffer");
    }

    @Override
    public final byte @Nullable [] byteArray() {
        return null;
    }

    @Override
    public final @Nullable ByteBuffer byteBuffer() {
        return null;
    }

    @Override
    public final int wrapAdjustment() {
        return start;
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final void checkLimit(int limit) {
        if (limit < 0 || limit > capacity) {
            throw new IndexOutOfBoundsException("limit=" + limit + " is beyond capacity=" + capacity);
        }
    }

    @Override
    public final void boundsCheck(int index, int length) {
        if ((index | length) < 0 || length > capacity - index) {
            throw new IndexOutOfBoundsException("index=" + index + " length=" + length + " capacity=" + capacity);
        }
    }

    // ---- numbers ----

    @Override
    public final long getLong(int index, ByteOrder byteOrder) {
        long bits = view(index, Long.BYTES).getLong(at(index));
        return byteOrder == ByteOrder.LITTLE_ENDIAN ? bits : Long.reverseBytes(bits);
    }

    @Override
    public final long getLong(int index) {
        return getLong(index, NATIVE);
    }

    @Override
    public final int getInt(int index, ByteOrder byteOrder) {
        int bits = view(index, Integer.BYTES).getInt(at(index));
        return byteOrder == ByteOrder.LITTLE_ENDIAN ? bits : Integer.reverseBytes(bits);
    }

    @Override
    public final int getInt(int index) {
        return getInt(index, NATIVE);
    }

    @Override
    public final short getShort(int index, ByteOrder byteOrder) {
        short bits = view(index, Short.BYTES).getShort(at(index));
        return byteOrder == ByteOrder.LITTLE_ENDIAN ? bits : Short.reverseBytes(bits);
    }

    @Override
    public final short getShort(int index) {
        return getShort(index, NATIVE);
    }

    @Override
    public final char getChar(int index, ByteOrder byteOrder) {
        return (char) getShort(index, byteOrder);
    }

    @Override
    public final char getChar(int index) {
        return getChar(index, NATIVE);
    }

    @Override
    public final double getDouble(int index, ByteOrder byteOrder) {
        return Double.longBitsToDouble(getLong(index, byteOrder));
    }

    @Override
    public final double getDouble(int index) {
        return getDouble(index, NATIVE);
    }

    @Override
    public final float getFloat(int index, ByteOrder byteOrder) {
        return Float.intBitsToFloat(getInt(index, byteOrder));
    }

    @Override
    public final float getFloat(int index) {
        return getFloat(index, NATIVE);
    }

    @Override
    public final byte getByte(int index) {
        return view(index, 1).getByte(at(index));
    }

    // ---- numbers as text ----

    @Override
    public final int parseNaturalIntAscii(int index, int length) {
        refuseSign(index, length);
        return parseIntAscii(index, length);
    }

    @Override
    public final long parseNaturalLongAscii(int index, int length) {
        refuseSign(index, length);
        return parseLongAscii(index, length);
    }

    @Override
    public final int parseIntAscii(int index, int length) {
        return AsciiEncoding.parseIntAscii(digits(index, length), 0, length);
    }

    @Override
    public final long parseLongAscii(int index, int length) {
        return AsciiEncoding.parseLongAscii(digits(index, length), 0, length);
    }

    private CharSequence digits(int index, int length) {
        boundsCheck(index, length);
        return new AsciiSequenceView(this, index, length);
    }

    private void refuseSign(int index, int length) {
        if (length > 0 && getByte(index) == AsciiEncoding.MINUS_SIGN) {
            throw new AsciiNumberFormatException("error parsing digit: a minus at index=" + index);
        }
    }

    // ---- bytes ----

    @Override
    public final void getBytes(int index, byte[] dst) {
        getBytes(index, dst, 0, dst.length);
    }

    @Override
    public final void getBytes(int index, byte[] dst, int offset, int length) {
        view(index, length).copyTo(at(index), dst, offset, length);
    }

    @Override
    public final void getBytes(int index, MutableDirectBuffer dstBuffer, int dstIndex, int length) {
        boundsCheck(index, length);
        dstBuffer.checkLimit(dstIndex + length);                // lets an expandable buffer grow
        byte[] array = dstBuffer.byteArray();
        if (array != null) {
            dstBuffer.boundsCheck(dstIndex, length);
            getBytes(index, array, dstBuffer.wrapAdjustment() + dstIndex, length);
        } else if (dstBuffer instanceof MutableChunkBuffer chunk) {
            chunk.putBytes(dstIndex, this, index, length);
        } else {
            copyByLongs(index, dstBuffer, dstIndex, length);
        }
    }

    /** Copies to memory off the heap, which cannot be this chunk's memory, because its address is not available. */
    private void copyByLongs(int index, MutableDirectBuffer target, int targetIndex, int length) {
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES) {
            target.putLong(targetIndex + done, getLong(index + done));
        }
        for (; done < length; done++) {
            target.putByte(targetIndex + done, getByte(index + done));
        }
    }

    @Override
    public final void getBytes(int index, ByteBuffer dstBuffer, int length) {
        getBytes(index, dstBuffer, dstBuffer.position(), length);
        dstBuffer.position(dstBuffer.position() + length);
    }

    @Override
    public final void getBytes(int index, ByteBuffer dstBuffer, int dstOffset, int length) {
        dstBuffer.put(dstOffset, bytes(index, length));
    }

    /** Returns a copy of a part. */
    final byte[] bytes(int index, int length) {
        boundsCheck(index, length);                             // before the array is allocated
        byte[] copy = new byte[length];
        getBytes(index, copy);
        return copy;
    }

    // ---- text ----

    @Override
    public final String getStringAscii(int index) {
        return getStringAscii(index, NATIVE);
    }

    @Override
    public final int getStringAscii(int index, Appendable appendable) {
        return getStringAscii(index, appendable, NATIVE);
    }

    @Override
    public final String getStringAscii(int index, ByteOrder byteOrder) {
        return getStringAscii(index, getInt(index, byteOrder));
    }

    @Override
    public final int getStringAscii(int index, Appendable appendable, ByteOrder byteOrder) {
        return getStringAscii(index, getInt(index, byteOrder), appendable);
    }

    @Override
    public final String getStringAscii(int index, int length) {
        return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length);
    }

    @Override
    public final int getStringAscii(int index, int length, Appendable appendable) {
        return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length, appendable);
    }

    @Override
    public final String getStringWithoutLengthAscii(int index, int length) {
        return text(index, length, StandardCharsets.US_ASCII);
    }

    @Override
    public final int getStringWithoutLengthAscii(int index, int length, Appendable appendable) {
        boundsCheck(index, length);
        try {
            for (int i = 0; i < length; i++) {
                byte code = getByte(index + i);
                appendable.append(code < 0 ? '?' : (char) code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return length;
    }

    @Override
    public final String getStringUtf8(int index) {
        return getStringUtf8(index, NATIVE);
    }

    @Override
    public final String getStringUtf8(int index, ByteOrder byteOrder) {
        return getStringUtf8(index, getInt(index, byteOrder));
    }

    @Override
    public final String getStringUtf8(int index, int length) {
        return getStringWithoutLengthUtf8(index + STR_HEADER_LEN, length);
    }

    @Override
    public final String getStringWithoutLengthUtf8(int index, int length) {
        return text(index, length, StandardCharsets.UTF_8);
    }

    private String text(int index, int length, Charset charset) {
        return new String(bytes(index, length), charset);
    }

    // ---- comparing ----

    /** Compares bytes as unsigned numbers; if one buffer is a prefix of the other, the shorter one is less. */
    @Override
    public final int compareTo(DirectBuffer that) {
        int length = Math.min(capacity, that.capacity());
        int i = 0;
        while (i <= length - COMPARED_AT_ONCE && getLong(i) == that.getLong(i)) {
            i += COMPARED_AT_ONCE;
        }
        for (; i < length; i++) {
            int difference = Byte.compareUnsigned(getByte(i), that.getByte(i));
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(capacity, that.capacity());
    }

    /** Returns the range of the buffer, without reading the chunk. */
    @Override
    public final String toString() {
        return getClass().getSimpleName() + "{capacity=" + capacity + ", start=" + start + "}";
    }
}

package io.teff.bridge.agrona;

import io.teff.engine.view.ChunkEditor;
import io.teff.engine.view.ChunkView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.agrona.AsciiEncoding;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ChunkBuffer} that can be written to, inside a scope that changes a chunk or a value; other threads see all
 * changes of the scope or none. It is not expandable: the chunk must have the length of the message before.
 *
 * <pre>{@code
 * MutableChunkBuffer buffer = new MutableChunkBuffer();
 * store.views().edit(cid, editor -> encoder.wrap(buffer.on(editor), offset).price(4711));
 * }</pre>
 */
public final class MutableChunkBuffer extends ChunkBuffer implements MutableDirectBuffer {
    private static final byte[] NO_BYTES = {};
    private static final int FILLED_AT_ONCE = Long.BYTES;
    private static final long ONE_IN_EACH_BYTE = 0x0101_0101_0101_0101L;

    /** Creates a buffer of capacity 0; call {@link #on} to put it on one editor after the other. */
    public MutableChunkBuffer() {}

    /**
     * Puts the buffer on an editor.
     *
     * @param bytes a {@link ChunkEditor}, valid until its scope ends
     * @return this
     * @throws IllegalArgumentException if {@code bytes} is not an editor, or has 2 GiB or more
     */
    @Override
    public MutableChunkBuffer on(ChunkView bytes) {
        if (!(bytes instanceof ChunkEditor)) {
            throw new IllegalArgumentException("the view cannot be written to; use a ChunkBuffer");
        }
        super.on(bytes);
        return this;
    }

    private ChunkEditor editor(int index, int length) {
        return (ChunkEditor) view(index, length);
    }

    @Override
    public boolean isExpandable() {
        return false;
    }

    // ---- numbers ----

    @Override
    public void putLong(int index, long value, ByteOrder byteOrder) {
        long bits = byteOrder == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
        editor(index, Long.BYTES).putLong(at(index), bits);
    }

    @Override
    public void putLong(int index, long value) {
        putLong(index, value, NATIVE);
    }

    @Override
    public void putInt(int index, int value, ByteOrder byteOrder) {
        int bits = byteOrder == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
        editor(index, Integer.BYTES).putInt(at(index), bits);
    }

    @Override
    public void putInt(int index, int value) {
        putInt(index, value, NATIVE);
    }

    @Override
    public void putShort(int index, short value, ByteOrder byteOrder) {
        short bits = byteOrder == ByteOrder.LITTLE_ENDIAN ? value : Short.reverseBytes(value);
        editor(index, Short.BYTES).putShort(at(index), bits);
    }

    @Override
    public void putShort(int index, short value) {
        putShort(index, value, NATIVE);
    }

    @Override
    public void putChar(int index, char value, ByteOrder byteOrder) {
        putShort(index, (short) value, byteOrder);
    }

    @Override
    public void putChar(int index, char value) {
        putChar(index, value, NATIVE);
    }

    @Override
    public void putDouble(int index, double value, ByteOrder byteOrder) {
        putLong(index, Double.doubleToRawLongBits(value), byteOrder);
    }

    @Override
    public void putDouble(int index, double value) {
        putDouble(index, value, NATIVE);
    }

    @Override
    public void putFloat(int index, float value, ByteOrder byteOrder) {
        putInt(index, Float.floatToRawIntBits(value), byteOrder);
    }

    @Override
    public void putFloat(int index, float value) {
        putFloat(index, value, NATIVE);
    }

    @Override
    public void putByte(int index, byte value) {
        editor(index, 1).putByte(at(index), value);
    }

    // ---- numbers as text ----

    @Override
    public int putIntAscii(int index, int value) {
        return putStringWithoutLengthAscii(index, Integer.toString(value));
    }

    @Override
    public int putLongAscii(int index, long value) {
        return putStringWithoutLengthAscii(index, Long.toString(value));
    }

    @Override
    public int putNaturalIntAscii(int index, int value) {
        return putNaturalLongAscii(index, value);
    }

    @Override
    public int putNaturalLongAscii(int index, long value) {
        refuseNegative(value);
        return putLongAscii(index, value);
    }

    @Override
    public void putNaturalPaddedIntAscii(int index, int length, int value) {
        refuseNegative(value);
        boundsCheck(index, length);
        String digits = Integer.toString(value);
        int padding = length - digits.length();
        if (padding < 0) {
            throw new NumberFormatException("cannot write " + value + " in " + length + " bytes");
        }
        setMemory(index, padding, AsciiEncoding.ZERO);
        putStringWithoutLengthAscii(index + padding, digits);
    }

    @Override
    public int putNaturalIntAsciiFromEnd(int value, int endExclusive) {
        refuseNegative(value);
        String digits = Integer.toString(value);
        int index = endExclusive - digits.length();
        putStringWithoutLengthAscii(index, digits);
        return index;
    }

    private static void refuseNegative(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("value=" + value + " is not a natural number");
        }
    }

    // ---- bytes ----

    @Override
    public void setMemory(int index, int length, byte value) {
        ChunkEditor editor = editor(index, length);
        final long word = (value & 0xFF) * ONE_IN_EACH_BYTE;
        int done = 0;
        for (; done <= length - FILLED_AT_ONCE; done += FILLED_AT_ONCE) {
            editor.putLong(at(index + done), word);
        }
        for (; done < length; done++) {
            editor.putByte(at(index + done), value);
        }
    }

    @Override
    public void putBytes(int index, byte[] src) {
        putBytes(index, src, 0, src.length);
    }

    @Override
    public void putBytes(int index, byte[] src, int offset, int length) {
        editor(index, length).copyFrom(src, offset, at(index), length);
    }

    @Override
    public void putBytes(int index, ByteBuffer srcBuffer, int length) {
        putBytes(index, srcBuffer, srcBuffer.position(), length);
        srcBuffer.position(srcBuffer.position() + length);
    }

    @Override
    public void putBytes(int index, ByteBuffer srcBuffer, int srcIndex, int length) {
        boundsCheck(index, length);                             // before the array is allocated
        byte[] copy = new byte[length];
        srcBuffer.get(srcIndex, copy);
        putBytes(index, copy);
    }

    @Override
    public void putBytes(int index, DirectBuffer srcBuffer, int srcIndex, int length) {
        boundsCheck(index, length);
        srcBuffer.boundsCheck(srcIndex, length);
        byte[] array = srcBuffer.byteArray();
        if (array != null) {
            putBytes(index, array, srcBuffer.wrapAdjustment() + srcIndex, length);
        } else if (srcBuffer instanceof ChunkBuffer chunk) {
            putBytes(index, chunk.bytes(srcIndex, length));     // copied first, because the two ranges may overlap
        } else {
            byte[] copy = new byte[length];
            srcBuffer.getBytes(srcIndex, copy);
            putBytes(index, copy);
        }
    }

    // ---- text ----

    @Override
    public int putStringAscii(int index, @Nullable String value) {
        return putStringAscii(index, value, NATIVE);
    }

    @Override
    public int putStringAscii(int index, @Nullable CharSequence value) {
        return putStringAscii(index, value, NATIVE);
    }

    @Override
    public int putStringAscii(int index, @Nullable String value, ByteOrder byteOrder) {
        return putStringAscii(index, (CharSequence) value, byteOrder);
    }

    @Override
    public int putStringAscii(int index, @Nullable CharSequence value, ByteOrder byteOrder) {
        return putWithLength(index, ascii(value, 0, Integer.MAX_VALUE), byteOrder);
    }

    @Override
    public int putStringWithoutLengthAscii(int index, @Nullable String value) {
        return putStringWithoutLengthAscii(index, (CharSequence) value);
    }

    @Override
    public int putStringWithoutLengthAscii(int index, @Nullable CharSequence value) {
        return putStringWithoutLengthAscii(index, value, 0, Integer.MAX_VALUE);
    }

    @Override
    public int putStringWithoutLengthAscii(int index, @Nullable String value, int valueOffset, int length) {
        return putStringWithoutLengthAscii(index, (CharSequence) value, valueOffset, length);
    }

    @Override
    public int putStringWithoutLengthAscii(int index, @Nullable CharSequence value, int valueOffset, int length) {
        byte[] codes = ascii(value, valueOffset, length);
        putBytes(index, codes);
        return codes.length;
    }

    @Override
    public int putStringUtf8(int index, @Nullable String value) {
        return putStringUtf8(index, value, NATIVE);
    }

    @Override
    public int putStringUtf8(int index, @Nullable String value, ByteOrder byteOrder) {
        return putStringUtf8(index, value, byteOrder, Integer.MAX_VALUE);
    }

    @Override
    public int putStringUtf8(int index, @Nullable String value, int maxEncodedLength) {
        return putStringUtf8(index, value, NATIVE, maxEncodedLength);
    }

    @Override
    public int putStringUtf8(int index, @Nullable String value, ByteOrder byteOrder, int maxEncodedLength) {
        byte[] codes = utf8(value);
        if (codes.length > maxEncodedLength) {
            throw new IllegalArgumentException("the string has " + codes.length + " bytes, maxEncodedLength="
                + maxEncodedLength);
        }
        return putWithLength(index, codes, byteOrder);
    }

    @Override
    public int putStringWithoutLengthUtf8(int index, @Nullable String value) {
        byte[] codes = utf8(value);
        putBytes(index, codes);
        return codes.length;
    }

    private int putWithLength(int index, byte[] codes, ByteOrder byteOrder) {
        boundsCheck(index, STR_HEADER_LEN + codes.length);
        putInt(index, codes.length, byteOrder);
        putBytes(index + STR_HEADER_LEN, codes);
        return STR_HEADER_LEN + codes.length;
    }

    private static byte[] utf8(@Nullable String value) {
        return value == null ? NO_BYTES : value.getBytes(StandardCharsets.UTF_8);
    }

    /** Encodes one byte per char, and a question mark for chars that are not ASCII, as Agrona does. */
    private static byte[] ascii(@Nullable CharSequence value, int from, int lengthMax) {
        if (value == null) {
            return NO_BYTES;
        }
        byte[] codes = new byte[Math.min(value.length() - from, lengthMax)];
        for (int i = 0; i < codes.length; i++) {
            char c = value.charAt(from + i);
            codes[i] = (byte) (c > 127 ? '?' : c);
        }
        return codes;
    }
}

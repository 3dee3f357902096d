package io.teff.bridge.agrona;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.agrona.MutableDirectBuffer;

/** Everything that Agrona's interfaces can do with bytes, with random arguments; what comes out is put into words. */
final class BufferOperations {
    private static final int STRING_HEADER = MutableDirectBuffer.STR_HEADER_LEN;

    private static final List<BiFunction<MutableDirectBuffer, Random, Object>> ALL = List.of(
        (b, r) -> b.getLong(index(b, r), order(r)),
        (b, r) -> b.getLong(index(b, r)),
        (b, r) -> b.getInt(index(b, r), order(r)),
        (b, r) -> b.getInt(index(b, r)),
        (b, r) -> b.getShort(index(b, r), order(r)),
        (b, r) -> b.getShort(index(b, r)),
        (b, r) -> b.getChar(index(b, r), order(r)),
        (b, r) -> b.getChar(index(b, r)),
        (b, r) -> Double.doubleToRawLongBits(b.getDouble(index(b, r), order(r))),
        (b, r) -> Double.doubleToRawLongBits(b.getDouble(index(b, r))),
        (b, r) -> Float.floatToRawIntBits(b.getFloat(index(b, r), order(r))),
        (b, r) -> Float.floatToRawIntBits(b.getFloat(index(b, r))),
        (b, r) -> b.getByte(index(b, r)),
        (b, r) -> done(() -> b.putLong(index(b, r), r.nextLong(), order(r))),
        (b, r) -> done(() -> b.putLong(index(b, r), r.nextLong())),
        (b, r) -> done(() -> b.putInt(index(b, r), r.nextInt(), order(r))),
        (b, r) -> done(() -> b.putInt(index(b, r), r.nextInt())),
        (b, r) -> done(() -> b.putShort(index(b, r), (short) r.nextInt(), order(r))),
        (b, r) -> done(() -> b.putShort(index(b, r), (short) r.nextInt())),
        (b, r) -> done(() -> b.putChar(index(b, r), (char) r.nextInt(), order(r))),
        (b, r) -> done(() -> b.putChar(index(b, r), (char) r.nextInt())),
        (b, r) -> done(() -> b.putDouble(index(b, r), r.nextDouble(), order(r))),
        (b, r) -> done(() -> b.putDouble(index(b, r), r.nextDouble())),
        (b, r) -> done(() -> b.putFloat(index(b, r), r.nextFloat(), order(r))),
        (b, r) -> done(() -> b.putFloat(index(b, r), r.nextFloat())),
        (b, r) -> done(() -> b.putByte(index(b, r), (byte) r.nextInt())),
        (b, r) -> done(() -> b.setMemory(index(b, r), r.nextInt(30), (byte) r.nextInt())),
        BufferOperations::getArray,
        BufferOperations::getByteBuffer,
        (b, r) -> done(() -> b.putBytes(index(b, r), randomBytes(r))),
        (b, r) -> done(() -> b.putBytes(index(b, r), randomBytes(r), r.nextInt(5), r.nextInt(20))),
        BufferOperations::putByteBuffer,
        (b, r) -> done(() -> b.putBytes(index(b, r), b, index(b, r), r.nextInt(30))),
        BufferOperations::intAscii,
        BufferOperations::longAscii,
        BufferOperations::naturalAscii,
        BufferOperations::ascii,
        BufferOperations::asciiWithoutLength,
        BufferOperations::utf8);

    private BufferOperations() {}

    /** Does one of them; what it returns or throws. */
    static String apply(MutableDirectBuffer buffer, Random random) {
        BiFunction<MutableDirectBuffer, Random, Object> operation = ALL.get(random.nextInt(ALL.size()));
        try {
            return String.valueOf(operation.apply(buffer, random));
        } catch (IndexOutOfBoundsException e) {
            return "out of bounds";
        }
    }

    private static Object done(Runnable operation) {
        operation.run();
        return "done";
    }

    /** Now and then beyond the end. */
    private static int index(MutableDirectBuffer buffer, Random random) {
        return random.nextInt(-1, buffer.capacity() + 1);
    }

    private static ByteOrder order(Random random) {
        return random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    private static byte[] randomBytes(Random random) {
        byte[] bytes = new byte[random.nextInt(25)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Object getArray(MutableDirectBuffer buffer, Random random) {
        byte[] target = new byte[20];
        int length = random.nextInt(20);
        buffer.getBytes(index(buffer, random), target, random.nextInt(20 - length), length);
        byte[] all = new byte[random.nextInt(9)];
        buffer.getBytes(index(buffer, random), all);
        return Arrays.toString(target) + Arrays.toString(all);
    }

    private static Object getByteBuffer(MutableDirectBuffer buffer, Random random) {
        ByteBuffer target = random.nextBoolean() ? ByteBuffer.allocate(20) : ByteBuffer.allocateDirect(20);
        buffer.getBytes(index(buffer, random), target.position(2), 7);
        buffer.getBytes(index(buffer, random), target, 11, 5);
        int position = target.position();
        byte[] bytes = new byte[20];
        target.get(0, bytes);
        return position + Arrays.toString(bytes);
    }

    private static Object putByteBuffer(MutableDirectBuffer buffer, Random random) {
        ByteBuffer source = (random.nextBoolean() ? ByteBuffer.allocate(20) : ByteBuffer.allocateDirect(20))
            .putLong(0, random.nextLong()).putLong(8, random.nextLong());
        buffer.putBytes(index(buffer, random), source.position(2), 7);
        buffer.putBytes(index(buffer, random), source, 11, 5);
        return source.position();
    }

    private static Object intAscii(MutableDirectBuffer buffer, Random random) {
        int value = random.nextInt(10) == 0 ? Integer.MIN_VALUE : random.nextInt() >> random.nextInt(31);
        int index = index(buffer, random);
        int length = buffer.putIntAscii(index, value);
        return length + " " + buffer.parseIntAscii(index, length);
    }

    private static Object longAscii(MutableDirectBuffer buffer, Random random) {
        long value = random.nextInt(10) == 0 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(63);
        int index = index(buffer, random);
        int length = buffer.putLongAscii(index, value);
        return length + " " + buffer.parseLongAscii(index, length);
    }

    private static Object naturalAscii(MutableDirectBuffer buffer, Random random) {
        int value = 1 + (random.nextInt(Integer.MAX_VALUE - 1) >> random.nextInt(31));
        int index = index(buffer, random);
        int length = buffer.putNaturalIntAscii(index, value);
        String said = length + " " + buffer.parseNaturalIntAscii(index, length);
        length = buffer.putNaturalLongAscii(index, value * 1_000_000_007L);
        said += " " + buffer.parseNaturalLongAscii(index, length);
        buffer.putNaturalPaddedIntAscii(index, 12, value);
        said += " " + buffer.parseNaturalLongAscii(index, 12);
        return said + " " + buffer.putNaturalIntAsciiFromEnd(value, index + 12);
    }

    private static Object ascii(MutableDirectBuffer buffer, Random random) {
        String text = text(random);
        int index = index(buffer, random);
        ByteOrder order = order(random);
        StringBuilder said = new StringBuilder();
        said.append(buffer.putStringAscii(index, text)).append(buffer.getStringAscii(index));
        said.append(buffer.getStringAscii(index, said));
        said.append(buffer.putStringAscii(index, (CharSequence) text));
        said.append(buffer.putStringAscii(index, text, order)).append(buffer.getStringAscii(index, order));
        said.append(buffer.getStringAscii(index, said, order));
        said.append(buffer.putStringAscii(index, (CharSequence) text, order));
        int length = text.length();
        said.append(buffer.getStringAscii(index, length)).append(buffer.getStringAscii(index, length, said));
        return said.append(buffer.putStringAscii(index, (String) null));
    }

    private static Object asciiWithoutLength(MutableDirectBuffer buffer, Random random) {
        String text = text(random);
        int index = index(buffer, random);
        int from = random.nextInt(text.length() + 1);
        StringBuilder said = new StringBuilder();
        said.append(buffer.putStringWithoutLengthAscii(index, text));
        said.append(buffer.getStringWithoutLengthAscii(index, text.length()));
        said.append(buffer.putStringWithoutLengthAscii(index, (CharSequence) text, from, 4));
        said.append(buffer.getStringWithoutLengthAscii(index, text.length(), said));
        said.append(buffer.putStringWithoutLengthAscii(index, text, from, 40));
        return said.append(buffer.putStringWithoutLengthAscii(index, (CharSequence) null));
    }

    private static Object utf8(MutableDirectBuffer buffer, Random random) {
        String text = text(random);
        int index = index(buffer, random);
        ByteOrder order = order(random);
        StringBuilder said = new StringBuilder();
        said.append(buffer.putStringUtf8(index, text)).append(buffer.getStringUtf8(index));
        int length = buffer.putStringUtf8(index, text, order) - STRING_HEADER;
        said.append(buffer.getStringUtf8(index, order)).append(buffer.getStringUtf8(index, length));
        try {
            said.append(buffer.putStringUtf8(index, text, 6)).append(buffer.putStringUtf8(index, text, order, 6));
        } catch (IllegalArgumentException e) {
            said.append("too long");
        }
        said.append(buffer.putStringWithoutLengthUtf8(index, text));
        return said.append(buffer.getStringWithoutLengthUtf8(index, length));
    }

    private static String text(Random random) {
        String letters = "abc\u00e4\u20ac7";
        return random.ints(random.nextInt(9), 0, letters.length()).mapToObj(i -> letters.substring(i, i + 1))
            .reduce("", String::concat);
    }
}

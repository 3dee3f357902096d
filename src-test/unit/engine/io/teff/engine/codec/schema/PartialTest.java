package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: writing and reading in windows gives the same results as at once, wherever the windows end.
 *
 * <p>Method: random values, split in two at each byte, in windows of one byte and of random sizes. Mutated bytes must
 * have the same outcome in both ways of reading, which share no code for structs and collections.
 */
final class PartialTest {
    private static final int BYTES_MAX = 1 << 24;
    private static final int MUTATIONS = Form.size(600, 3_000, 3_000);
    private static final int SPLIT_VALUES = Form.size(7, 20, 20);
    private static final int LIMITED_VALUES = Form.size(10, 30, 30);

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(1);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static <T> byte[] writePartially(PartialWriter<T> writer, T value, int size, IntSupplier windows) {
        writer.begin(value);
        byte[] all = new byte[size + 10];
        int at = 0;
        while (!writer.isDone()) {
            int room = Math.min(windows.getAsInt(), all.length - at);
            int written = writer.write(all, at, room);
            at += written;
            assertTrue(written == room || writer.isDone(), "a window with room left");
        }
        return Arrays.copyOf(all, at);
    }

    private static <T> T readPartially(PartialReader<T> reader, byte[] bytes, IntSupplier windows) {
        reader.begin();
        for (int at = 0; at < bytes.length; ) {
            assertFalse(reader.isDone());
            int length = Math.min(windows.getAsInt(), bytes.length - at);
            byte[] window = Arrays.copyOfRange(bytes, at, at + length);
            assertEquals(length, reader.read(window, 0, length));
            at += length;
        }
        if (!reader.isDone()) {
            reader.read(bytes, 0, 0);
        }
        return reader.value();
    }

    /** Writes and reads a value in windows; the value read must encode to the same bytes. */
    private static <T> void check(Schema<T> schema, T value, IntSupplier windows, String reproduce) {
        byte[] bytes = bytes(schema, value);
        assertArrayEquals(bytes, writePartially(schema.partialWriter(), value, bytes.length, windows), reproduce);
        T read = readPartially(schema.partialReader(BYTES_MAX), bytes, windows);
        assertArrayEquals(bytes, bytes(schema, read), reproduce);
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_splitAtEachByte_returnsTheValue(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        String reproduce = Seed.reproduce(PartialTest.class, seed);
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < SPLIT_VALUES; i++) {
                T value = samples.any(type);
                int size = bytes(schema, value).length;
                for (int split = 0; split <= size; split++) {
                    int first = split;
                    int[] windows = {0};
                    check(schema, value, () -> windows[0]++ % 2 == 0 ? first : size + 1, reproduce + " split=" + split);
                }
                check(schema, value, () -> 1, reproduce + " bytes one by one");
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_windowsOfRandomSizes_returnsTheValue(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Samples samples = new Samples(random);
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < 300; i++) {
                check(schema, samples.any(type), () -> random.nextInt(30), Seed.reproduce(PartialTest.class, seed));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_mutatedBytes_hasTheSameOutcomeAsAtOnce(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Samples samples = new Samples(random);
        String reproduce = Seed.reproduce(PartialTest.class, seed);
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < MUTATIONS; i++) {
                byte[] bad = bytes(schema, samples.any(type));
                for (int changes = bad.length == 0 ? 0 : 1 + random.nextInt(3); changes > 0; changes--) {
                    bad[random.nextInt(bad.length)] = (byte) random.nextInt();
                }
                byte[] atOnce = null;
                int used = 0;
                try {
                    Input in = new Input(bad, 0, bad.length);
                    atOnce = bytes(schema, schema.read(in));
                    used = bad.length - in.left();
                } catch (MalformedException e) {
                    assertTrue(e.offset() <= bad.length);
                }
                byte[] partial = null;
                PartialReader<T> reader = schema.partialReader(bad.length);
                try {
                    int at = 0;
                    do {
                        int length = Math.min(1 + random.nextInt(9), bad.length - at);
                        at += reader.read(bad, at, length);
                    } while (at < bad.length && !reader.isDone());
                    if (reader.isDone()) {
                        partial = bytes(schema, reader.value());
                        assertEquals(used, at, reproduce);
                    }
                } catch (MalformedException e) {
                    assertTrue(e.offset() <= bad.length);
                }
                assertArrayEquals(atOnce, partial, reproduce);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 1023, 1024, 1025, 5000, 100_000})
    void read_longStringsAndArrays_returnsTheValue(int length) {
        Schema<Samples.Arrays2> arrays = Schema.of(Samples.Arrays2.class);
        long[] longs = new long[length];
        Arrays.setAll(longs, i -> i * 0x123_4567_89ABL);
        String[] texts = {"a".repeat(length), "\u20ac".repeat(length), null};
        check(arrays, new Samples.Arrays2(new boolean[length], new byte[length], null, new char[length], null, longs,
            new float[0], new double[length], null, new Samples.Point[length], texts), () -> 777, "length=" + length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 5000, 100_000})
    void codecs_stringsAndBytesInWindows_areEqual(int length) {
        for (String text : List.of("a".repeat(length), "\u20ac".repeat(length))) {
            byte[] bytes = bytes(Codecs.STRING, text);
            assertArrayEquals(bytes, writePartially(Objects.requireNonNull(Codecs.STRING.partialWriter()), text,
                bytes.length, () -> 777));
            assertEquals(text, readPartially(Objects.requireNonNull(Codecs.STRING.partialReader(BYTES_MAX)), bytes,
                () -> 777));
        }
        byte[] bytes = "b".repeat(length).getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals(bytes, writePartially(Objects.requireNonNull(Codecs.BYTES.partialWriter()), bytes, length,
            () -> 777));
        assertNull(Codecs.BYTES.partialReader(BYTES_MAX), "the bytes do not contain their length");
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void write_outputWithALimit_throwsBeyondIt(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < LIMITED_VALUES; i++) {
                T value = samples.any(type);
                byte[] bytes = bytes(schema, value);
                Output out = Output.growing(1);
                for (int limit = 0; limit < bytes.length; limit++) {
                    out.clear(limit);
                    assertThrows(IndexOutOfBoundsException.class, () -> schema.write(value, out),
                        Seed.reproduce(PartialTest.class, seed));
                    assertTrue(out.array().length <= Math.max(limit, 1));
                }
                out.clear(bytes.length);
                schema.write(value, out);
                assertArrayEquals(bytes, out.toByteArray());
            }
        }
    }

    @Test
    void value_incomplete_throws() {
        PartialReader<String> reader = Schema.of(String.class).partialReader(100);
        assertThrows(IllegalStateException.class, reader::value);
        assertEquals(1, reader.read(new byte[] {4}, 0, 1));
        assertThrows(IllegalStateException.class, reader::value);
        assertEquals(2, reader.read(new byte[] {'a', 'b', 'c'}, 0, 3), "the byte behind the value is not consumed");
        assertEquals("ab", reader.value());
        reader.begin();
        assertFalse(reader.isDone());
    }

    @Test
    void read_hugeLength_isMalformedOrAllocatesByArrival() {
        Output out = Output.growing(16);
        out.putVar(2_000_000_000L << 1);
        byte[] bytes = out.toByteArray();
        PartialReader<String> small = Schema.of(String.class).partialReader(1 << 20);
        assertThrows(MalformedException.class, () -> small.read(bytes, 0, bytes.length));
        PartialReader<String> large = Schema.of(String.class).partialReader(Integer.MAX_VALUE);
        assertEquals(bytes.length, large.read(bytes, 0, bytes.length));
        assertFalse(large.isDone());
    }
}

package io.teff.engine.codec.schema;

import io.teff.engine.Seed;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
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
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: in pieces as at once, wherever the cuts are. Method: every split of random values, pieces of one byte and of
 * random sizes; mutated bytes must have the same fate in both ways of reading, which share no code for structs and
 * collections.
 */
final class PartialTest {
    private static final int BYTES_MAX = 1 << 24;

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(1);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static <T> byte[] inPieces(PartialWriter<T> writer, T value, int size, IntSupplier pieces) {
        writer.begin(value);
        byte[] all = new byte[size + 10];
        int at = 0;
        while (!writer.isDone()) {
            int room = Math.min(pieces.getAsInt(), all.length - at);
            int written = writer.write(all, at, room);
            at += written;
            assertTrue(written == room || writer.isDone(), "a window with room left");
        }
        return Arrays.copyOf(all, at);
    }

    private static <T> T fromPieces(PartialReader<T> reader, byte[] bytes, IntSupplier pieces) {
        reader.begin();
        for (int at = 0; at < bytes.length; ) {
            assertFalse(reader.isDone());
            int piece = Math.min(pieces.getAsInt(), bytes.length - at);
            byte[] window = Arrays.copyOfRange(bytes, at, at + piece);
            assertEquals(piece, reader.read(window, 0, piece));
            at += piece;
        }
        if (!reader.isDone()) {
            reader.read(bytes, 0, 0);
        }
        return reader.value();
    }

    /** The bytes that a value comes back to are its own. */
    private static <T> void check(Schema<T> schema, T value, IntSupplier pieces, String reproduce) {
        byte[] bytes = bytes(schema, value);
        assertArrayEquals(bytes, inPieces(schema.partialWriter(), value, bytes.length, pieces), reproduce);
        T read = fromPieces(schema.partialReader(BYTES_MAX), bytes, pieces);
        assertArrayEquals(bytes, bytes(schema, read), reproduce);
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void everySplit_isTheSameAsNone(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        String reproduce = Seed.reproduce(PartialTest.class, seed);
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < 20; i++) {
                T value = samples.any(type);
                int size = bytes(schema, value).length;
                for (int split = 0; split <= size; split++) {
                    int first = split;
                    int[] piece = {0};
                    check(schema, value, () -> piece[0]++ % 2 == 0 ? first : size + 1, reproduce + " split=" + split);
                }
                check(schema, value, () -> 1, reproduce + " bytes one by one");
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void anyPieces_areTheSameAsNone(Class<T> type) {
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
    <T> void anyMutation_hasTheSameFate(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Samples samples = new Samples(random);
        String reproduce = Seed.reproduce(PartialTest.class, seed);
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < 3000; i++) {
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
                byte[] pieces = null;
                PartialReader<T> reader = schema.partialReader(bad.length);
                try {
                    int at = 0;
                    do {
                        int piece = Math.min(1 + random.nextInt(9), bad.length - at);
                        at += reader.read(bad, at, piece);
                    } while (at < bad.length && !reader.isDone());
                    if (reader.isDone()) {
                        pieces = bytes(schema, reader.value());
                        assertEquals(used, at, reproduce);
                    }
                } catch (MalformedException e) {
                    assertTrue(e.offset() <= bad.length);
                }
                assertArrayEquals(atOnce, pieces, reproduce);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 1023, 1024, 1025, 5000, 100_000})
    void longStringsAndArrays_areTheSameInPieces(int length) {
        Schema<Samples.Arrays2> arrays = Schema.of(Samples.Arrays2.class);
        long[] longs = new long[length];
        Arrays.setAll(longs, i -> i * 0x123_4567_89ABL);
        String[] texts = {"a".repeat(length), "\u20ac".repeat(length), null};
        check(arrays, new Samples.Arrays2(new boolean[length], new byte[length], null, new char[length], null, longs,
            new float[0], new double[length], null, new Samples.Point[length], texts), () -> 777, "length=" + length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 5000, 100_000})
    void stringsAndBytesOfCodecs_areTheSameInPieces(int length) {
        for (String text : List.of("a".repeat(length), "\u20ac".repeat(length))) {
            byte[] bytes = bytes(Codecs.STRING, text);
            assertArrayEquals(bytes, inPieces(Objects.requireNonNull(Codecs.STRING.partialWriter()), text, bytes.length,
                () -> 777));
            assertEquals(text, fromPieces(Objects.requireNonNull(Codecs.STRING.partialReader(BYTES_MAX)), bytes,
                () -> 777));
        }
        byte[] bytes = "b".repeat(length).getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals(bytes, inPieces(Objects.requireNonNull(Codecs.BYTES.partialWriter()), bytes, length,
            () -> 777));
        assertNull(Codecs.BYTES.partialReader(BYTES_MAX), "they do not say where they end");
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void outputWithALimit_takesNoMore(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            for (int i = 0; i < 30; i++) {
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
    void value_beforeItIsComplete_throws() {
        PartialReader<String> reader = Schema.of(String.class).partialReader(100);
        assertThrows(IllegalStateException.class, reader::value);
        assertEquals(1, reader.read(new byte[] {4}, 0, 1));
        assertThrows(IllegalStateException.class, reader::value);
        assertEquals(2, reader.read(new byte[] {'a', 'b', 'c'}, 0, 3), "what follows belongs to somebody else");
        assertEquals("ab", reader.value());
        reader.begin();
        assertFalse(reader.isDone());
    }

    @Test
    void hugeAnnouncement_isRefusedOrGrowsWithWhatArrives() {
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

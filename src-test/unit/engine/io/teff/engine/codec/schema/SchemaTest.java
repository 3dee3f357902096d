package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.bytes.Leb128;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: values of all kinds of types are read equal to those written; malformed bytes cause one type of exception.
 *
 * <p>Method: random values of every kind of type, each truncation, many mutations.
 */
final class SchemaTest {
    private static final int VALUES = 300;
    private static final int MUTATIONS = Form.size(1500, 6000, 6000);

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(1);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static void assertSame(Object expected, Object actual, String reproduce) {
        assertTrue(Objects.deepEquals(expected, actual), () -> reproduce + ": " + expected + " was read as " + actual);
    }

    private static <T> List<Schema<T>> schemas(Class<T> type) {
        return List.of(Schema.of(type), Schema.builder(type).compact().build());
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_anyValue_isEqual(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        String reproduce = Seed.reproduce(SchemaTest.class, seed);
        for (Schema<T> schema : schemas(type)) {
            for (int i = 0; i < VALUES; i++) {
                T value = samples.any(type);
                byte[] bytes = bytes(schema, value);
                Input in = new Input(bytes, 0, bytes.length);
                assertSame(value, schema.read(in), reproduce);
                assertEquals(0, in.left(), reproduce);
                assertTrue(schema.fixedBytes() < 0 || schema.fixedBytes() == bytes.length, reproduce);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void write_inTheMiddleOfAnArray_changesNothingElse(Class<T> type) {
        long seed = Seed.first();
        T value = new Samples(Seed.random(seed)).any(type);
        for (Schema<T> schema : schemas(type)) {
            byte[] bytes = bytes(schema, value);
            byte[] array = new byte[bytes.length + 20];
            Arrays.fill(array, (byte) 0x55);
            schema.write(value, Output.over(array, 7, bytes.length));
            byte[] expected = new byte[array.length];
            Arrays.fill(expected, (byte) 0x55);
            System.arraycopy(bytes, 0, expected, 7, bytes.length);
            assertTrue(Arrays.equals(expected, array), Seed.reproduce(SchemaTest.class, seed));
            assertSame(value, schema.read(new Input(array, 7, bytes.length)), Seed.reproduce(SchemaTest.class, seed));
            if (bytes.length > 0) {
                assertThrows(IndexOutOfBoundsException.class, () ->
                    schema.write(value, Output.over(array, 7, bytes.length - 1)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void copyTo_segmentAndBack_isEqual(boolean offHeap) {
        Schema<String> schema = Schema.of(String.class);
        Output out = Output.growing(1);
        Input in = new Input(new byte[0], 0, 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = offHeap ? arena.allocate(500) : MemorySegment.ofArray(new byte[500]);
            for (int length : new int[] {3, 300, 0, 100}) {
                out.clear();
                schema.write("x".repeat(length), out);
                out.copyTo(segment, 7);
                in.copyFrom(segment, 7, out.size());
                assertEquals("x".repeat(length), schema.read(in));
                assertEquals(0, in.left());
            }
            assertThrows(IndexOutOfBoundsException.class, () -> out.copyTo(segment, 500 - out.size() + 1));
            assertThrows(IndexOutOfBoundsException.class, () -> in.copyFrom(segment, 1, 500));
            assertThrows(IndexOutOfBoundsException.class, () -> in.copyFrom(segment, -1, 5));
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_anyTruncation_isMalformed(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        for (Schema<T> schema : schemas(type)) {
            for (int i = 0; i < 30; i++) {
                byte[] bytes = bytes(schema, samples.any(type));
                for (int length = 0; length < bytes.length; length++) {
                    int cut = length;
                    assertThrows(MalformedException.class, () -> schema.read(new Input(bytes, 0, cut)), () ->
                        Seed.reproduce(SchemaTest.class, seed) + " length=" + cut + " of " + bytes.length);
                }
            }
        }
    }

    /** 19 types, 2 layouts, 6,000 each: 228,000 mutations. */
    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_mutatedBytes_isMalformedOrAnotherValue(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Samples samples = new Samples(random);
        for (Schema<T> schema : schemas(type)) {
            for (int i = 0; i < MUTATIONS; i++) {
                byte[] bytes = bytes(schema, samples.any(type));
                for (int changes = bytes.length == 0 ? 0 : 1 + random.nextInt(3); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                try {
                    T value = schema.read(new Input(bytes, 0, bytes.length));
                    byte[] again = bytes(schema, value);
                    assertArrayEquals(again, bytes(schema, schema.read(new Input(again, 0, again.length))),
                        Seed.reproduce(SchemaTest.class, seed));
                } catch (MalformedException e) {
                    assertTrue(e.offset() <= bytes.length && e.getMessage().contains("at offset"), e.toString());
                }
            }
        }
    }

    /** Numbers of each size in bits, at each distance from the end of the window. */
    @Test
    void putZigzag_numbersOfAnyLength_takesTheShortestForm() {
        for (int bits = 0; bits <= Long.SIZE; bits++) {
            long top = bits == 0 ? 0 : 1L << bits - 1;
            for (long zigzag : new long[] {top, top | top >>> 1, top << 1 == 0 ? -1L : (top << 1) - 1}) {
                long value = zigzag >>> 1 ^ -(zigzag & 1);
                Output plain = Output.growing(1);
                plain.putVar(zigzag);
                byte[] expected = plain.toByteArray();
                assertEquals(expected.length, Leb128.bytes(zigzag));
                for (int room = expected.length; room < 24; room++) {
                    byte[] array = new byte[room + 2];
                    Arrays.fill(array, (byte) 0x55);
                    Output out = Output.over(array, 1, room);
                    out.putZigzag(value);
                    assertEquals(0x55, array[0] & array[room + 1]);
                    assertArrayEquals(expected, out.toByteArray());
                    Arrays.fill(array, 1 + expected.length, array.length, (byte) 0xFF);
                    Input in = new Input(array, 1, room);
                    assertEquals(value, in.getZigzag());
                    assertEquals(expected.length, in.offset());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 9})
    void getZigzag_longerFormAnywhere_isMalformed(int bytes) {
        byte[] array = new byte[20];
        Arrays.fill(array, 0, bytes, (byte) 0x81);              // then a zero byte
        for (int behind : new int[] {0, 5, 0x81}) {
            Arrays.fill(array, bytes + 1, 20, (byte) behind);
            for (int length : new int[] {bytes + 1, 20}) {
                assertThrows(MalformedException.class, () -> new Input(array, 0, length).getZigzag());
            }
        }
        for (byte[] end : new byte[][] {{0}, {-128, 0}, {-127, 2}, {-127, -127, 1}, {0, 1}}) {
            byte[] longest = new byte[20];
            Arrays.fill(longest, 0, 8, (byte) 0x81);
            System.arraycopy(end, 0, longest, 8, end.length);
            assertThrows(MalformedException.class, () -> new Input(longest, 0, 20).getZigzag());
            assertThrows(MalformedException.class, () -> new Input(longest, 0, 8 + end.length).getZigzag());
        }
        Arrays.fill(array, (byte) 0x80);
        assertThrows(MalformedException.class, () -> new Input(array, 0, 20).getZigzag());
        assertThrows(MalformedException.class, () -> new Input(array, 0, 8).getZigzag());
    }

    // ---- types without a schema ----

    record Raw(@SuppressWarnings("rawtypes") List list) {}

    record Wild(Map<String, ?> map) {}

    record Any(List<Object> list) {}

    record Deep(List<Map<String, Runnable[]>> tasks) {}

    static final class TwoConstructors {
        private final int number;

        TwoConstructors(int number) {
            this.number = number;
        }

        TwoConstructors(long number) {
            this.number = (int) number;
        }

        int number() {
            return number;
        }
    }

    record Holder(TwoConstructors field) {}

    private static void refused(Class<?> type, String... fragments) {
        String message = assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
        for (String fragment : fragments) {
            assertTrue(message.contains(fragment), message);
        }
    }

    @Test
    void of_typesWithoutASchema_throwsNamingThePath() {
        refused(Raw.class, "Raw.list: java.util.List without type arguments");
        refused(Wild.class, "Wild.map: ? does not determine");
        refused(Any.class, "Any.list[]: there is no schema for java.lang.Object");
        refused(Deep.class, "Deep.tasks[].value[]: java.lang.Runnable is an interface");
        refused(Holder.class, "Holder.field: ", "TwoConstructors needs one constructor", "it has 2");
        refused(Samples.Pair.class, "Pair without type arguments");
        refused(Supplier.class, "Supplier is an interface");
    }

    // ---- each value has one form ----

    record Numbers(Map<Byte, Byte> map) {}

    record Bag(Set<Byte> set) {}

    private static <T> void malformed(Class<T> type, String message, int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        Schema<T> schema = Schema.of(type);
        String atOnce = assertThrows(MalformedException.class, () ->
            schema.read(new Input(bytes, 0, bytes.length))).getMessage();
        assertTrue(atOnce.contains(message), atOnce);
        String partially = assertThrows(MalformedException.class, () ->
            schema.partialReader(100).read(bytes, 0, bytes.length)).getMessage();
        assertTrue(partially.contains(message), partially);
    }

    @Test
    void read_bytesInAnotherForm_isMalformed() {
        malformed(String.class, "shortest form", 0x80, 0);
        malformed(String.class, "shortest form", 0x82, 0x80, 0, 'a');
        malformed(String.class, "shortest form", 255, 255, 255, 255, 255, 255, 255, 255, 255, 2);
        malformed(String.class, "at most", 255, 255, 255, 255, 255, 255, 255, 255, 255, 1);
        malformed(String.class, "wide form", 1 << 1 | 1, 'a', 0);
        malformed(Samples.Texts.class, "null bits of no field", 0x1F);
        malformed(Numbers.class, "null bits of no field", 0, 1, 4, 1, 1);
        malformed(Numbers.class, "a duplicate key", 0, 2, 0, 7, 1, 0, 7, 2);
        malformed(Bag.class, "a duplicate element", 0, 2 << 1, 7, 7);
        malformed(Boolean.class, "a boolean of 2", 2);
        malformed(Samples.Color.class, "constant 3 of", 3);
        malformed(Samples.Shape.class, "subclass 3 of", 3);
    }

    // ---- offsets, fingerprints, limits ----

    @Test
    void offset_fixedField_isItsPlace() {
        Schema<Samples.Line> schema = Schema.of(Samples.Line.class);
        byte[] bytes = bytes(schema, new Samples.Line(new Samples.Point(1, 2), new Samples.Point(3, 4), true,
            Samples.Color.BLUE));
        assertEquals(1 + 8 + 8 + 1 + 1, schema.fixedBytes());
        assertEquals(1, bytes[schema.offset("dashed")]);
        assertEquals(2, bytes[schema.offset("color")]);
        assertEquals(3, bytes[schema.offset("to")]);
        assertThrows(IllegalArgumentException.class, () -> schema.offset("missing"));
        assertThrows(IllegalArgumentException.class, () -> Schema.of(Samples.Texts.class).offset("first"));
        assertThrows(IllegalArgumentException.class, () -> Schema.of(String.class).offset("first"));
    }

    record Point(int y, int x) {}

    @Test
    void fingerprint_differentEncodings_differs() {
        assertEquals(Schema.of(Samples.Node.class).fingerprint(), Schema.of(Samples.Node.class).fingerprint());
        assertNotEquals(Schema.of(Samples.Point.class).fingerprint(), Schema.of(Point.class).fingerprint());
        assertNotEquals(Schema.of(Samples.Point.class).fingerprint(),
            Schema.builder(Samples.Point.class).compact().build().fingerprint());
    }

    @Test
    void write_cycle_throws() {
        List<Samples.Node> children = new java.util.ArrayList<>();
        Samples.Node node = new Samples.Node("loop", children);
        children.add(node);
        Schema<Samples.Node> schema = Schema.of(Samples.Node.class);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> bytes(schema, node)).getMessage()
            .contains("cycle"));
    }

    private static Samples.Node chain(int length) {
        Samples.Node node = new Samples.Node("end", null);
        for (int i = 1; i < length; i++) {
            node = new Samples.Node("n" + i, List.of(node));
        }
        return node;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 66, 67, 130, 9_000})
    void read_deepValue_isEqualAtAnyDepth(int length) {
        Schema<Samples.Node> schema = Schema.of(Samples.Node.class);
        byte[] bytes = bytes(schema, chain(length));
        Output exact = Output.over(new byte[bytes.length], 0, bytes.length);
        schema.write(chain(length), exact);
        assertArrayEquals(bytes, exact.array());
        Samples.Node node = schema.read(new Input(bytes, 0, bytes.length));
        int count = 1;
        for (; node.children() != null; count++) {
            node = node.children().getFirst();
        }
        assertEquals(length, count);
        assertThrows(IndexOutOfBoundsException.class, () ->
            schema.write(chain(length), Output.over(bytes, 0, bytes.length - 1)));
    }

    @Test
    void read_bytesNestedTooDeeply_isMalformed() {
        Output out = Output.growing(100);
        for (int i = 0; i < 100_000; i++) {
            out.putByte((byte) 1);                              // a null name, children
            out.putVar(1 << 1);                                 // one child
        }
        Schema<Samples.Node> schema = Schema.of(Samples.Node.class);
        String message = assertThrows(MalformedException.class, () ->
            schema.read(new Input(out.array(), 0, out.size()))).getMessage();
        assertTrue(message.contains("nested in each other"), message);
    }

    @Test
    void read_constructorThatThrows_isMalformed() {
        Schema<Samples.Accounts> schema = Schema.of(Samples.Accounts.class);
        byte[] bytes = bytes(schema, new Samples.Accounts(List.of(Samples.Account.open(5, "x"))));
        int sign = 0;
        for (int i = 0; i < bytes.length; i++) {
            byte[] bad = bytes.clone();
            bad[i] |= (byte) 0x80;
            try {
                schema.read(new Input(bad, 0, bad.length));
            } catch (MalformedException e) {
                sign += e.getCause() instanceof IllegalArgumentException ? 1 : 0;
            }
        }
        assertEquals(1, sign, "only the byte with the sign");
    }

    @Test
    void read_elementsWithoutBytes_areLimited() {
        Schema<Samples.Empties> schema = Schema.of(Samples.Empties.class);
        Output out = Output.growing(16);
        out.putByte((byte) 2);
        out.putVar(100_001L << 1);
        assertThrows(MalformedException.class, () -> schema.read(new Input(out.array(), 0, out.size())));
        out.clear();
        out.putByte((byte) 2);
        out.putVar(100_000L << 1);
        assertEquals(100_000, schema.read(new Input(out.array(), 0, out.size())).list().size());
    }
}

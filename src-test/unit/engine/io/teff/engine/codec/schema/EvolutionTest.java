package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Creator;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.type.TypeCodec;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a version reads values of another version as its own; if types do not match, the exception names the field;
 * damaged descriptions and bytes cause documented exceptions only.
 *
 * <p>Method: each row of the table of changes in {@code docs/OBJECTS.md}, with types of both versions; every kind of
 * type by its own description, but through the code for other versions; every kind of type skipped; random damage to
 * descriptions and bytes.
 */
final class EvolutionTest {
    private static final int VALUES = 100;
    private static final int MUTATIONS = Form.size(500, 2000, 2000);

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(1);
        codec.write(value, out);
        return out.toByteArray();
    }

    /** Writes a value by one version and reads it by another, at once and byte by byte. */
    private static <W, R> R across(Schema<W> writer, W value, Schema<R> reader) {
        byte[] bytes = bytes(writer, value);
        Schema<R> evolved = reader.readerOf(writer.description());
        Input in = new Input(bytes, 0, bytes.length);
        R read = evolved.read(in);
        assertEquals(0, in.left());
        assertEquals(writer.fingerprint(), evolved.fingerprint());
        PartialReader<R> partial = evolved.partialReader(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            assertEquals(1, partial.read(bytes, i, 1));
        }
        assertTrue(partial.isDone());
        assertArrayEquals(bytes(reader, read), bytes(reader, partial.value()));
        return read;
    }

    @SuppressWarnings("unchecked")
    private static <W, R> R across(W value, Class<R> type) {
        Schema<R> reader = Schema.of(type);
        R read = across(Schema.of((Class<W>) value.getClass()), value, reader);
        Schema<W> compact = Schema.builder((Class<W>) value.getClass()).compact().build();
        assertArrayEquals(bytes(reader, read), bytes(reader, across(compact, value, reader)));
        return read;
    }

    private static void refused(Class<?> writer, Class<?> reader, String message) {
        String actual = assertThrows(SchemaException.class, () ->
            Schema.of(reader).readerOf(Schema.of(writer).description())).getMessage();
        assertTrue(actual.contains(message), actual);
    }

    // ---- fields ----

    record Old(int id, String name, long removed, List<String> alsoRemoved) {}

    record New(String name, String added, int number, List<String> list, Set<Integer> set, Map<String, Long> map,
               Optional<String> optional, OptionalInt optionalInt, int[] numbers, String[] texts, boolean flag, int id,
               BigDecimal decimal) {}

    @Test
    void readerOf_fieldsAddedRemovedAndReordered_areMatchedByName() {
        New read = across(new Old(7, "n", 5, List.of("x", "y")), New.class);
        assertEquals("n", read.name());
        assertEquals(7, read.id());
        assertEquals(0, read.number());
        assertEquals(null, read.added());
        assertEquals(null, read.decimal());
        assertEquals(List.of(), read.list());
        assertEquals(Set.of(), read.set());
        assertEquals(Map.of(), read.map());
        assertEquals(Optional.empty(), read.optional());
        assertEquals(OptionalInt.empty(), read.optionalInt());
        assertEquals(0, read.numbers().length);
        assertEquals(0, read.texts().length);
    }

    @Test
    void read_missingCollections_areNotShared() {
        byte[] bytes = bytes(Schema.of(OldSettings.class), new OldSettings((short) 3));
        Schema<New> reader = Schema.of(New.class).readerOf(Schema.of(OldSettings.class).description());
        reader.read(new Input(bytes, 0, bytes.length)).list().add("only there");
        assertEquals(List.of(), reader.read(new Input(bytes, 0, bytes.length)).list());
    }

    @Test
    void ifMissing_missingFields_haveTheValues() {
        Schema<New> schema = Schema.builder(New.class).ifMissing(New.class, "added", "given")
            .ifMissing(New.class, "number", 42).ifMissing(New.class, "flag", true)
            .ifMissing(New.class, "optional", Optional.of("there")).ifMissing(New.class, "id", 1).build();
        New read = across(Schema.of(Old.class), new Old(7, "n", 5, List.of()), schema);
        assertEquals("given", read.added());
        assertEquals(42, read.number());
        assertTrue(read.flag());
        assertEquals(Optional.of("there"), read.optional());
        assertEquals(7, read.id());
    }

    @Test
    void ifMissing_wrongTypeOrField_throws() {
        assertTrue(assertThrows(SchemaException.class, () -> Schema.builder(New.class)
            .ifMissing(New.class, "number", "42").build()).getMessage().contains("New.number: a java.lang.String"));
        assertTrue(assertThrows(SchemaException.class, () -> Schema.builder(New.class)
            .ifMissing(New.class, "nummer", 42).build()).getMessage().contains("[New.nummer]"));
    }

    static final class Settings {
        private final int size;
        private final String unit;

        @Creator({"size", "unit"})
        static Settings of(int size, String unit) {
            return new Settings(size, Objects.requireNonNull(unit));
        }

        private Settings(int size, String unit) {
            this.size = size;
            this.unit = unit;
        }
    }

    record OldSettings(short size) {}

    @Test
    void read_constructorThatRejectsAMissingValue_isMalformed() {
        byte[] bytes = bytes(Schema.of(OldSettings.class), new OldSettings((short) 3));
        String description = Schema.of(OldSettings.class).description();
        assertThrows(MalformedException.class, () ->
            Schema.of(Settings.class).readerOf(description).read(new Input(bytes, 0, bytes.length)));
        Settings read = Schema.builder(Settings.class).ifMissing(Settings.class, "unit", "m").build()
            .readerOf(description).read(new Input(bytes, 0, bytes.length));
        assertEquals("3m", read.size + read.unit);
    }

    // ---- numbers ----

    record Narrow(byte b, short s, char c, int i, float f, Byte bb, Short ss, Character cc, Integer ii, Float ff,
                  List<Integer> list, Map<Byte, Float> map, Integer[] array) {}

    record Wide(long b, int s, int c, long i, double f, Long bb, Float ss, Integer cc, Double ii, Double ff,
                Set<Long> list, Map<Integer, Double> map, List<Double> array) {}

    @Test
    void readerOf_widerNumbers_areConverted() {
        Narrow narrow = new Narrow((byte) -1, (short) -2, '\uFFFF', -4, 1.5f, (byte) 5, (short) -6, 'x', 8, -2.5f,
            List.of(1, -2), Map.of((byte) 3, 0.5f), new Integer[] {4, null, -6});
        assertEquals(new Wide(-1, -2, 0xFFFF, -4, 1.5, 5L, -6f, (int) 'x', 8.0, -2.5, Set.of(1L, -2L),
            Map.of(3, 0.5), Arrays.asList(4.0, null, -6.0)), across(narrow, Wide.class));
    }

    record IntField(int v) {}

    record LongField(long v) {}

    record CharField(char v) {}

    record ShortField(short v) {}

    record BoxField(Long v) {}

    record TextField(String v) {}

    record BooleanField(boolean v) {}

    record OptionalField(Optional<Long> v) {}

    record OptionalLongField(OptionalLong v) {}

    record OptionalTextField(Optional<String> v) {}

    @Test
    void readerOf_narrowerNumbersAndOtherTypes_throws() {
        refused(LongField.class, IntField.class, "IntField.v: was written as LONG, which cannot be read as INT");
        refused(CharField.class, ShortField.class, "ShortField.v: was written as CHAR");
        refused(IntField.class, TextField.class, "TextField.v: was written as INT, which cannot be read as "
            + "java.lang.String");
        refused(TextField.class, LongField.class, "was written as java.lang.String, which cannot be read as LONG");
        refused(BoxField.class, LongField.class, "LongField.v: was written as LONG");
        refused(BooleanField.class, IntField.class, "was written as BOOLEAN");
        refused(OptionalField.class, BoxField.class, "was written as optional LONG");
        refused(OptionalTextField.class, OptionalField.class, "was written as java.lang.String");
        refused(Old.class, Samples.Color.class, "was written as struct of [id, name, removed, alsoRemoved]");
    }

    // ---- optional values ----

    @Test
    void readerOf_boxedOrOptionalValues_areConverted() {
        assertEquals(new BoxField(3L), across(new IntField(3), BoxField.class));
        assertEquals(new OptionalField(Optional.of(3L)), across(new IntField(3), OptionalField.class));
        assertEquals(new OptionalField(Optional.of(3L)), across(new BoxField(3L), OptionalField.class));
        assertEquals(new OptionalField(Optional.empty()), across(new BoxField(null), OptionalField.class));
        assertEquals(new OptionalLongField(OptionalLong.of(3)), across(new IntField(3), OptionalLongField.class));
        assertEquals(new OptionalLongField(OptionalLong.empty()), across(new BoxField(null), OptionalLongField.class));
        assertEquals(new OptionalLongField(OptionalLong.of(4)), across(new OptionalField(Optional.of(4L)),
            OptionalLongField.class));
        assertEquals(new OptionalTextField(Optional.of("t")), across(new TextField("t"), OptionalTextField.class));
        assertEquals(new OptionalTextField(Optional.empty()), across(new TextField(null), OptionalTextField.class));
    }

    record Plain(List<String> list, Samples.Point[] points, Map<String, Integer> map) {}

    record Wrapped(List<Optional<String>> list, List<Optional<OtherPoint>> points, Map<String, Optional<Long>> map) {}

    record OtherPoint(long y, int z, double x) {}

    @Test
    void readerOf_optionalElements_areConverted() {
        Plain plain = new Plain(Arrays.asList("a", null), new Samples.Point[] {new Samples.Point(1, 2), null},
            Map.of("k", 5));
        assertEquals(new Wrapped(Arrays.asList(Optional.of("a"), null), Arrays.asList(Optional.of(
            new OtherPoint(2, 0, 1)), null), Map.of("k", Optional.of(5L))), across(plain, Wrapped.class));
    }

    // ---- enums and sealed types with other members in the next version ----

    static final class One {
        enum Level { LOW, MIDDLE, HIGH }

        sealed interface Form permits Circle, Square, Group {}

        record Circle(int radius) implements Form {}

        record Square(int side) implements Form {}

        record Group(List<Form> forms, Form first) implements Form {}

        record Drawing(Level level, Form form, Level[] levels) {}

        private One() {}
    }

    static final class Two {
        enum Level { HIGHEST, HIGH, LOW }

        sealed interface Form permits Circle, Group, Ring, Text {}

        record Circle(long radius, String color) implements Form {}

        record Group(Form first, Form[] forms) implements Form {
            @Override
            public boolean equals(Object other) {
                return other instanceof Group group && Objects.equals(first, group.first)
                    && Arrays.equals(forms, group.forms);
            }

            @Override
            public int hashCode() {
                return Arrays.hashCode(forms);
            }
        }

        record Ring(int radius) implements Form {}

        record Text(String text) implements Form {}

        record Drawing(Form form, List<Level> levels, Level level) {}

        private Two() {}
    }

    @Test
    void readerOf_constantsAndSubclasses_areMatchedByName() {
        One.Drawing drawing = new One.Drawing(One.Level.HIGH, new One.Group(Arrays.asList(new One.Circle(3), null,
            new One.Group(List.of(), new One.Circle(5))), null), new One.Level[] {One.Level.LOW, null});
        Two.Form expected = new Two.Group(null, new Two.Form[] {new Two.Circle(3, null), null,
            new Two.Group(new Two.Circle(5, null), new Two.Form[0])});
        assertEquals(new Two.Drawing(expected, Arrays.asList(Two.Level.LOW, null), Two.Level.HIGH),
            across(drawing, Two.Drawing.class));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void read_unknownConstantOrSubclass_isMalformed(boolean asConstant) {
        One.Drawing drawing = new One.Drawing(asConstant ? One.Level.MIDDLE : One.Level.LOW,
            asConstant ? null : new One.Square(1), null);
        byte[] bytes = bytes(Schema.of(One.Drawing.class), drawing);
        Schema<Two.Drawing> reader = Schema.of(Two.Drawing.class)
            .readerOf(Schema.of(One.Drawing.class).description());
        String name = asConstant ? "constant MIDDLE, which" : One.Square.class.getName() + ", which";
        for (boolean partial : new boolean[] {false, true}) {
            String message = assertThrows(MalformedException.class, () -> {
                if (partial) {
                    reader.partialReader(1000).read(bytes, 0, bytes.length);
                } else {
                    reader.read(new Input(bytes, 0, bytes.length));
                }
            }).getMessage();
            assertTrue(message.contains(name), message);
        }
    }

    static final class Users {
        record Created(String text) implements Event {}

        private Users() {}
    }

    static final class Orders {
        record Created(String text) implements Event, Left {}

        private Orders() {}
    }

    sealed interface Event permits Users.Created, Orders.Created {}

    sealed interface Left permits Orders.Created, Other {}

    record Other(int number) implements Left {}

    record Log(Event event) {}

    record ShorterLog(Left event) {}

    @Test
    void read_removedSubclass_isNotMatchedWithAnotherOfItsSimpleName() {
        Schema<Log> writer = Schema.of(Log.class);
        Schema<ShorterLog> reader = Schema.of(ShorterLog.class).readerOf(writer.description());
        byte[] good = bytes(writer, new Log(new Orders.Created("o")));
        assertEquals(new ShorterLog(new Orders.Created("o")), reader.read(new Input(good, 0, good.length)));
        byte[] gone = bytes(writer, new Log(new Users.Created("u")));
        assertThrows(MalformedException.class, () -> reader.read(new Input(gone, 0, gone.length)));
    }

    /** Structs that contain themselves in different fields in the two versions. */
    record OldTree(int value, OldTree left, OldTree right) {}

    record NewTree(NewTree right, NewTree middle, long value, String name) {}

    @Test
    void readerOf_structsThatContainThemselves_areMatched() {
        OldTree old = new OldTree(1, new OldTree(2, null, null), new OldTree(3, null, new OldTree(4, null, null)));
        assertEquals(new NewTree(new NewTree(new NewTree(null, null, 4, null), null, 3, null), null, 1, null),
            across(old, NewTree.class));
        OldTree deep = null;
        for (int i = 0; i < 5000; i++) {
            deep = new OldTree(i, null, deep);
        }
        NewTree read = across(deep, NewTree.class);
        int depth = 0;
        for (NewTree tree = read; tree != null; tree = tree.right()) {
            depth++;
        }
        assertEquals(5000, depth);
    }

    // ---- every kind of type ----

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void evolved_sameVersion_readsAndSkipsAnyValue(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            assertSame(schema, schema.readerOf(schema.description()));
            Schema<T> evolved = schema.evolved(schema.description());
            assertNotSame(schema, evolved);
            TypeCodec<Object> skip = new SkippedTypes().codec(DescriptionParser.parse(schema.description()));
            for (int i = 0; i < VALUES; i++) {
                T value = samples.any(type);
                byte[] bytes = bytes(schema, value);
                assertTrue(Objects.deepEquals(value, evolved.read(new Input(bytes, 0, bytes.length))),
                    Seed.reproduce(EvolutionTest.class, seed));
                Input in = new Input(bytes, 0, bytes.length);
                assertNotNull(skip.read(in));
                assertEquals(0, in.left(), Seed.reproduce(EvolutionTest.class, seed));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void read_mutatedBytes_hasTheOutcomeOfThisVersion(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Samples samples = new Samples(random);
        Schema<T> schema = Schema.of(type);
        Schema<T> evolved = schema.evolved(schema.description());
        TypeCodec<Object> skip = new SkippedTypes().codec(DescriptionParser.parse(schema.description()));
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = bytes(schema, samples.any(type));
            for (int changes = bytes.length == 0 ? 0 : 1 + random.nextInt(3); changes > 0; changes--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            byte[] expected = again(schema, schema, bytes);
            assertArrayEquals(expected, again(evolved, schema, bytes), Seed.reproduce(EvolutionTest.class, seed));
            try {
                assertNotNull(skip.read(new Input(bytes, 0, bytes.length)));
            } catch (RuntimeException e) {                      // a schema turns it into a MalformedException
                assertEquals(0, expected.length, Seed.reproduce(EvolutionTest.class, seed));
            }
        }
    }

    /** Reads a value and returns its bytes; none if it is malformed. */
    private static <T> byte[] again(Schema<T> reader, Schema<T> writer, byte[] bytes) {
        try {
            return bytes(writer, reader.read(new Input(bytes, 0, bytes.length)));
        } catch (MalformedException e) {
            return new byte[0];
        }
    }

    // ---- descriptions ----

    @ParameterizedTest
    @FieldSource("io.teff.engine.codec.schema.Samples#TYPES")
    <T> void readerOf_damagedDescription_throwsOrIsAnotherVersion(Class<T> type) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        Schema<T> schema = Schema.of(type);
        for (int i = 0; i < 300; i++) {
            StringBuilder text = new StringBuilder(schema.description());
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.setCharAt(at, "();= aA0".charAt(random.nextInt(8)));
                case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(1, 20)));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(1, 20))));
            }
            try {
                schema.readerOf(text.toString());
            } catch (SchemaException e) {
                assertNotNull(e.getMessage(), Seed.reproduce(EvolutionTest.class, seed));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "struct", "struct(", "struct 0;", "struct(a=struct 1;)", "scalar INTEGER;",
        "scalar INT;x", "enum E(A;A;)", "struct(a=scalar INT;a=scalar INT;)", "struct(a=zigzag BYTE;)",
        "map(scalar INT;)",
        "sealed S(A=scalar INT;A=scalar INT;)", "primitive INT;", "struct(=scalar INT;)"})
    void readerOf_textThatIsNotADescription_throws(String text) {
        assertThrows(SchemaException.class, () -> Schema.of(String.class).readerOf(text));
        assertThrows(SchemaException.class, () -> DescriptionParser.parse(text));
    }

    @Test
    void parse_descriptionBeyondTheLimits_throws() {
        assertThrows(SchemaException.class, () -> DescriptionParser.parse(" ".repeat(2_000_000)));
        assertThrows(SchemaException.class, () -> DescriptionParser.parse("optional(".repeat(100_000)));
        assertThrows(SchemaException.class, () -> DescriptionParser.parse("struct(a=".repeat(100_000)));
        StringBuilder fields = new StringBuilder("struct(");
        for (int i = 0; i < 126; i++) {
            fields.append('f').append(i).append("=primitive LONG;");
        }
        assertThrows(SchemaException.class, () -> DescriptionParser.parse(fields + ")"));
        assertThrows(SchemaException.class, () -> Schema.of(IntField.class)
            .readerOf("struct(v=primitive INT;w=standard java.lang.Runtime;)"));
    }

    @Test
    void write_readerOfAnotherVersion_throws() {
        Schema<BoxField> reader = Schema.of(BoxField.class).readerOf(Schema.of(IntField.class).description());
        assertThrows(UnsupportedOperationException.class, () -> reader.write(new BoxField(1L), Output.growing(10)));
        assertThrows(UnsupportedOperationException.class, reader::partialWriter);
        assertEquals(0, reader.offset("v"));
    }
}

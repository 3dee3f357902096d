package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Creator;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
import io.teff.engine.codec.SchemaException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the memory and time that hostile values, bytes and descriptions cost is bounded, and they end in a documented
 * exception.
 *
 * <p>Method: values, bytes and types that an attacker or an unlucky user would build: deep, empty, containing
 * themselves, contradictory.
 */
final class HostileBytesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LEVELS_MAX = 20_000;

    private static <T> byte[] bytes(Codec<T> codec, T value) {
        Output out = Output.growing(1);
        codec.write(value, out);
        return out.toByteArray();
    }

    private static <T> T read(Codec<T> codec, byte[] bytes) {
        return codec.read(new Input(bytes, 0, bytes.length));
    }

    private static <T> PartialReader<T> readPartially(Schema<T> schema, byte[] bytes) {
        PartialReader<T> reader = schema.partialReader(bytes.length);
        reader.read(bytes, 0, bytes.length);
        return reader;
    }

    record Kids(List<Kids> kids) {}

    @Test
    void write_nullBehindAChildAtEachLevel_takesLinearTime() {
        Kids kids = new Kids(null);
        for (int i = 0; i < 60; i++) {
            kids = new Kids(Arrays.asList(kids, null));
        }
        Kids value = kids;
        Schema<Kids> schema = Schema.of(Kids.class);
        assertEquals(value, assertTimeoutPreemptively(Duration.ofMinutes(1), () -> read(schema, bytes(schema, value))));
    }

    record Wrapped(int number, Optional<Wrapped> next) {}

    record Plain(int number, Plain next) {}

    /** Each value that can be written can be read, at once and in windows. One more level can be neither. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 66, 12_000, LEVELS_MAX})
    void read_anyDepthThatCanBeWritten_returnsTheValue(int levels) {
        Schema<Wrapped> schema = Schema.of(Wrapped.class);
        Schema<Plain> plainSchema = Schema.of(Plain.class);
        Wrapped wrapped = new Wrapped(0, Optional.empty());
        Plain plain = new Plain(0, null);
        for (int i = 0; i < levels; i++) {
            wrapped = new Wrapped(i, Optional.of(wrapped));
            plain = new Plain(i, plain);
        }
        byte[] bytes = bytes(schema, wrapped);
        assertEquals(levels - 1, read(schema, bytes).number());
        assertTrue(readPartially(schema, bytes).isDone());
        byte[] plainBytes = bytes(plainSchema, plain);
        assertEquals(levels - 1, read(plainSchema, plainBytes).number());
        assertTrue(readPartially(plainSchema, plainBytes).isDone());
        if (levels == LEVELS_MAX) {
            Plain deeper = new Plain(-1, plain);
            assertThrows(IllegalArgumentException.class, () -> bytes(plainSchema, deeper));
            PartialWriter<Plain> writer = plainSchema.partialWriter();
            writer.begin(deeper);
            assertThrows(IllegalArgumentException.class, () -> writer.write(new byte[1 << 20], 0, 1 << 20));
            byte[] deeperBytes = new byte[plainBytes.length + 5];
            System.arraycopy(plainBytes, 0, deeperBytes, 5, plainBytes.length);
            assertThrows(MalformedException.class, () -> read(plainSchema, deeperBytes));
            assertThrows(MalformedException.class, () -> readPartially(plainSchema, deeperBytes));
        }
    }

    record Empty() {}

    record Many(List<Many> kids, List<Empty> empties) {}

    /** Levels around that at which a partial reader takes over. */
    @ParameterizedTest
    @ValueSource(ints = {0, 62, 63, 64, 65, 70})
    void read_elementsWithoutBytesAtAnyDepth_areLimitedInTotal(int levels) {
        Schema<Many> schema = Schema.of(Many.class);
        byte[] bytes = bytes(schema, many(levels, 45_000));
        assertTrue(bytes.length < 500);
        for (int i = 2; i < bytes.length; i++) {                // two lists of 45,000 become two of 90,000
            if ((bytes[i - 2] & 0xFF) == 0x90 && (bytes[i - 1] & 0xFF) == 0xBF && bytes[i] == 5) {
                bytes[i - 2] = (byte) 0xA0;
                bytes[i - 1] = (byte) 0xFE;
                bytes[i] = 0x0A;
            }
        }
        assertThrows(MalformedException.class, () -> read(schema, bytes));
        assertThrows(MalformedException.class, () -> readPartially(schema, bytes));
    }

    private static Many many(int levels, int empties) {
        Many many = new Many(null, new ArrayList<>(Collections.nCopies(empties, new Empty())));
        many = new Many(List.of(many, many), null);
        for (int i = 0; i < levels; i++) {
            many = new Many(List.of(many), null);
        }
        return many;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 62, 63, 64, 65, 70})
    void write_elementsWithoutBytesThatCouldNotBeRead_throws(int levels) {
        Schema<Many> schema = Schema.of(Many.class);
        assertEquals(many(levels, 50_000), read(schema, bytes(schema, many(levels, 50_000))));
        Many tooMany = many(levels, 50_001);
        String message = assertThrows(IllegalArgumentException.class, () -> bytes(schema, tooMany)).getMessage();
        assertTrue(message.contains("100000 elements without bytes"), message);
        PartialWriter<Many> writer = schema.partialWriter();
        assertThrows(IllegalArgumentException.class, () -> {
            writer.begin(tooMany);
            writer.write(new byte[1000], 0, 1000);
        });
    }

    record Nested(Map<String, Nested> map) {}

    @Test
    void read_countsThatClaimAllBytesLeftAtEachLevel_allocatesLittle() {
        byte[] bytes = new byte[1 << 20];
        int at = 0;
        for (int level = 0; level < 64; level++) {
            bytes[at++] = 0;                                    // the map is not null
            int count = bytes.length - at - 100;
            for (; count > 127; count >>>= 7) {
                bytes[at++] = (byte) (count | 0x80);
            }
            bytes[at++] = (byte) count;
            bytes[at++] = 2;                                    // an entry with an empty key and no value
            bytes[at++] = 0;
            bytes[at++] = 1;                                    // an entry with a null key
        }
        Schema<Nested> schema = Schema.of(Nested.class);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        assertThrows(MalformedException.class, () -> read(schema, bytes));
        assertTrue(THREADS.getCurrentThreadAllocatedBytes() - before < 50 << 20);
    }

    record Keys(Set<Plain> set) {}

    /** Too small for the nested calls of hashCode, even if the JIT compiles them to 17 bytes of stack each. */
    private static final long SMALL_STACK_BYTES = 160 << 10;
    private static final int DEEP = LEVELS_MAX - 10;

    @Test
    void read_keyWhoseHashOverflowsTheStack_isMalformed() throws Exception {
        Output out = Output.growing(1);
        out.putByte((byte) 0);
        out.putVar(2);
        for (int i = 0; i < DEEP; i++) {
            out.putByte((byte) 0);
            out.putInt(i);
        }
        out.putByte((byte) 1);
        out.putInt(1);
        byte[] bytes = out.toByteArray();
        Schema<Keys> schema = Schema.of(Keys.class);
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            assertThrows(MalformedException.class, () -> read(schema, bytes));
            assertThrows(MalformedException.class, () -> readPartially(schema, bytes));
        }, true);
        new Thread(null, task, "small-stack", SMALL_STACK_BYTES).start();
        assertTrue(task.get());
    }

    record Rejecting(String text) {
        Rejecting {
            if ("no".equals(text)) {
                throw new IllegalArgumentException(text);
            }
        }
    }

    static final class Checked {
        private final String text;

        @Creator("text")
        static Checked of(String text) throws IOException {
            if ("no".equals(text)) {
                throw new IOException(text);
            }
            return new Checked(text);
        }

        private Checked(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    @Test
    void read_constructorThatThrows_isMalformedAndReaderIsNotDone() {
        byte[] no = {0, 4, 'n', 'o'};
        assertThrows(MalformedException.class, () -> read(Schema.of(Checked.class), no));
        PartialReader<Rejecting> reader = Schema.of(Rejecting.class).partialReader(100);
        assertThrows(MalformedException.class, () -> reader.read(no, 0, no.length));
        assertFalse(reader.isDone());
        assertThrows(IllegalStateException.class, reader::value);
        assertEquals("x", read(Schema.of(Checked.class), new byte[] {0, 2, 'x'}).text());
    }

    // ---- values of subclasses ----

    static class Animal {
        private final String name;

        Animal(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    static final class Dog extends Animal {
        Dog(String name) {
            super(name);
        }
    }

    record Owner(Animal animal) {}

    @Test
    void write_valueOfASubclass_throws() {
        Schema<Owner> schema = Schema.of(Owner.class);
        assertEquals("Tom", read(schema, bytes(schema, new Owner(new Animal("Tom")))).animal().name());
        Owner owner = new Owner(new Dog("Rex"));
        assertThrows(IllegalArgumentException.class, () -> bytes(schema, owner));
        PartialWriter<Owner> writer = schema.partialWriter();
        writer.begin(owner);
        assertThrows(IllegalArgumentException.class, () -> writer.write(new byte[100], 0, 100));
    }

    sealed interface Sign permits Unit, Square {}

    enum Unit implements Sign {
        PLUS {
            @Override
            int value() {
                return 1;
            }
        },
        ZERO;

        int value() {
            return 0;
        }
    }

    record Square(int number) implements Sign {}

    record Waiting(Queue<String> queue, Sign sign) {}

    @Test
    void read_constantsWithBodiesAndNullsInQueues_areEqual() {
        Schema<Waiting> schema = Schema.of(Waiting.class);
        for (Sign sign : new Sign[] {Unit.PLUS, Unit.ZERO, new Square(3)}) {
            Waiting waiting = new Waiting(new LinkedList<>(Arrays.asList("a", null)), sign);
            byte[] bytes = bytes(schema, waiting);
            assertEquals(waiting, read(schema, bytes));
            assertEquals(waiting, readPartially(schema, bytes).value());
        }
    }

    // ---- types and descriptions ----

    record Growing<T>(T value, Optional<Growing<List<T>>> next) {}

    record Growth(Growing<String> value) {}

    @Test
    void of_typeThatGrowsWithoutEnd_throws() {
        assertTrue(assertThrows(SchemaException.class, () -> Schema.of(Growth.class)).getMessage()
            .contains("nested in each other"));
        assertTrue(assertThrows(SchemaException.class, () -> Schema.of(int.class)).getMessage().contains("primitive"));
    }

    record Chain(Chain a, Chain z) {}

    record Start(Chain zz, Chain y) {}

    @Test
    void readerOf_descriptionsThatLeadFromStructToStruct_throws() {
        StringBuilder chain = new StringBuilder("struct(first=struct()");
        int last = 1;
        int number = 2;
        for (int group = 0; group < 4; group++) {
            chain.append("group").append(group).append("=struct(");
            number++;
            for (int i = 0; i < 200; i++) {
                chain.append('f').append(i).append("=struct(a=struct ").append(last).append(";)");
                last = number++;
            }
            chain.append(')');
        }
        String description = chain.append("zz=struct ").append(last).append(";)").toString();
        assertThrows(SchemaException.class, () -> Schema.of(Start.class).readerOf(description));
        StringBuilder wide = new StringBuilder("struct(");
        wide.append("f0=struct(f0=struct(f0=struct(f0=struct(");
        for (int i = 0; i < 50; i++) {
            wide.append('l').append(i).append("=scalar LONG;");
        }
        wide.append(')');
        for (int level = 4; level > 0; level--) {
            for (int i = 1; i < 50; i++) {
                wide.append('f').append(i).append("=struct ").append(level).append(';');
            }
            wide.append(')');
        }
        assertThrows(SchemaException.class, () -> Schema.of(Start.class).readerOf(wide.toString()));
    }

    @Test
    void write_smallWindows_keepsFewBytes() {
        Schema<String> schema = Schema.of(String.class);
        PartialWriter<String> writer = schema.partialWriter();
        writer.begin("x".repeat(10 << 20));
        byte[] window = new byte[500];
        long before = THREADS.getCurrentThreadAllocatedBytes();
        while (!writer.isDone()) {
            assertTrue(writer.write(window, 0, window.length) > 0);
        }
        assertTrue(THREADS.getCurrentThreadAllocatedBytes() - before < 1 << 20);
    }

    @Test
    void take_negativeCount_throws() {
        Output out = Output.over(new byte[20], 10, 5);
        assertThrows(IndexOutOfBoundsException.class, () -> out.take(-1));
        assertEquals(0, out.size());
    }
}

package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackReader;
import io.teff.engine.codec.partial.StackWriter;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.TypeCodec;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Goal: a value that a schema has written can be read, and has the same content; every other value is refused when it
 * is written, or its type when the schema is made.
 *
 * <p>Method: random types of all containers of the JDK in any nesting, and random values with other comparators, other
 * implementations, nulls, and elements that change while they are in a container.
 */
final class ReadableValuesTest {
    private static final int VALUES = 10;
    private static final int BYTES_MAX = 1 << 20;

    @Property(tries = 120)
    void read_whatWasWritten_hasTheSameContent(@ForAll long seed, @ForAll @IntRange(max = 4) int depth,
                                               @ForAll boolean compact) {
        AnyShapes shapes = new AnyShapes(Seed.random(seed));
        TypeRef type = shapes.type(depth);
        TypeCodec<Object> codec;
        try {
            codec = new Derivation(null, compact, Map.of(), Defaults.NONE).codec(type, "type");
        } catch (SchemaException e) {
            assertTrue(AnyShapes.isImpossible(type), e.toString());
            return;
        }
        assertTrue(!AnyShapes.isImpossible(type), () -> "accepted: " + Description.of(codec));
        for (int i = 0; i < VALUES; i++) {
            requireReadable(codec, shapes.value(type), Seed.reproduce(ReadableValuesTest.class, seed));
        }
    }

    private static void requireReadable(TypeCodec<Object> codec, Object value, String reproduce) {
        Output out = Output.growing(16);
        StackWriter<Object> writer = new StackWriter<>(codec);
        byte[] pieces = new byte[BYTES_MAX];
        try {
            codec.write(value, out);
        } catch (IllegalArgumentException e) {
            assertThrows(IllegalArgumentException.class, () -> {
                writer.begin(value);
                writer.write(pieces, 0, BYTES_MAX);
            }, reproduce);
            return;
        }
        byte[] bytes = out.toByteArray();
        Input in = new Input(bytes, 0, bytes.length);
        Object read = codec.read(in);
        assertEquals(0, in.left(), reproduce);
        assertTrue(AnyShapes.same(value, read), () -> reproduce + ": " + value + " was read as " + read);
        writer.begin(value);
        assertEquals(bytes.length, writer.write(pieces, 0, BYTES_MAX), reproduce);
        assertArrayEquals(bytes, Arrays.copyOf(pieces, bytes.length), reproduce);
        StackReader<Object> reader = new StackReader<>(Object.class, codec, BYTES_MAX);
        assertEquals(bytes.length, reader.read(bytes, 0, bytes.length), reproduce);
        assertTrue(AnyShapes.same(value, reader.value()), reproduce);
    }

    // ---- one by one ----

    record Points(SortedSet<Samples.Point> all) {}

    record Numbers(SortedSet<Integer> all) {}

    record Waiting(PriorityQueue<String> all) {}

    record ByText(SortedMap<String, Integer> all) {}

    record Any(Set<List<Integer>> set, Map<String, Integer> map) {}

    private static <T> void refused(Class<T> type, T value, String fragment) {
        Schema<T> schema = Schema.of(type);
        String message = assertThrows(IllegalArgumentException.class, () ->
            schema.write(value, Output.growing(9))).getMessage();
        assertTrue(message.contains(fragment), message);
    }

    @Test
    void of_sortedElementsWithoutOrder_throws() {
        String message = assertThrows(SchemaException.class, () -> Schema.of(Points.class)).getMessage();
        assertTrue(message.startsWith("Points.all: ") && message.contains("Point is not Comparable")
            && message.contains("declare a list"), message);
    }

    @Test
    void write_containersWithAComparator_throws() {
        refused(Numbers.class, new Numbers(new TreeSet<>(Comparator.reverseOrder())), "TreeSet with a comparator");
        refused(Numbers.class, new Numbers(new TreeSet<>(Set.of(1)).descendingSet()), "with a comparator");
        refused(Waiting.class, new Waiting(new PriorityQueue<>(Comparator.comparing(String::length))), "PriorityQueue");
        refused(ByText.class, new ByText(new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER)), "comparator");
        Output out = Output.growing(9);
        Schema.of(ByText.class).write(new ByText(new TreeMap<>(Comparator.naturalOrder())), out);
        assertEquals(2, out.size());
    }

    @Test
    void write_elementsThatAreEqual_throws() {
        Map<String, Integer> byIdentity = new IdentityHashMap<>();
        byIdentity.put(new String("a"), 1);
        byIdentity.put(new String("a"), 2);
        refused(Any.class, new Any(null, byIdentity), "IdentityHashMap that could not be read");
        List<Integer> changing = new ArrayList<>(List.of(1));
        Set<List<Integer>> lists = new HashSet<>(List.of(changing, List.of(2)));
        changing.set(0, 2);
        refused(Any.class, new Any(lists, null), "HashSet that could not be read");
        Set<List<Integer>> two = Collections.newSetFromMap(new IdentityHashMap<>());
        two.add(new ArrayList<>());
        Output out = Output.growing(9);
        Schema.of(Any.class).write(new Any(two, null), out);
        assertEquals(3, out.size());
        two.add(new ArrayList<>());
        refused(Any.class, new Any(two, null), "a duplicate element");
    }

    @Test
    void write_afterARefusal_checksAgain() {
        Set<List<Integer>> equal = Collections.newSetFromMap(new IdentityHashMap<>());
        equal.addAll(List.of(new ArrayList<>(), new ArrayList<>()));
        Output out = Output.growing(9);
        for (int i = 0; i < 2; i++) {
            assertThrows(IllegalArgumentException.class, () ->
                Schema.of(Any.class).write(new Any(equal, null), out));
        }
    }
}

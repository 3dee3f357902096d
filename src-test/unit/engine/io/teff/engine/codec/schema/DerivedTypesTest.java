package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.Dictionary;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Spliterator;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Goal: types that programs have in their classes have a schema, or are refused with what to declare instead. Method:
 * generic sealed types, and the containers of the JDK one by one; {@link ReadableValuesTest} nests those with a schema.
 */
final class DerivedTypesTest {
    enum Day { MON, TUE, WED }

    sealed interface Result<T> permits Done, Failed, Nothing {}

    record Done<T>(T value) implements Result<T> {}

    record Failed<T>(String reason) implements Result<T> {}

    enum Nothing implements Result<Object> { NOTHING }

    record Task(Result<String> text, Result<List<Integer>> numbers) {}

    sealed interface Tree<K, V> permits Leaf, Branch {}

    record Leaf<V>(V value) implements Tree<String, V> {}

    record Branch<V, K>(Map<K, Tree<K, V>> children, Optional<V> own) implements Tree<K, V> {}

    record Forest(Tree<String, Day> first, List<Tree<String, Long>> others) {}

    record Week(EnumSet<Day> days, EnumMap<Day, Integer> hours) {}

    record Flags(BitSet bits) {}

    private static <T> T copy(T value) {
        @SuppressWarnings("unchecked")
        Schema<T> schema = Schema.of((Class<T>) value.getClass());
        Output out = Output.growing(16);
        schema.write(value, out);
        T read = schema.read(new Input(out.array(), 0, out.size()));
        assertEquals(value, read);
        return read;
    }

    @Test
    void read_genericSealedTypes_isEqual() {
        copy(new Task(new Done<>("x"), new Done<>(List.of(1, 2))));
        copy(new Task(new Failed<>("no"), new Failed<>(null)));
        Tree<String, Day> tree = new Branch<>(Map.of("a", new Leaf<>(Day.TUE)), Optional.of(Day.MON));
        copy(new Forest(tree, List.of(new Leaf<>(5L), new Branch<>(Map.of(), Optional.of(7L)))));
    }

    @Test
    void read_enumSetsAndMaps_areEqual() {
        EnumMap<Day, Integer> hours = new EnumMap<>(Day.class);
        hours.put(Day.WED, null);
        Week week = copy(new Week(EnumSet.of(Day.WED, Day.MON), hours));
        assertSame(EnumSet.noneOf(Day.class).getClass(), week.days().getClass());
        week.days().add(Day.TUE);
        week.hours().put(Day.MON, 1);
        copy(new Week(EnumSet.noneOf(Day.class), new EnumMap<>(Day.class)));
    }

    @Test
    void read_bitsInALongerForm_isMalformed() {
        BitSet bits = new BitSet();
        copy(new Flags(bits));
        bits.set(70);
        copy(new Flags(bits));
        byte[] longer = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
        assertThrows(MalformedException.class, () -> Schema.of(Flags.class).read(new Input(longer, 0, 10)));
    }

    // ---- refused types ----

    record Raw(Result<?> wild) {}

    record Loose(Sum<String> sum) {}

    sealed interface Sum<T> permits Part {}

    record Part<T, X>(T value, X more) implements Sum<T> {}

    record NoEnum(EnumSet<?> all) {}

    @SuppressWarnings("rawtypes")
    record RawSealed(Result result) {}

    private static String refused(Class<?> type) {
        return assertThrows(SchemaException.class, () -> Schema.of(type)).getMessage();
    }

    @Test
    void of_typeParametersWithoutArguments_throws() {
        assertTrue(refused(Raw.class).contains("? does not determine"));
        assertTrue(refused(Loose.class).contains("the type parameter X of " + Part.class.getName()));
        assertTrue(refused(RawSealed.class).contains("the type parameter T of " + Done.class.getName()));
        assertTrue(refused(NoEnum.class).contains("? does not determine"));
    }

    record B1(BlockingQueue<String> f) {}

    record B2(ArrayBlockingQueue<String> f) {}

    record B3(LinkedBlockingQueue<String> f) {}

    record B4(BlockingDeque<String> f) {}

    record B5(LinkedBlockingDeque<String> f) {}

    record B6(SynchronousQueue<String> f) {}

    record B7(DelayQueue<Delayed> f) {}

    record M1(IdentityHashMap<String, String> f) {}

    record M2(WeakHashMap<String, String> f) {}

    record M3(Properties f) {}

    record M4(Map.Entry<String, String> f) {}

    record M5(AbstractMap.SimpleEntry<String, String> f) {}

    record M6(Dictionary<String, String> f) {}

    record M7(AbstractMap<String, String> f) {}

    record W1(Iterator<String> f) {}

    record W2(Enumeration<String> f) {}

    record W3(Spliterator<String> f) {}

    record W4(Stream<String> f) {}

    record W5(Iterable<String> f) {}

    record W6(AbstractList<String> f) {}

    record A1(AtomicBoolean f) {}

    record A2(AtomicInteger f) {}

    record A3(AtomicLong f) {}

    record A4(AtomicReference<String> f) {}

    record A5(AtomicIntegerArray f) {}

    record A6(LongAdder f) {}

    record F1(CompletableFuture<String> f) {}

    record F2(Supplier<String> f) {}

    record O1(Object f) {}

    record O2(CharSequence f) {}

    record O3(URI f) {}

    record O4(ByteBuffer f) {}

    record O5(Number f) {}

    /** A list of the program's own. */
    static final class OwnList extends AbstractList<String> {
        @Override
        public String get(int index) {
            return "";
        }

        @Override
        public int size() {
            return 1;
        }
    }

    record O6(OwnList f) {}

    static final List<Class<?>> REFUSED = List.of(B1.class, B2.class, B3.class, B4.class, B5.class, B6.class, B7.class,
        M1.class, M2.class, M3.class, M4.class, M5.class, M6.class, M7.class, W1.class, W2.class, W3.class, W4.class,
        W5.class, W6.class, A1.class, A2.class, A3.class, A4.class, A5.class, A6.class, F1.class, F2.class, O1.class,
        O2.class, O3.class, O4.class, O5.class, O6.class);

    @ParameterizedTest
    @FieldSource("REFUSED")
    void of_typeWithoutASchema_tellsWhatToDeclare(Class<?> type) {
        String message = refused(type);
        Class<?> field = type.getRecordComponents()[0].getType();
        assertTrue(message.startsWith(type.getSimpleName() + ".f: ") && message.contains(field.getName()), message);
        assertTrue(message.contains("declare ") || message.contains("storeAs"), message);
    }

    /** Every collection and map of java.util that is public has a schema, or is refused with advice. */
    @Test
    void advice_containersOfTheJdk_isThere() throws IOException {
        int containers = 0;
        for (String folder : List.of("java/util", "java/util/concurrent")) {
            Path classes = Path.of(URI.create("jrt:/java.base/" + folder));
            try (Stream<Path> all = Files.list(classes)) {
                for (Path path : (Iterable<Path>) all::iterator) {
                    Class<?> type = container(folder, path.getFileName().toString());
                    if (type != null) {
                        containers++;
                        assertTrue(Containers.isCollection(type) || Containers.isMap(type)
                            || String.valueOf(RefusedTypes.advice(type)).contains("declare"), type.getName());
                    }
                }
            }
        }
        assertTrue(containers > 40, "containers=" + containers);
    }

    private static Class<?> container(String folder, String file) {
        try {
            Class<?> type = file.endsWith(".class") ? Class.forName(folder.replace('/', '.') + "."
                + file.substring(0, file.length() - 6), false, null) : Object.class;
            return Modifier.isPublic(type.getModifiers()) && (Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)) ? type : null;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void read_collectionByInterface_isMutable() {
        record Queues(Deque<Integer> deque, ArrayDeque<Integer> array) {}
        Output out = Output.growing(16);
        Schema<Queues> schema = Schema.of(Queues.class);
        schema.write(new Queues(new ArrayDeque<>(List.of(1)), new ArrayDeque<>(List.of(2))), out);
        Queues read = schema.read(new Input(out.array(), 0, out.size()));
        read.deque().addFirst(0);
        read.array().addLast(3);
        assertEquals(List.of(0, 1), List.copyOf(read.deque()));
        assertEquals(List.of(2, 3), List.copyOf(read.array()));
    }
}

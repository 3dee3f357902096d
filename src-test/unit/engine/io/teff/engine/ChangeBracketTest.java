package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.config.LockStep;
import io.teff.engine.error.Status;
import io.teff.engine.table.EntryWord;
import io.teff.engine.view.EditScope;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Goal: every method that changes a store awaits room before the change, and waits for its record at the end.
 *
 * <p>Method: all public methods of the store's parts and collections are found by reflection and called on prepared
 * content with made-up arguments, on a store whose journal checks the order of calls. A method that is not listed as
 * read-only must have made a record, so that a new method cannot be forgotten.
 */
final class ChangeBracketTest {
    private static final int BYTES = 16;
    private static final int CHUNKS = 256;
    private static final int NAMES_FIRST = 100;
    private static final int STORE_CHANGES_MIN = 12;

    /** Methods that change nothing in the journal, by class; and migrations, which MigrationTest checks. */
    private static final Map<Class<?>, Set<String>> READS = Map.ofEntries(
        Map.entry(Store.class, Set.of("get", "getBytes", "exists", "size", "chunks", "batch", "fields", "views",
            "locks", "pins", "ids", "names", "compute", "stats", "heap", "audit", "trim", "defragment", "snapshot",
            "close", "isOpen", "config", "toString")),
        Map.entry(Chunks.class, Set.of("get")),
        Map.entry(TypedChunks.class, Set.of("get")),
        Map.entry(Batch.class, Set.of("get", "getLong", "size", "exists")),
        Map.entry(Fields.class, Set.of("getLong", "getInt", "getShort", "getByte")),
        Map.entry(Views.class, Set.of("read", "peek")),
        Map.entry(Locks.class, Set.of("lockRead", "lockWrite", "unlock", "swapToWrite", "swapToRead", "isWriteHeld",
            "isReadHeld", "hold", "get", "list", "releaseEnded")),
        Map.entry(Pins.class, Set.of("pin", "pinToRead", "list")),
        Map.entry(Pin.class, Set.of("cid", "segment", "address")),
        Map.entry(Ids.class, Set.of("cursor", "forEach", "ranges", "creators", "highestIndex")),
        Map.entry(Names.class, Set.of("get", "all", "migrate")));

    /** Methods of collections that only read, or that a sorted collection does not have. */
    private static final Set<String> COLLECTION_READS = Set.of("size", "longSize", "isEmpty", "memoryBytes", "audit",
        "get", "getAll", "getAt", "getOrDefault", "getBytes", "getAllBytes", "getLong", "loader", "containsKey",
        "containsValue", "contains", "containsAll", "keySet", "values", "entrySet", "forEach", "forEachKey",
        "forEachEntry", "forEachBytes", "keyIterator", "read", "equals", "hashCode", "iterator", "listIterator",
        "spliterator", "stream", "parallelStream", "toArray", "subList", "indexOf", "lastIndexOf", "peek", "element",
        "reversed", "getFirst", "getLast", "firstKey", "lastKey", "firstEntry", "lastEntry", "lowerKey", "floorKey",
        "ceilingKey", "higherKey", "lowerEntry", "floorEntry", "ceilingEntry", "higherEntry", "descendingMap",
        "navigableKeySet", "descendingKeySet", "subMap", "headMap", "tailMap", "comparator", "sequencedKeySet",
        "sequencedValues", "sequencedEntrySet", "putFirst", "putLast");

    /** A pin ends after its memory was written: there is nothing left to refuse. */
    private static final Set<String> WITHOUT_BEGIN = Set.of("Pins.unpin", "Pin.close");

    private final BracketJournal journal = new BracketJournal();
    private final List<String> findings = new ArrayList<>();
    private int names;

    private Object argument(Store store, Class<?> type, int longsBefore, int number, long cid, Method method) {
        if (type == long.class) {
            return longsBefore == 3 ? (long) BYTES : longsBefore > 0 || method.getName().equals("create") ? 0L : cid;
        }
        boolean isOfJdk = method.getDeclaringClass().getName().startsWith("java.util");
        boolean isAdding = method.getName().startsWith("add") || method.getName().startsWith("offer");
        boolean isOld = method.getParameterCount() == 3 || method.getName().equals("remove");
        Map<Class<?>, Object> simple = Map.ofEntries(
            Map.entry(int.class, method.getDeclaringClass() == Fields.class || isOfJdk ? 0 : BYTES),
            Map.entry(short.class, (short) 1), Map.entry(byte.class, (byte) 1), Map.entry(boolean.class, false),
            Map.entry(byte[].class, new byte[4 * BYTES]), Map.entry(int[].class, filled(4 * BYTES)),
            Map.entry(MemorySegment.class, MemorySegment.ofArray(new byte[1 << 16])),
            Map.entry(String.class, "name-" + names), Map.entry(Codec.class, Codecs.LONG),
            Map.entry(Class.class, Long.class), Map.entry(Object.class, isAdding ? 3L : number == 0 || number == 1
                && isOld ? 1L : 8L),
            Map.entry(Comparator.class, Comparator.reverseOrder()), Map.entry(Map.class, Map.of(3L, 4L)),
            Map.entry(Collection.class, List.of(isAdding ? 3L : 1L)), Map.entry(UnaryOperator.class,
                UnaryOperator.identity()),
            Map.entry(Predicate.class, (Predicate<Object>) _ -> true),
            Map.entry(EditScope.class, (EditScope) editor -> editor.putLong(0, 9)),
            Map.entry(IntFunction.class, (IntFunction<Object[]>) Object[]::new));
        if (simple.containsKey(type)) {
            return simple.get(type);
        }
        if (type == BiFunction.class) {
            return (BiFunction<Object, Object, Object>) (_, _) -> 5L;
        }
        if (type == Function.class) {
            return (Function<Object, Object>) _ -> 7L;
        }
        if (type == ValueChange.class) {
            return ValueChange.add(5);
        }
        if (type == LockStep.class) {
            return LockStep.NONE;
        }
        if (type == long[].class) {
            long[] cids = new long[longsBefore == 0 ? CHUNKS : 4 * BYTES];
            for (int i = 0; longsBefore == 0 && i < CHUNKS; i++) {
                cids[i] = store.create(BYTES);
            }
            return cids;
        }
        throw new AssertionError("no argument of type " + type + " for " + method + ": teach this test one");
    }

    private static int[] filled(int count) {
        int[] values = new int[count];
        Arrays.fill(values, BYTES);
        return values;
    }

    /** Prepares, calls and checks one method. */
    private void check(Store store, Class<?> type, Object target, Method method, long cid) throws Exception {
        String name = type.getSimpleName() + "." + method.getName();
        Object[] arguments = new Object[method.getParameterCount()];
        int longs = 0;
        for (int i = 0; i < arguments.length; i++) {
            Class<?> parameter = method.getParameterTypes()[i];
            arguments[i] = argument(store, parameter, longs, i, cid, method);
            longs += parameter == long.class || parameter == long[].class ? 1 : 0;
        }
        journal.start();
        Object result = null;
        try {
            result = method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof UnsupportedOperationException) {
                return;
            }
            findings.add(name + Arrays.toString(method.getParameterTypes()) + " throws " + e.getCause());
        }
        if (!journal.isRecorded()) {
            findings.add(name + Arrays.toString(method.getParameterTypes()) + " made no record, result " + result);
        }
        if (journal.isPending()) {
            findings.add(name + Arrays.toString(method.getParameterTypes()) + " does not wait for its record");
        }
        if (journal.isRecordedWithoutBegin() && !WITHOUT_BEGIN.contains(name)) {
            findings.add(name + Arrays.toString(method.getParameterTypes()) + " does not await room first");
        }
    }

    /** Returns whether a method only leads to another one of the class, and not to one of a hidden superclass. */
    private static boolean isRepeated(Class<?> type, Method method) {
        return method.isBridge() && Arrays.stream(type.getMethods()).anyMatch(other -> !other.isBridge()
            && other.getName().equals(method.getName())
            && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static List<Method> methods(Class<?> type, Set<String> reads) {
        return Arrays.stream(type.getMethods()).filter(method -> method.getDeclaringClass() != Object.class
            && !Modifier.isStatic(method.getModifiers()) && !isRepeated(type, method)
            && !reads.contains(method.getName())).toList();
    }

    @Test
    void everyPart_changesInTheBracket() throws Exception {
        try (Store store = new Store(Stores.small().build(), journal)) {
            TypedChunks<Long> typed = new TypedChunks<>(store, Codecs.LONG);
            for (Map.Entry<Class<?>, Set<String>> part : READS.entrySet()) {
                Class<?> type = part.getKey();
                List<Method> changing = methods(type, part.getValue());
                assertFalse(changing.isEmpty(), type.getName());
                assertTrue(type != Store.class || changing.size() >= STORE_CHANGES_MIN, changing.toString());
                for (Method method : changing) {
                    names++;
                    long cid = store.create(BYTES);
                    Object target = type == Store.class ? store : type == TypedChunks.class ? typed : null;
                    if (type == TypedChunks.class) {
                        cid = typed.create(5L);
                    } else if (type == Ids.class && !method.getName().equals("reserve")) {
                        cid = store.ids().reserve();
                    } else if (type == Pin.class) {
                        Pin pin = store.pins().pin(cid);
                        assertNotNull(pin.segment());
                        target = pin;
                    } else if (type == Pins.class) {
                        assertNotNull(store.pins().pin(cid));
                    } else if (type == Names.class && method.getName().equals("drop")) {
                        store.names().bind("name-" + names, cid);
                    }
                    check(store, type, target != null ? target : part(store, type), method, cid);
                }
            }
            assertEquals(List.of(), findings);
        }
    }

    private static Object part(Store store, Class<?> type) throws ReflectiveOperationException {
        return Arrays.stream(Store.class.getMethods())
            .filter(method -> method.getReturnType() == type && method.getParameterCount() == 0).findFirst()
            .orElseThrow(() -> new AssertionError("no part " + type)).invoke(store);
    }

    /** A collection with the elements, or keys, 1 and 2. */
    private static Object filledCollection(Store store, String name, Method opener) {
        switch (opener.getName()) {
            case "set" -> store.set(name, Codecs.LONG).addAll(List.of(1L, 2L));
            case "list" -> store.list(name, Codecs.LONG).addAll(List.of(1L, 2L));
            case "queue" -> store.queue(name, Codecs.LONG).addAll(List.of(1L, 2L));
            case "map" -> store.map(name, Codecs.LONG, Codecs.LONG).putAll(Map.of(1L, 1L, 2L, 2L));
            case "longMap" -> store.longMap(name, Codecs.LONG).putAll(Map.of(1L, 1L, 2L, 2L));
            case "sortedMap" -> store.sortedMap(name, Codecs.LONG, Codecs.LONG).putAll(Map.of(1L, 1L, 2L, 2L));
            case "sortedLongMap" -> store.sortedLongMap(name, Codecs.LONG).putAll(Map.of(1L, 1L, 2L, 2L));
            default -> throw new AssertionError(opener + " is new: teach this test to fill it");
        }
        return switch (opener.getName()) {
            case "set" -> store.set(name, Codecs.LONG);
            case "list" -> store.list(name, Codecs.LONG);
            case "queue" -> store.queue(name, Codecs.LONG);
            case "map" -> store.map(name, Codecs.LONG, Codecs.LONG);
            case "longMap" -> store.longMap(name, Codecs.LONG);
            case "sortedMap" -> store.sortedMap(name, Codecs.LONG, Codecs.LONG);
            default -> store.sortedLongMap(name, Codecs.LONG);
        };
    }

    @Test
    void everyCollection_changesInTheBracket() throws Exception {
        List<Method> openers = Arrays.stream(Store.class.getMethods())
            .filter(method -> method.getReturnType().getPackageName().equals("io.teff.engine.collect")
                && !isRepeated(Store.class, method)).toList();
        assertTrue(openers.size() >= 7, openers.toString());
        try (Store store = new Store(Stores.small().build(), journal)) {
            names = NAMES_FIRST;
            for (Method opener : openers) {
                for (Method method : methods(opener.getReturnType(), COLLECTION_READS)) {
                    names++;
                    Object collection = filledCollection(store, "collection-" + names, opener);
                    boolean isAbsentKey = method.getName().endsWith("IfAbsent");
                    if (isAbsentKey) {
                        ((Map<?, ?>) collection).remove(1L);
                    }
                    check(store, opener.getReturnType(), collection, method, 1);
                }
            }
            assertEquals(List.of(), findings);
        }
    }

    /** The asynchronous form calls back with the result; for a status it calls back at once. */
    @Test
    void submit_callsBackWithTheResult() {
        try (Store store = new Store(Stores.small().build(), journal); Store plain = Stores.open()) {
            List<Long> results = new ArrayList<>();
            for (Store each : List.of(store, plain)) {
                each.core().changes.submit(steps -> steps.creates().create(new byte[3], 0, 3, EntryWord.PLAIN),
                    (result, failure) -> {
                        assertNull(failure);
                        results.add(result);
                    });
                assertEquals(3, each.size(results.getLast()));
                each.core().changes.submit(steps -> steps.writes().remove(results.getLast() + 1),
                    (result, failure) -> {
                        assertNull(failure);
                        results.add(result);
                    });
                assertEquals(Status.ABSENT, results.getLast());
            }
            assertFalse(journal.isPending());
        }
    }
}

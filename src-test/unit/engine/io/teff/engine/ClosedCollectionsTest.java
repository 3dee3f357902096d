package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.LongBytesConsumer;
import io.teff.engine.collect.LongEntryConsumer;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.view.EditScope;
import io.teff.engine.view.ReadScope;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: no collection answers after its store was closed, or after it was dropped.
 *
 * <p>Method: all public methods of all collections, and of views that were created before, by reflection; collections
 * with an element and without. An object that accesses its collection only when used, such as a view, an iterator or a
 * stream, throws at its first use.
 */
@Tag("modes")
final class ClosedCollectionsTest {
    /** Methods that do not depend on the content of a collection. */
    private static final Set<String> ALWAYS = Set.of("comparator", "root", "indexing", "keyCodec",
        "valueCodec", "readBy", "addedAt", "addedSegment");
    /** Lower bound for the number of methods of the seven collections and their views. */
    private static final int METHODS_MIN = 1000;

    private interface Opener {
        Object open(Store store, String name);
    }

    /** A kind of collection, and an object that it may contain. */
    private record Kind(String name, Object any, Opener opener) {}

    private static final List<Kind> KINDS = List.of(
        new Kind("map", "a", (store, name) -> store.map(name, Codecs.STRING, Codecs.STRING)),
        new Kind("longMap", 0L, (store, name) -> store.longMap(name, Codecs.LONG)),
        new Kind("sortedMap", "a", (store, name) -> store.sortedMap(name, Codecs.STRING, Codecs.STRING,
            Comparator.reverseOrder())),
        new Kind("sortedLongMap", 0L, (store, name) -> store.sortedLongMap(name, Codecs.LONG)),
        new Kind("set", "a", (store, name) -> store.set(name, Codecs.STRING)),
        new Kind("list", "a", (store, name) -> store.list(name, Codecs.STRING)),
        new Kind("queue", "a", (store, name) -> store.queue(name, Codecs.STRING)));

    /** A collection or a view of one, and an object that it may contain. */
    private record Subject(String name, Object target, Object any, Object element) {
        Object argument(Class<?> type) {
            return type == Object.class ? element : type == Collection.class ? List.of(element)
                : type == Map.class ? Map.of(any, any) : argumentOf(type);
        }

        private Object argumentOf(Class<?> type) {
            List<Object> all = List.of(0, 0L, true, new byte[16], new long[1], new int[1], new Object[0],
                (Consumer<Object>) _ -> { },
                (BiConsumer<Object, Object>) (_, _) -> { }, (Predicate<Object>) _ -> true,
                (Function<Object, Object>) _ -> any, (BiFunction<Object, Object, Object>) (_, _) -> any,
                (UnaryOperator<Object>) same -> same, (IntFunction<Object[]>) Object[]::new,
                (Comparator<Object>) (_, _) -> 0, (LongConsumer) _ -> { }, (LongEntryConsumer<Object>) (_, _) -> { },
                (LongBytesConsumer) (_, _, _, _) -> { }, (ReadScope) _ -> { }, (EditScope) _ -> { },
                ValueChange.set(1).toLong(0));
            Class<?> boxed = type == int.class ? Integer.class : type == long.class ? Long.class
                : type == boolean.class ? Boolean.class : type;
            return all.stream().filter(boxed::isInstance).findFirst()
                .orElseThrow(() -> new AssertionError("an argument for " + type + " must be added"));
        }
    }

    // ---- subjects ----

    /** Opens one collection of each kind, with an element or without. */
    private static List<Subject> open(Store store, boolean isEmpty) {
        List<Subject> subjects = new ArrayList<>();
        for (Kind kind : KINDS) {
            String name = kind.name + (isEmpty ? " without elements" : "");
            Object collection = kind.opener.open(store, name);
            if (!isEmpty) {
                fill(collection, kind.any);
            }
            add(subjects, name, collection, kind.any);
        }
        return subjects;
    }

    @SuppressWarnings("unchecked")
    private static void fill(Object collection, Object any) {
        if (collection instanceof Map<?, ?> map) {
            ((Map<Object, Object>) map).put(any, any);
        } else {
            ((Collection<Object>) collection).add(any);
        }
    }

    @SuppressWarnings("unchecked")
    private static void add(List<Subject> subjects, String name, Object target, Object any) {
        subjects.add(new Subject(name, target, any, any));
        if (target instanceof Map<?, ?> map) {
            subjects.add(new Subject(name + ".keySet()", map.keySet(), any, any));
            subjects.add(new Subject(name + ".values()", map.values(), any, any));
            subjects.add(new Subject(name + ".entrySet()", map.entrySet(), any, Map.entry(any, any)));
        }
        if (target instanceof NavigableMap<?, ?> map && !name.endsWith("Map()")) {
            NavigableMap<Object, Object> sorted = (NavigableMap<Object, Object>) map;
            add(subjects, name + ".descendingMap()", sorted.descendingMap(), any);
            subjects.add(new Subject(name + ".subMap", sorted.subMap(any, true, any, true), any, any));
            subjects.add(new Subject(name + ".descendingKeySet()", sorted.descendingKeySet(), any, any));
        }
    }

    private static boolean isAsked(Method method) {
        return method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers())
            && !ALWAYS.contains(method.getName());
    }

    /**
     * Calls that need no element: comparisons with the collection itself and with others, and bulk operations without
     * elements.
     */
    @SuppressWarnings({"ReturnValueIgnored", "SelfEquals"})
    private static List<Object> emptyCalls(Object target) {
        List<Runnable> calls = new ArrayList<>(List.of(target::toString));
        if (target instanceof Map<?, ?> || target instanceof Set<?> || target instanceof List<?>) {
            calls.addAll(List.of(() -> target.equals(target), () -> target.equals("other"), target::hashCode));
        }
        if (target instanceof Map<?, ?> map) {
            calls.add(() -> map.putAll(Map.of()));
        }
        if (target instanceof Collection<?> collection) {
            calls.addAll(List.of(() -> collection.containsAll(List.of()), () -> collection.removeAll(List.of()),
                () -> collection.retainAll(List.of()), () -> collection.removeIf(_ -> true),
                () -> collection.spliterator().trySplit(), () -> collection.spliterator().estimateSize()));
        }
        if (target instanceof Collection<?> collection && (target instanceof List<?> || target instanceof Queue<?>)) {
            calls.addAll(List.of(() -> collection.addAll(List.of()), () -> collection.contains(null),
                () -> collection.remove(null)));
        }
        return calls.stream().map(ClosedCollectionsTest::thrownBy).toList();
    }

    private static Object thrownBy(Runnable call) {
        try {
            call.run();
            return "no exception";
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Returns the result or exception of a method, or of the first use of a lazy result. */
    private static Object outcome(Subject subject, Method method) throws IllegalAccessException {
        Object[] arguments = Arrays.stream(method.getParameterTypes()).map(subject::argument).toArray();
        try {
            method.setAccessible(true);                         // for classes that are not public
            return use(method.invoke(subject.target, arguments));
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalStateException e) {
            return e;
        }
    }

    private static Object use(Object result) {
        return switch (result) {
            case Map<?, ?> map -> map.size();
            case Collection<?> collection -> collection.size();
            case Iterator<?> iterator -> iterator.hasNext();
            case Spliterator<?> spliterator -> spliterator.tryAdvance(_ -> { });
            case BaseStream<?, ?> stream -> stream.iterator().hasNext();
            case null -> "nothing";
            default -> result;
        };
    }

    private static void checkAll(List<Subject> subjects, Class<?> expected) throws IllegalAccessException {
        List<String> answers = new ArrayList<>();
        int count = 0;
        for (Subject subject : subjects) {
            for (Object outcome : emptyCalls(subject.target)) {
                if (outcome.getClass() != expected) {
                    answers.add(subject.name + ": a call without elements -> " + outcome);
                }
            }
            for (Method method : subject.target.getClass().getMethods()) {
                if (isAsked(method)) {
                    Object outcome = outcome(subject, method);
                    count++;
                    if (outcome.getClass() != expected && !(outcome instanceof UnsupportedOperationException)) {
                        answers.add(subject.name + ": " + method + " -> " + outcome);
                    }
                }
            }
        }
        assertEquals("", String.join("\n", answers), "did not throw " + expected);
        assertTrue(count >= METHODS_MIN, "only " + count + " methods");
    }

    // ---- tests ----

    @Test
    void everyMethod_afterClose_throws() throws IllegalAccessException {
        Store store = Stores.open();
        List<Subject> subjects = open(store, false);
        List<Subject> withoutElements = open(store, true);
        store.close();
        checkAll(subjects, StoreClosedException.class);
        checkAll(withoutElements, StoreClosedException.class);
        for (Kind kind : KINDS) {
            assertThrows(StoreClosedException.class, () -> kind.opener.open(store, kind.name), kind.name);
            assertThrows(StoreClosedException.class, () -> kind.opener.open(store, "another"), kind.name);
        }
    }

    @Test
    void everyMethod_afterDrop_throws() throws IllegalAccessException {
        try (Store store = Stores.open()) {
            List<Subject> subjects = open(store, false);
            List<Subject> withoutElements = open(store, true);
            store.names().all().keySet().forEach(store.names()::drop);
            checkAll(subjects, IllegalStateException.class);
            checkAll(withoutElements, IllegalStateException.class);
            store.audit();
        }
    }
}

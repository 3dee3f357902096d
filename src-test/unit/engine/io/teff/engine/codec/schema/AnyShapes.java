package io.teff.engine.codec.schema;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TransferQueue;
import java.util.function.Supplier;

/** Random types, composed of containers and other types in any nesting, and random values of them, hostile ones too. */
final class AnyShapes {
    private static final List<Class<?>> COLLECTIONS = List.of(Collection.class, SequencedCollection.class, List.class,
        ArrayList.class, LinkedList.class, Vector.class, Stack.class, CopyOnWriteArrayList.class, Queue.class,
        Deque.class, ArrayDeque.class, ConcurrentLinkedQueue.class, ConcurrentLinkedDeque.class, TransferQueue.class,
        LinkedTransferQueue.class, PriorityQueue.class, PriorityBlockingQueue.class, Set.class, SequencedSet.class,
        HashSet.class, LinkedHashSet.class, CopyOnWriteArraySet.class, SortedSet.class, NavigableSet.class,
        TreeSet.class, ConcurrentSkipListSet.class, EnumSet.class);
    private static final List<Class<?>> MAPS = List.of(Map.class, SequencedMap.class, HashMap.class,
        LinkedHashMap.class, Hashtable.class, ConcurrentMap.class, ConcurrentHashMap.class, SortedMap.class,
        NavigableMap.class, TreeMap.class, ConcurrentNavigableMap.class, ConcurrentSkipListMap.class, EnumMap.class);
    private static final Set<Class<?>> SORTED = Set.of(PriorityQueue.class, PriorityBlockingQueue.class,
        SortedSet.class, NavigableSet.class, TreeSet.class, ConcurrentSkipListSet.class, SortedMap.class,
        NavigableMap.class, TreeMap.class, ConcurrentNavigableMap.class, ConcurrentSkipListMap.class);
    private static final List<Class<?>> PLAIN = List.of(String.class, Integer.class, BigDecimal.class,
        Samples.Color.class, Samples.Point.class, Version.class, Tagged.class,
        Samples.Empty.class, ZonedDateTime.class, BitSet.class,
        long[].class);

    private final SplittableRandom random;

    AnyShapes(SplittableRandom random) {
        this.random = random;
    }

    record Version(int major, int minor) implements Comparable<Version> {
        @Override
        public int compareTo(Version other) {
            return Comparator.comparingInt(Version::major).thenComparingInt(Version::minor).compare(this, other);
        }
    }

    sealed interface Result<T> permits Done, Failed {}

    record Done<T>(T value) implements Result<T> {}

    record Failed<T>(String reason) implements Result<T> {}

    /** A class that changes, and whose equality includes a field that is not stored. */
    static final class Tagged implements Comparable<Tagged> {
        private int number;
        private transient int tag;

        Tagged(int number) {
            this.number = number;
        }

        void change(int newNumber) {
            number = newNumber;
        }

        @Override
        public int compareTo(Tagged other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Tagged that && number == that.number && tag == that.tag;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    // ---- types ----

    TypeRef type(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(8)) {
            case 1, 2, 3 -> new TypeRef(one(COLLECTIONS), List.of(type(depth - 1)));
            case 4, 5 -> new TypeRef(one(MAPS), List.of(type(depth - 1), type(depth - 1)));
            case 6 -> random.nextBoolean() ? new TypeRef(Optional.class, List.of(type(depth - 1))) :
                array(type(depth - 1));
            case 7 -> random.nextBoolean() ? new TypeRef(Result.class, List.of(type(depth - 1)))
                : new TypeRef(Samples.Pair.class, List.of(type(depth - 1), type(depth - 1)));
            default -> TypeRef.of(one(PLAIN));
        };
    }

    private static TypeRef array(TypeRef component) {
        return new TypeRef(component.raw().arrayType(), List.of(component));
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Returns whether no value of a type could be read, so that the type must be refused. */
    static boolean isImpossible(TypeRef type) {
        Class<?> raw = type.raw();
        return type.arguments().stream().anyMatch(AnyShapes::isImpossible)
            || SORTED.contains(raw) && !Comparable.class.isAssignableFrom(type.arguments().getFirst().raw())
            || (raw == EnumSet.class || raw == EnumMap.class) && !type.arguments().getFirst().raw().isEnum();
    }

    // ---- values ----

    Object value(TypeRef type) {
        Class<?> raw = type.raw();
        if (raw == long[].class) {
            return random.longs(random.nextInt(4)).toArray();
        }
        if (raw.isArray()) {
            Object array = Array.newInstance(raw.getComponentType(), random.nextInt(4));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, maybe(type.arguments().getFirst()));
            }
            return array;
        }
        return COLLECTIONS.contains(raw) ? collection(raw, type.arguments().getFirst())
            : MAPS.contains(raw) ? map(raw, type.arguments().getFirst(), type.arguments().getLast())
            : raw == Optional.class ? Optional.ofNullable(maybe(type.arguments().getFirst()))
            : raw == Result.class ? random.nextBoolean() ? new Done<>(maybe(type.arguments().getFirst()))
            : new Failed<>("reason")
            : raw == Samples.Pair.class ? new Samples.Pair<>(maybe(type.arguments().getFirst()), maybe(type.arguments()
            .getLast())) : plain(raw);
    }

    private Object maybe(TypeRef type) {
        return random.nextInt(6) == 0 ? null : value(type);
    }

    private Object plain(Class<?> raw) {
        int number = random.nextInt(5);
        return switch (PLAIN.indexOf(raw)) {
            case 0 -> "text " + number;
            case 1 -> number;
            case 2 -> BigDecimal.valueOf(random.nextInt(3) * 10, random.nextInt(3));
            case 3 -> Samples.Color.values()[random.nextInt(3)];
            case 4 -> new Samples.Point(number, random.nextInt(2));
            case 5 -> new Version(number, random.nextInt(2));
            case 6 -> {
                Tagged tagged = new Tagged(number);
                tagged.tag = random.nextInt(2);
                yield tagged;
            }
            case 7 -> new Samples.Empty();
            case 8 -> ZonedDateTime.parse("2024-0" + (number + 1) + "-01T12:00+01:00[Africa/Lagos]");
            case 9 -> BitSet.valueOf(new long[] {random.nextInt(), random.nextInt(2)});
            default -> throw new AssertionError(raw);
        };
    }

    /** Returns any collection that a variable of a type can hold; null if the elements do not allow it. */
    private Object collection(Class<?> raw, TypeRef element) {
        List<Object> elements = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            elements.add(maybe(element));
        }
        List<Supplier<Collection<Object>>> all = new ArrayList<>(List.of(ArrayList::new, LinkedList::new, Vector::new,
            Stack::new, CopyOnWriteArrayList::new, ArrayDeque::new, ConcurrentLinkedQueue::new,
            ConcurrentLinkedDeque::new, LinkedTransferQueue::new, PriorityQueue::new, PriorityBlockingQueue::new,
            HashSet::new, LinkedHashSet::new, CopyOnWriteArraySet::new, TreeSet::new, ConcurrentSkipListSet::new,
            () -> new TreeSet<>(anyOrder()), () -> new ConcurrentSkipListSet<>(anyOrder()),
            () -> new PriorityQueue<>(5, anyOrder()), () -> new PriorityBlockingQueue<>(5, anyOrder()),
            () -> Collections.newSetFromMap(new IdentityHashMap<>()), () -> constants(element)));
        while (true) {
            Supplier<Collection<Object>> maker = one(all);
            Collection<Object> made = maker.get();
            if (raw.isInstance(made)) {
                elements.forEach(value -> tryAdd(made, value));
                elements.forEach(value -> change(value, elements));
                return raw.isInterface() && random.nextInt(4) == 0 ? wrapped(raw, made) : made;
            }
            all.remove(maker);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Collection<Object> constants(TypeRef element) {
        return element.raw().isEnum() ? (Collection) EnumSet.noneOf((Class) element.raw()) : new ArrayList<>();
    }

    private static Object wrapped(Class<?> raw, Collection<Object> made) {
        Object wrapped = made instanceof NavigableSet<Object> set ? Collections.unmodifiableNavigableSet(set)
            : made instanceof Set<Object> set ? Collections.unmodifiableSet(set)
            : made instanceof List<Object> list ? Collections.synchronizedList(list) : made;
        return raw.isInstance(wrapped) ? wrapped : made;
    }

    /** Changes a value while it is in a container; sometimes it then equals another one there. */
    private void change(Object value, List<Object> others) {
        if (value instanceof Tagged tagged && random.nextInt(3) == 0) {
            tagged.change(others.getFirst() instanceof Tagged first ? first.number : 0);
        } else if (value instanceof ArrayList<?> list && random.nextInt(3) == 0) {
            list.clear();
        }
    }

    private static void tryAdd(Collection<Object> target, Object value) {
        try {
            target.add(value);
        } catch (NullPointerException | ClassCastException e) {
            Objects.requireNonNull(e);                          // this kind of collection cannot have it
        }
    }

    private Comparator<Object> anyOrder() {
        return random.nextBoolean() ? Comparator.comparing(String::valueOf) : Comparator.comparingInt(
            System::identityHashCode);
    }

    private Object map(Class<?> raw, TypeRef key, TypeRef value) {
        List<Supplier<Map<Object, Object>>> all = new ArrayList<>(List.of(HashMap::new, LinkedHashMap::new,
            Hashtable::new, ConcurrentHashMap::new, TreeMap::new, ConcurrentSkipListMap::new, IdentityHashMap::new,
            () -> new TreeMap<>(anyOrder()), () -> new ConcurrentSkipListMap<>(anyOrder()), () -> constantMap(key)));
        List<Object> keys = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            keys.add(maybe(key));
        }
        while (true) {
            Supplier<Map<Object, Object>> maker = one(all);
            Map<Object, Object> made = maker.get();
            if (raw.isInstance(made)) {
                for (Object known : keys) {
                    try {
                        made.put(known, maybe(value));
                    } catch (NullPointerException | ClassCastException e) {
                        Objects.requireNonNull(e);              // this kind of map cannot have it
                    }
                }
                keys.forEach(known -> change(known, keys));
                return made;
            }
            all.remove(maker);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Map<Object, Object> constantMap(TypeRef key) {
        return key.raw().isEnum() ? new EnumMap((Class) key.raw()) : new HashMap<>();
    }

    // ---- comparison ----

    /** Returns whether two values have the same content; the order counts where the containers have one. */
    static boolean same(Object left, Object right) {
        return switch (left) {
            case null -> right == null;
            case Optional<?> optional -> right instanceof Optional<?> other && same(optional.orElse(null),
                other.orElse(null));
            case Map<?, ?> map -> right instanceof Map<?, ?> other && sameInAnyOrder(entries(map), entries(other));
            case Set<?> set when right instanceof Set<?> other -> sameInAnyOrder(set, other);
            case Collection<?> queue when right instanceof PriorityQueue<?> || right instanceof PriorityBlockingQueue<?>
                -> sameInAnyOrder(queue, (Collection<?>) right);   // elements that changed stand elsewhere in its heap
            case Collection<?> list -> right instanceof Collection<?> other && sameInOrder(list.toArray(),
                other.toArray());
            case Object[] array -> right instanceof Object[] other && sameInOrder(array, other);
            case long[] array -> right instanceof long[] other && Arrays.equals(array, other);
            case Samples.Pair<?, ?>(Object a, Object b) -> right instanceof Samples.Pair<?, ?>(Object c, Object d)
                && same(a, c) && same(b, d);
            case Done<?>(Object value) -> right instanceof Done<?>(Object other) && same(value, other);
            case Tagged tagged -> right instanceof Tagged other && tagged.number == other.number;
            default -> left.equals(right);
        };
    }

    private static Collection<?> entries(Map<?, ?> map) {
        List<Object> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(new Samples.Pair<>(key, value)));
        return entries;
    }

    private static boolean sameInOrder(Object[] left, Object[] right) {
        boolean same = left.length == right.length;
        for (int i = 0; same && i < left.length; i++) {
            same = same(left[i], right[i]);
        }
        return same;
    }

    private static boolean sameInAnyOrder(Collection<?> left, Collection<?> right) {
        List<Object> rest = new ArrayList<>(right);
        for (Object value : left) {
            int at = 0;
            while (at < rest.size() && !same(value, rest.get(at))) {
                at++;
            }
            if (at == rest.size()) {
                return false;
            }
            rest.remove(at);
        }
        return rest.isEmpty();
    }
}

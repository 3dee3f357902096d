package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.type.ContainerKind;
import io.teff.engine.codec.type.RefusedElements;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
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
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The collections and maps of the JDK that have a schema, by declared type. {@link RefusedTypes} has the others. */
final class Containers {
    private static final Map<Class<?>, ContainerKind<Collection<@Nullable Object>>> COLLECTIONS = new HashMap<>();
    private static final Map<Class<?>, ContainerKind<Map<@Nullable Object, @Nullable Object>>> MAPS = new HashMap<>();

    static {
        lists();
        queues();
        sets();
        maps(RefusedElements.EQUALS, LinkedHashMap::newLinkedHashMap, Map.class, SequencedMap.class,
            LinkedHashMap.class);
        maps(RefusedElements.EQUALS, HashMap::newHashMap, HashMap.class);
        maps(RefusedElements.EQUALS, count -> new Hashtable<>(), Hashtable.class);
        maps(RefusedElements.EQUALS, count -> new ConcurrentHashMap<>(), ConcurrentMap.class, ConcurrentHashMap.class);
        maps(RefusedElements.UNORDERED_AND_EQUALS, count -> new TreeMap<>(), SortedMap.class, NavigableMap.class,
            TreeMap.class);
        maps(RefusedElements.UNORDERED_AND_EQUALS, count -> new ConcurrentSkipListMap<>(), ConcurrentNavigableMap.class,
            ConcurrentSkipListMap.class);
    }

    private Containers() {}

    private static void lists() {
        collections(RefusedElements.NOTHING, ArrayList::new, Collection.class, SequencedCollection.class, List.class,
            ArrayList.class);
        collections(RefusedElements.NOTHING, count -> new LinkedList<>(), LinkedList.class);
        collections(RefusedElements.NOTHING, count -> new CopyOnWriteArrayList<>(), CopyOnWriteArrayList.class);
        collections(RefusedElements.NOTHING, Vector::new, Vector.class);
        collections(RefusedElements.NOTHING, count -> new Stack<>(), Stack.class);
    }

    private static void queues() {
        // All other queues refuse nulls.
        collections(RefusedElements.NOTHING, count -> new LinkedList<>(), Queue.class, Deque.class);
        collections(RefusedElements.NULLS, ArrayDeque::new, ArrayDeque.class);
        collections(RefusedElements.NULLS, count -> new ConcurrentLinkedQueue<>(), ConcurrentLinkedQueue.class);
        collections(RefusedElements.NULLS, count -> new ConcurrentLinkedDeque<>(), ConcurrentLinkedDeque.class);
        collections(RefusedElements.NULLS, count -> new LinkedTransferQueue<>(), TransferQueue.class,
            LinkedTransferQueue.class);
        collections(RefusedElements.UNORDERED, count -> new PriorityQueue<>(), PriorityQueue.class);
        collections(RefusedElements.UNORDERED, count -> new PriorityBlockingQueue<>(), PriorityBlockingQueue.class);
    }

    private static void sets() {
        collections(RefusedElements.EQUALS, LinkedHashSet::newLinkedHashSet, Set.class, SequencedSet.class,
            LinkedHashSet.class);
        collections(RefusedElements.EQUALS, HashSet::newHashSet, HashSet.class);
        collections(RefusedElements.EQUALS, count -> new CopyOnWriteArraySet<>(), CopyOnWriteArraySet.class);
        collections(RefusedElements.UNORDERED_AND_EQUALS, count -> new TreeSet<>(), SortedSet.class, NavigableSet.class,
            TreeSet.class);
        collections(RefusedElements.UNORDERED_AND_EQUALS, count -> new ConcurrentSkipListSet<>(),
            ConcurrentSkipListSet.class);
    }

    private static void collections(RefusedElements refusals, IntFunction<Collection<@Nullable Object>> factory,
                                    Class<?>... types) {
        ContainerKind<Collection<@Nullable Object>> kind = new ContainerKind<>(factory, refusals);
        Arrays.stream(types).forEach(type -> COLLECTIONS.put(type, kind));
    }

    private static void maps(RefusedElements refusals, IntFunction<Map<@Nullable Object, @Nullable Object>> factory,
                             Class<?>... types) {
        ContainerKind<Map<@Nullable Object, @Nullable Object>> kind = new ContainerKind<>(factory, refusals);
        Arrays.stream(types).forEach(type -> MAPS.put(type, kind));
    }

    /** Returns whether values of a type are collections with a schema. */
    static boolean isCollection(Class<?> type) {
        return type == EnumSet.class || COLLECTIONS.containsKey(type);
    }

    /** Returns whether values of a type are maps with a schema. */
    static boolean isMap(Class<?> type) {
        return type == EnumMap.class || MAPS.containsKey(type);
    }

    /** Returns the kind of lists. */
    static ContainerKind<Collection<@Nullable Object>> list() {
        return Objects.requireNonNull(COLLECTIONS.get(List.class));
    }

    /** Returns the kind of sets. */
    static ContainerKind<Collection<@Nullable Object>> set() {
        return Objects.requireNonNull(COLLECTIONS.get(Set.class));
    }

    /** Returns the kind of maps. */
    static ContainerKind<Map<@Nullable Object, @Nullable Object>> map() {
        return Objects.requireNonNull(MAPS.get(Map.class));
    }

    /** Returns the kind of a declared type of collections with these elements. */
    @SuppressWarnings("unchecked")
    static ContainerKind<Collection<@Nullable Object>> collection(Class<?> type, TypeRef element, String path) {
        if (type == EnumSet.class) {
            Class<Few> constants = (Class<Few>) enumOf(element, path);
            return new ContainerKind<>(count -> (Collection<@Nullable Object>) (Collection<?>)
                EnumSet.noneOf(constants), RefusedElements.EQUALS);
        }
        ContainerKind<Collection<@Nullable Object>> kind = Objects.requireNonNull(COLLECTIONS.get(type));
        requireOrder(kind, type, element, path);
        return kind;
    }

    /** Returns the kind of a declared type of maps with these keys. */
    @SuppressWarnings("unchecked")
    static ContainerKind<Map<@Nullable Object, @Nullable Object>> map(Class<?> type, TypeRef key, String path) {
        if (type == EnumMap.class) {
            Class<Few> constants = (Class<Few>) enumOf(key, path);
            return new ContainerKind<>(count -> (Map<@Nullable Object, @Nullable Object>) (Map<?, ?>)
                new EnumMap<Few, Object>(constants), RefusedElements.EQUALS);
        }
        ContainerKind<Map<@Nullable Object, @Nullable Object>> kind = Objects.requireNonNull(MAPS.get(type));
        requireOrder(kind, type, key, path);
        return kind;
    }

    /** Stands for the enum of a set or map, whose class is known at run time only. */
    private enum Few { }

    private static Class<?> enumOf(TypeRef element, String path) {
        if (!element.raw().isEnum()) {
            throw new SchemaException(path + ": " + element + " is not an enum, so there are no sets and maps of its "
                + "constants; declare java.util.Set or java.util.Map", null);
        }
        return element.raw();
    }

    private static void requireOrder(ContainerKind<?> kind, Class<?> type, TypeRef element, String path) {
        if (kind.refusals().isSorted() && !isComparable(element.raw())) {
            throw new SchemaException(path + ": " + element + " is not Comparable, so a " + type.getName() + " of it "
                + "needs a comparator, which is not stored; declare a list, a set or a map that is not sorted", null);
        }
    }

    private static boolean isComparable(Class<?> type) {
        return Comparable.class.isAssignableFrom(type)
            || type.isSealed() && Arrays.stream(type.getPermittedSubclasses()).allMatch(Containers::isComparable);
    }
}

package io.teff.engine.codec.schema;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Factories of the collections and maps for declared types. */
final class Containers {
    private static final Map<Class<?>, IntFunction<Collection<@Nullable Object>>> COLLECTIONS = new HashMap<>();
    private static final Map<Class<?>, IntFunction<Map<@Nullable Object, @Nullable Object>>> MAPS = new HashMap<>();

    static {
        collections(ArrayList::new, Collection.class, SequencedCollection.class, List.class, ArrayList.class);
        collections(count -> new LinkedList<>(), LinkedList.class);
        collections(LinkedHashSet::newLinkedHashSet, Set.class, SequencedSet.class, LinkedHashSet.class);
        collections(HashSet::newHashSet, HashSet.class);
        collections(count -> new TreeSet<>(), SortedSet.class, NavigableSet.class, TreeSet.class);
        collections(count -> new LinkedList<>(), Queue.class, Deque.class);     // ArrayDeque rejects nulls
        collections(ArrayDeque::new, ArrayDeque.class);
        collections(count -> new PriorityQueue<>(), PriorityQueue.class);
        maps(LinkedHashMap::newLinkedHashMap, Map.class, SequencedMap.class, LinkedHashMap.class);
        maps(HashMap::newHashMap, HashMap.class);
        maps(count -> new TreeMap<>(), SortedMap.class, NavigableMap.class, TreeMap.class);
        maps(count -> new ConcurrentHashMap<>(), ConcurrentMap.class, ConcurrentHashMap.class);
    }

    private Containers() {}

    private static void collections(IntFunction<Collection<@Nullable Object>> factory, Class<?>... types) {
        for (Class<?> type : types) {
            COLLECTIONS.put(type, factory);
        }
    }

    private static void maps(IntFunction<Map<@Nullable Object, @Nullable Object>> factory, Class<?>... types) {
        for (Class<?> type : types) {
            MAPS.put(type, factory);
        }
    }

    /**
     * Returns the factory of collections for a declared type, by capacity; null if it is not a collection of the JDK.
     */
    static @Nullable IntFunction<Collection<@Nullable Object>> collection(Class<?> type) {
        return COLLECTIONS.get(type);
    }

    /** Returns the factory of maps for a declared type, by capacity; null if it is not a map of the JDK. */
    static @Nullable IntFunction<Map<@Nullable Object, @Nullable Object>> map(Class<?> type) {
        return MAPS.get(type);
    }
}

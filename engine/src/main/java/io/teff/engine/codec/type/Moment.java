package io.teff.engine.codec.type;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The content of a collection or map at one moment, while other threads may change the collection.
 *
 * <p>A writer visits the elements several times: for their number, for the nulls, for the bytes. An ordinary collection
 * of {@code java.util} must not be changed meanwhile, and is visited directly, without a copy. Every other collection
 * may be made for several threads, or may be a view of such a collection. A writer visits a copy, made by one call of
 * {@link Collection#toArray()}: an atomic copy if the collection has a lock or is copied on write, else what the weakly
 * consistent iterator shows.
 *
 * <p><b>Duplicates.</b> The iterator of a {@link java.util.concurrent.ConcurrentHashMap} can show a key twice, if
 * another thread removes the key and puts the key again. A reader refuses such bytes, so a copy with equal keys is
 * replaced by another copy. Keys that stay equal were changed in the set or map, and are left to the reader's refusal.
 */
public final class Moment {
    /** Copies of a set or map until equal keys count as content. */
    private static final int COPIES_MAX = 16;
    /** Classes of {@code java.util} for several threads, and views of any collections. */
    private static final List<String> SHARED = List.of("java.util.Vector", "java.util.Stack", "java.util.Hashtable",
        "java.util.Properties", "java.util.WeakHashMap", "java.util.ReverseOrder", "java.util.AbstractMap$",
        "java.util.Collections$Synchronized", "java.util.Collections$Unmodifiable", "java.util.Collections$Checked",
        "java.util.Collections$SetFromMap", "java.util.Collections$SequencedSetFromMap",
        "java.util.Collections$AsLIFOQueue");
    private static final ClassValue<Boolean> ORDINARY = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isOrdinary(type);
        }
    };

    private Moment() {}

    /** Decides by the nearest superclass of the JDK. */
    private static boolean isOrdinary(Class<?> type) {
        Class<?> known = type;
        while (!known.getPackageName().startsWith("java.")) {
            known = known.getSuperclass();
        }
        String name = known.getName();
        return known.getPackageName().equals("java.util") && !Modifier.isAbstract(known.getModifiers())
            && SHARED.stream().noneMatch(name::startsWith);
    }

    /** Returns a collection that no other thread may change: the collection itself, or a copy. */
    static Collection<@Nullable Object> of(Collection<@Nullable Object> value) {
        if (value.getClass() == ArrayList.class || ORDINARY.get(value.getClass())) {
            return value;
        }
        boolean isDistinct = value instanceof Set && !(value instanceof SortedSet);
        return isDistinct ? copy(value, element -> element) : Arrays.asList(value.toArray());
    }

    /** Returns the entries of a map as a collection that no other thread may change. */
    @SuppressWarnings("unchecked")
    static Collection<Map.Entry<@Nullable Object, @Nullable Object>> entries(
        Map<@Nullable Object, @Nullable Object> map) {
        Collection<?> entries = map.entrySet();
        if (!ORDINARY.get(map.getClass())) {
            entries = map instanceof SortedMap ? Arrays.asList(entries.toArray())
                : copy(entries, entry -> ((Map.Entry<?, ?>) entry).getKey());
        }
        return (Collection<Map.Entry<@Nullable Object, @Nullable Object>>) entries;
    }

    /** Copies elements, again while two keys are equal and further copies are allowed. */
    private static Collection<@Nullable Object> copy(Collection<?> source, UnaryOperator<@Nullable Object> keyOf) {
        for (int i = 1; ; i++) {
            List<@Nullable Object> copy = Arrays.asList(source.toArray());
            if (i == COPIES_MAX || copy.stream().map(keyOf).distinct().count() == copy.size()) {
                return copy;
            }
        }
    }

    /**
     * Returns the next element.
     *
     * @throws ConcurrentModificationException if there is none, or the iterator fails because of changes
     */
    public static <E> E next(Iterator<E> elements, String message) {
        try {
            return elements.next();
        } catch (NoSuchElementException | IndexOutOfBoundsException | NullPointerException e) {
            throw new ConcurrentModificationException(message, e);
        }
    }
}

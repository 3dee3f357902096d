package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.os.FailureText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
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
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Refuses collections and maps that could be written and never be read.
 *
 * <p>A reader adds the elements to a new container of the declared type. This container may refuse elements of the
 * written container: a set with a comparator or by identity has equal elements, a class without a natural order needs
 * the comparator, elements changed after they were added, another implementation accepts nulls.
 *
 * <p>A well-known implementation with elements that never change, and are equal after reading only if they were equal
 * before, needs no check. Every other container is read once after the write, together with the containers inside.
 */
final class ReadableContainers {
    private static final Set<Class<?>> KNOWN = Set.of(HashSet.class, LinkedHashSet.class, HashMap.class,
        LinkedHashMap.class, Hashtable.class, ConcurrentHashMap.class, EnumMap.class, CopyOnWriteArraySet.class,
        ArrayDeque.class, LinkedList.class, ConcurrentLinkedQueue.class, ConcurrentLinkedDeque.class,
        LinkedTransferQueue.class, PriorityQueue.class, PriorityBlockingQueue.class,
        EnumSet.noneOf(Thread.State.class).getClass(), Set.of(1).getClass(), Set.of(1, 2, 3).getClass(),
        Map.of(1, 1).getClass(), Map.of(1, 1, 2, 2).getClass());
    private static final Set<Class<?>> KNOWN_SORTED = Set.of(TreeSet.class, TreeMap.class,
        ConcurrentSkipListSet.class, ConcurrentSkipListMap.class);

    private final RefusedElements refusals;
    private final TypeCodec<Object> element;
    /** Whether the elements are stable; determined at the first write, when all types are complete. */
    private volatile @Nullable Boolean isStable;

    /** Makes the check of containers that refuse some elements; the elements of a map are its keys. */
    ReadableContainers(RefusedElements refusals, TypeCodec<Object> element) {
        this.refusals = refusals;
        this.element = element;
    }

    /**
     * Refuses a container whose comparator the bytes would lose.
     *
     * @return whether the container must be read after it was written
     */
    boolean isToCheck(Object container) {
        Comparator<?> comparator = comparator(container);
        if (refusals.isSorted() && comparator != null && !comparator.equals(Comparator.naturalOrder())) {
            throw new IllegalArgumentException("a " + container.getClass().getName() + " with a comparator, which "
                + "would be read without it; declare a list, a set or a map that is not sorted, or use the natural "
                + "order");
        }
        return refusals != RefusedElements.NOTHING && !isKnown(container.getClass());
    }

    private boolean isKnown(Class<?> type) {
        return (KNOWN.contains(type) || refusals.isSorted() && KNOWN_SORTED.contains(type))
            && (!refusals.isDistinct() || isStable());
    }

    private static @Nullable Comparator<?> comparator(Object container) {
        return switch (container) {
            case SortedSet<?> set -> set.comparator();
            case SortedMap<?, ?> map -> map.comparator();
            case PriorityQueue<?> queue -> queue.comparator();
            case PriorityBlockingQueue<?> queue -> queue.comparator();
            default -> null;
        };
    }

    private boolean isStable() {
        Boolean known = isStable;
        if (known == null) {
            known = isStable(element, new ArrayList<>());
            isStable = known;
        }
        return known;
    }

    /** Returns whether values of a type never change, and are equal after reading only if they were before. */
    private static boolean isStable(TypeCodec<?> codec, List<FieldLayout> seen) {
        return switch (codec) {
            case StructCodec struct -> isStable(struct.layout(), seen);
            case SealedCodec sealed -> {
                for (TypeCodec<?> subclass : sealed.codecs()) {
                    if (!isStable(Objects.requireNonNull(subclass), seen)) {
                        yield false;
                    }
                }
                yield true;
            }
            case OptionalCodec optional -> isStable(optional.value(), seen);
            case RecursiveCodec recursive -> isStable(recursive.target(), seen);
            case MappedCodec mapped -> mapped.isImmutable();
            case FixedMappedCodec _ -> false;
            case TypeCodec.Fixed<?> _, StringCodec _ -> true;
            default -> false;                                   // mutable, or written by the user's code
        };
    }

    private static boolean isStable(FieldLayout layout, List<FieldLayout> seen) {
        if (seen.contains(layout)) {
            return true;
        }
        seen.add(layout);
        return layout.type().isRecord() && layout.fields().stream().allMatch(field -> isStable(field.codec(), seen));
    }

    /** Reads the bytes of a written container, and refuses the container if its bytes cannot be read. */
    static void check(TypeCodec<?> codec, Object container, byte[] array, int from, int length) {
        try {
            codec.read(new Input(array, from, length));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("a " + container.getClass().getName() + " that could not be read as the "
                + "declared type: " + FailureText.of(e), e);
        }
    }
}

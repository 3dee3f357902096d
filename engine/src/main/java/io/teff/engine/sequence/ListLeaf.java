package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link ListTree} whose entries are segments, by their numbers.
 *
 * <p><b>Places of walks.</b> A walk makes the {@link ListPlace} of a segment in an array with one index per entry. The
 * leaf has a weak reference to the array, and each place in the array a strong one: the array exists as long as a walk
 * needs one of its places. When entries get other indexes, the list makes a new array. So a walk that puts a place into
 * an old array, at an index that was right then, puts it where no thread looks any more; the walk's stamp is invalid,
 * and the walk tries again. A walk validates its stamp before it puts a place into an array, so each place in the
 * present array belongs to the entry at its index.
 */
final class ListLeaf extends ListNode {
    /** Elements of a full segment, and of a full leaf, as powers of two. */
    static final int SEGMENT_SHIFT = Integer.numberOfTrailingZeros(ChunkList.SEGMENT);
    static final int FULL_SHIFT = SEGMENT_SHIFT + Integer.numberOfTrailingZeros(ENTRIES);

    private static final VarHandle PLACES;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(ListPlace[].class);

    static {
        assert ENTRIES * ChunkList.SEGMENT <= Short.MAX_VALUE : "ends must fit";
        try {
            PLACES = MethodHandles.lookup().findVarHandle(ListLeaf.class, "places", WeakReference.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final short[] ends = new short[ENTRIES];
    private final int[] numbers = new int[ENTRIES];
    private volatile @Nullable WeakReference<@Nullable ListPlace[]> places;

    @Override
    Object ends() {
        return ends;
    }

    @Override
    Object entries() {
        return numbers;
    }

    @Override
    long end(int index) {
        return ends[index];
    }

    @Override
    void setEnd(int index, long end) {
        ends[index] = (short) end;
    }

    @Override
    int entryOf(long element) {
        final int entries = safeCount();
        final int full = (int) (element >>> SEGMENT_SHIFT);
        if (full > 0 && full < entries && ends[full - 1] <= element && ends[full] > element) {
            return full;
        }
        int index = entries == 0 ? 0 : guess(element, entries, ends[entries - 1]);
        while (index < entries && ends[index] <= element) {
            index++;
        }
        while (index > 0 && ends[index - 1] > element) {
            index--;
        }
        return index;
    }

    @Override
    ListNode fresh() {
        return new ListLeaf();
    }

    int number(int index) {
        return numbers[index];
    }

    void set(int index, int number) {
        numbers[index] = number;
    }

    /** Returns the index of a segment, or -1. */
    int indexOf(int number) {
        for (int i = safeCount() - 1; i >= 0; i--) {
            if (numbers[i] == number) {
                return i;
            }
        }
        return -1;
    }

    // ---- places ----

    private @Nullable ListPlace @Nullable [] array() {
        final WeakReference<@Nullable ListPlace[]> reference = places;
        return reference == null ? null : reference.get();
    }

    /** Returns the array of the places, for a walk, which makes it if it does not exist. */
    @Nullable ListPlace[] arrayForWalk() {
        for (;;) {
            final WeakReference<@Nullable ListPlace[]> reference = places;
            final @Nullable ListPlace[] known = reference == null ? null : reference.get();
            if (known != null) {
                return known;
            }
            final @Nullable ListPlace[] made = new ListPlace[ENTRIES];
            if (PLACES.compareAndSet(this, reference, new WeakReference<>(made))) {
                return made;
            }
        }
    }

    /**
     * Returns the place of a segment, for a walk, which makes it if it does not exist.
     *
     * @param array result of {@link #arrayForWalk}
     * @param index index of the segment's entry; validated after the array was found
     */
    ListPlace placeForWalk(@Nullable ListPlace[] array, int index, int number) {
        final ListPlace known = (ListPlace) PLACE.getAcquire(array, index);
        if (known != null) {
            return known;
        }
        final ListPlace made = new ListPlace(this, number);
        made.home = array;
        final ListPlace other = (ListPlace) PLACE.compareAndExchange(array, index, (ListPlace) null, made);
        return other == null ? made : other;
    }

    /** Returns the place of a segment if a walk needs it, or null. */
    @Nullable ListPlace placeIfAny(int index) {
        final @Nullable ListPlace[] array = array();
        return array == null ? null : (ListPlace) PLACE.getAcquire(array, index);
    }

    /** Returns the place of a segment, for the list. */
    ListPlace place(int index) {
        return placeForWalk(arrayForWalk(), index, numbers[index]);
    }

    @Override
    void moving(int from, int distance, ListNode target) {
        final @Nullable ListPlace[] array = array();
        if (array == null || from >= count && (target != this || distance > 0)) {
            return;
        }
        final ListLeaf other = (ListLeaf) target;
        final boolean isAway = other != this;
        final @Nullable ListPlace[] kept = copy(array, 0, isAway ? from : Math.min(from, from + distance), 0, this);
        if (isAway) {
            final @Nullable ListPlace[] there = other.array();
            final @Nullable ListPlace[] moved = there == null ? new ListPlace[ENTRIES]
                : copy(there, 0, other.count, 0, other);
            copyTo(moved, array, from, count, distance, other);
            other.places = new WeakReference<>(moved);
        } else {
            copyTo(kept, array, from, count, distance, this);
        }
        places = new WeakReference<>(kept);
    }

    private static @Nullable ListPlace[] copy(@Nullable ListPlace[] array, int from, int end, int distance,
            ListLeaf leaf) {
        final @Nullable ListPlace[] copied = new ListPlace[ENTRIES];
        copyTo(copied, array, from, end, distance, leaf);
        return copied;
    }

    private static void copyTo(@Nullable ListPlace[] target, @Nullable ListPlace[] array, int from, int end,
            int distance, ListLeaf leaf) {
        for (int i = from; i < end; i++) {
            final ListPlace place = (ListPlace) PLACE.getAcquire(array, i);
            if (place != null) {
                place.leaf = leaf;
                place.home = target;
                target[i + distance] = place;
            }
        }
    }

    @Override
    void taken(int from) {}

    /** Tells all places that the list was cleared. */
    void clearPlaces() {
        final @Nullable ListPlace[] array = array();
        for (int i = 0; array != null && i < ENTRIES; i++) {
            final ListPlace place = (ListPlace) PLACE.getAcquire(array, i);
            if (place != null) {
                place.clear();
            }
        }
        places = null;
    }
}

package io.teff.engine.sequence;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A segment of a list, as an entry of a leaf of the {@link ListTree}, and an offset in the segment. Readers may find
 * anything while the tree is changed, but nothing fails: they validate a stamp. Not thread-safe.
 */
final class ListSpot {
    /** The highest tree: 64 to the power of 11 exceeds any number of elements. */
    private static final int LEVELS_MAX = 12;

    /** The leaf; null if nothing was found. */
    @Nullable ListLeaf leaf;
    /** Index of the segment's entry in the leaf. */
    int entry;
    /** Offset in the segment. */
    int at;

    /** Finds an element; returns false if there is none, or if the tree is torn. */
    boolean find(ListNode root, long element) {
        leaf = null;
        ListNode node = root;
        long rest = element;
        for (int level = 0; level < LEVELS_MAX && node != null; level++) {
            final int index = node.entryOf(rest);
            if (rest < 0 || index >= node.safeCount()) {
                return false;
            }
            rest -= node.start(index);
            if (node instanceof ListLeaf found) {
                set(found, index, (int) rest);
                return true;
            }
            node = ((ListInner) node).entry(index);
        }
        return false;
    }

    /** Finds the end of the last segment; returns false if there is no segment, or if the tree is torn. */
    boolean findEnd(ListNode root) {
        final boolean isFound = findOuter(root, true);
        at = isFound ? count() : 0;
        return isFound;
    }

    /** Finds the first segment; returns false if there is none, or if the tree is torn. */
    boolean findFirst(ListNode root) {
        return findOuter(root, false);
    }

    private boolean findOuter(ListNode root, boolean isLast) {
        leaf = null;
        ListNode node = root;
        for (int level = 0; level < LEVELS_MAX && node != null; level++) {
            final int index = isLast ? node.safeCount() - 1 : 0;
            if (index < 0 || node.safeCount() == 0) {
                return false;
            }
            if (node instanceof ListLeaf found) {
                set(found, index, 0);
                return true;
            }
            node = ((ListInner) node).entry(index);
        }
        return false;
    }

    /** Finds the boundary of a place; returns false if the list was cleared, or if the tree is torn. */
    boolean find(ListPlace place) {
        leaf = null;
        final ListPlace segment = place.segment();
        if (segment == null) {
            return false;
        }
        final ListLeaf found = segment.leaf;
        if (found == null) {
            return false;
        }
        set(found, found.indexOf(segment.number), place.offset());
        if (entry < 0) {
            leaf = null;
        }
        return entry >= 0;
    }

    void set(ListLeaf newLeaf, int newEntry, int newAt) {
        leaf = newLeaf;
        entry = newEntry;
        at = newAt;
    }

    void set(ListSpot other) {
        leaf = other.leaf;
        entry = other.entry;
        at = other.at;
    }

    private ListLeaf leaf() {
        final ListLeaf found = leaf;
        if (found == null) {
            throw new IllegalStateException("no segment was found");
        }
        return found;
    }

    int number() {
        return leaf().number(entry);
    }

    /** Returns the number of elements of the segment. */
    int count() {
        return (int) leaf().sizeOf(entry);
    }

    ListPlace place() {
        return leaf().place(entry);
    }

    /** Returns the index of the element at the offset. */
    long index() {
        long before = leaf().start(entry) + at;
        ListNode node = leaf();
        for (ListInner above = node.parent; above != null; above = above.parent) {
            before += above.start(Math.max(above.indexOf(node), 0));
            node = above;
        }
        return before;
    }

    /** Goes to the front of the segment behind; returns false and stays if there is none. */
    boolean toNext() {
        return toNeighbour(1);
    }

    /** Goes to the front of the segment before; returns false and stays if there is none. */
    boolean toPrevious() {
        return toNeighbour(-1);
    }

    private boolean toNeighbour(int step) {
        ListNode node = leaf();
        int index = entry + step;
        int levels = 0;
        while (index < 0 || index >= node.safeCount()) {
            final ListInner above = node.parent;
            if (above == null || levels > LEVELS_MAX) {
                return false;
            }
            final int place = above.indexOf(node);
            if (place < 0) {
                return false;                                   // torn
            }
            index = place + step;
            node = above;
            levels++;
        }
        VarHandle.acquireFence();                               // the entry behind the count
        for (; node instanceof ListInner inner; levels--) {
            final ListNode below = inner.entry(index);
            if (below == null || levels < 0) {
                return false;                                   // torn
            }
            node = below;
            index = step > 0 ? 0 : Math.max(node.safeCount() - 1, 0);
        }
        set((ListLeaf) node, index, 0);
        return true;
    }
}

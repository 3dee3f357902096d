package io.teff.engine.sequence;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A node of a {@link ListTree} whose entries are nodes. */
final class ListInner extends ListNode {
    private final long[] ends = new long[ENTRIES];
    private final @Nullable ListNode[] entries = new ListNode[ENTRIES];

    /** Elements of a full entry, as a power of two. */
    private final int fullShift;

    private ListInner(int fullShift) {
        this.fullShift = fullShift;
    }

    /** Creates a node with one entry, of a number of elements. */
    ListInner(ListNode first, long elements) {
        this(first instanceof ListInner below ? below.fullShift + Integer.numberOfTrailingZeros(ENTRIES)
            : ListLeaf.FULL_SHIFT);
        ends[0] = elements;
        entries[0] = first;
        count = 1;
    }

    @Override
    Object ends() {
        return ends;
    }

    @Override
    Object entries() {
        return entries;
    }

    @Override
    long end(int index) {
        return ends[index];
    }

    @Override
    void setEnd(int index, long end) {
        ends[index] = end;
    }

    @Override
    int entryOf(long element) {
        final int entries = safeCount();
        final int full = (int) (element >>> fullShift);
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
        return new ListInner(fullShift);
    }

    /** Returns an entry; null if it is torn. */
    @Nullable ListNode entry(int index) {
        return entries[index];
    }

    /** Returns an entry, for the list. */
    ListNode existing(int index) {
        return Objects.requireNonNull(entries[index]);
    }

    void set(int index, ListNode node) {
        entries[index] = node;
        node.parent = this;
    }

    int indexOf(ListNode node) {
        for (int i = safeCount() - 1; i >= 0; i--) {
            if (entries[i] == node) {
                return i;
            }
        }
        return -1;
    }

    @Override
    void moving(int from, int distance, ListNode target) {}

    @Override
    void taken(int from) {
        for (int i = from; i < count; i++) {
            existing(i).parent = this;
        }
    }
}

package io.teff.engine.sequence;

import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link ListTree}: up to {@value #ENTRIES} entries, each with the number of elements up to its end. An
 * entry is a segment ({@link ListLeaf}) or a node ({@link ListInner}). One thread at a time changes nodes. Readers may
 * see any state in between, and must find out by a stamp, so no method that they use fails.
 */
abstract sealed class ListNode permits ListLeaf, ListInner {
    /** The most entries of a node. */
    static final int ENTRIES = 64;

    @Nullable ListInner parent;
    /** Number of entries. */
    int count;

    /** Returns the array of the ends. */
    abstract Object ends();

    /** Returns the array of the entries. */
    abstract Object entries();

    /** Returns the number of elements of the entries up to an index, including it. */
    abstract long end(int index);

    abstract void setEnd(int index, long end);

    /** Creates an empty node of the same level. */
    abstract ListNode fresh();

    /** Called after entries, with their ends, were copied to this node: entries from an index on. */
    abstract void taken(int from);

    /** Called before entries from an index on get other places, or leave. */
    abstract void moving(int from, int distance, ListNode target);

    /** Returns the number of entries; at most the length of the arrays, even if it is torn. */
    final int safeCount() {
        return Math.min(Math.max(count, 0), ENTRIES);
    }

    /** Returns the number of elements of all entries. */
    final long size() {
        final int entries = safeCount();
        return entries == 0 ? 0 : end(entries - 1);
    }

    /** Returns the number of elements in front of an entry. */
    final long start(int index) {
        return index == 0 ? 0 : end(index - 1);
    }

    final long sizeOf(int index) {
        return end(index) - start(index);
    }

    /**
     * Returns the index of the entry that contains an element, or the number of entries. The search begins where the
     * entry is if all are full, as in a list that was only appended to. If it is not there, the search begins where the
     * entry is if all have the same size, as nearly in most other lists.
     */
    abstract int entryOf(long element);

    /** Returns where the entry of an element is if all entries have the same size. */
    static int guess(long element, int entries, long size) {
        return element >= size ? entries - 1 : (int) (element * entries / size);
    }

    /** Returns the index of this node in its parent, or -1 if it is not there. */
    final int place() {
        final ListInner above = parent;
        return above == null ? -1 : above.indexOf(this);
    }

    // ---- changes ----

    /** Counts elements that are added to an entry, or removed, in this node and above. */
    final void change(int index, long elements) {
        for (int i = index; i < count; i++) {
            setEnd(i, end(i) + elements);
        }
        if (parent != null) {
            parent.change(place(), elements);
        }
    }

    /**
     * Makes room for an entry without elements in a node that is not full. The caller puts the entry there, and then
     * calls {@link #opened}. Readers of an entry behind the last one see it as a whole or not at all.
     */
    final void open(int index) {
        moving(index, 1, this);
        System.arraycopy(entries(), index, entries(), index + 1, count - index);
        System.arraycopy(ends(), index, ends(), index + 1, count - index);
        setEnd(index, start(index));
    }

    /** Counts the entry that was put into the room of {@link #open}. */
    final void opened() {
        VarHandle.releaseFence();
        count++;
    }

    /** Removes an entry without elements. */
    final void close(int index) {
        moving(index + 1, -1, this);
        System.arraycopy(entries(), index + 1, entries(), index, count - index - 1);
        System.arraycopy(ends(), index + 1, ends(), index, count - index - 1);
        count--;
    }

    /** Moves the entries from an index on to the end of another node. Entries above are not changed. */
    final void moveTo(ListNode target, int from) {
        final long before = start(from);
        final long added = target.size() - before;
        final int at = target.count;
        moving(from, at - from, target);
        System.arraycopy(entries(), from, target.entries(), at, count - from);
        System.arraycopy(ends(), from, target.ends(), at, count - from);
        for (int i = at; i < at + count - from; i++) {
            target.setEnd(i, target.end(i) + added);
        }
        target.count += count - from;
        count = from;
        target.taken(at);
    }
}

package io.teff.cluster.collect;

import java.util.Arrays;

/**
 * The last changes of a list, so that an index of an earlier moment can be found at this moment. Each change has the
 * next revision. The revisions of each owner begin at another number, so a revision of an earlier owner is unknown. For
 * one thread at a time.
 *
 * <p>The clients of a list are many, and the owner does not know them; so the changes are kept in a ring and the oldest
 * are forgotten.
 */
public final class ListRevisions {
    /** Changes that are kept. */
    public static final int KEPT_MAX = 1 << 14;
    /** Result: the element is not in the list any more, or was replaced. */
    public static final long GONE = -1;
    /** Result: the revision is of another owner, or too old. */
    public static final long UNKNOWN = -2;

    private static final int FIRST_CAPACITY = 16;
    private static final int EPOCH_SHIFT = 44;
    private static final int INSERTED = 0;
    private static final int REMOVED = 1;
    private static final int REPLACED = 2;
    private static final int KIND_BITS = 2;

    private final long first;
    private long now;
    private long[] changes = new long[FIRST_CAPACITY];

    /**
     * Begins without changes.
     *
     * @param epoch of the owner, from 1
     */
    public ListRevisions(int epoch) {
        first = (long) epoch << EPOCH_SHIFT;
        now = first;
    }

    /** {@return the revision of this moment, never 0} */
    public long now() {
        return now;
    }

    /** An element was inserted at an index. */
    public void inserted(long index) {
        add(index, INSERTED);
    }

    /** The element at an index was removed. */
    public void removed(long index) {
        add(index, REMOVED);
    }

    /** The element at an index was replaced. */
    public void replaced(long index) {
        add(index, REPLACED);
    }

    private void add(long index, int kind) {
        if (now - first >= changes.length && changes.length < KEPT_MAX) {
            changes = Arrays.copyOf(changes, 2 * changes.length);
        }
        changes[place(now)] = index << KIND_BITS | kind;
        now++;
    }

    private int place(long revision) {
        return (int) (revision - first) & changes.length - 1;
    }

    private boolean isKnown(long revision) {
        return revision >= first && revision <= now && now - revision <= changes.length;
    }

    /**
     * Returns the present index of an element.
     *
     * @param revision when the element had the index
     * @param index of the element then
     * @return the index, {@link #GONE} or {@link #UNKNOWN}
     */
    public long element(long revision, long index) {
        if (!isKnown(revision)) {
            return UNKNOWN;
        }
        long present = index;
        for (long each = revision; each < now; each++) {
            final long change = changes[place(each)];
            final long at = change >>> KIND_BITS;
            final int kind = (int) change & (1 << KIND_BITS) - 1;
            if (kind == INSERTED) {
                present += at <= present ? 1 : 0;
            } else if (at == present) {
                return GONE;
            } else if (kind == REMOVED) {
                present -= at < present ? 1 : 0;
            }
        }
        return present;
    }

    /**
     * Returns the present index of a position between two elements.
     *
     * @param revision when the position had the index
     * @param index of the element behind the position then
     * @return the index of the element behind, or {@link #UNKNOWN}
     */
    public long position(long revision, long index) {
        if (!isKnown(revision)) {
            return UNKNOWN;
        }
        long present = index;
        for (long each = revision; each < now; each++) {
            final long change = changes[place(each)];
            final long at = change >>> KIND_BITS;
            final int kind = (int) change & (1 << KIND_BITS) - 1;
            if (at < present && kind != REPLACED) {
                present += kind == INSERTED ? 1 : -1;
            }
        }
        return present;
    }
}

package io.teff.engine.sequence;

import org.jspecify.annotations.Nullable;

/**
 * A position between two elements of a list, which moves forwards and backwards from element to element, through copies
 * of the list's segments. What the cursor has passed stays behind the cursor, whatever other threads insert and remove
 * ({@link ListCopier}). Not thread-safe.
 *
 * @param <E> type of the elements
 */
final class ListCursor<E> {
    /** New copies for one element whose chunk is replaced again and again. */
    private static final int AGAIN_MAX = 8;

    private final ChunkSegmentList<E> list;
    private final ListCopier copier;
    /** Where the cursor ends, or null. */
    private @Nullable ListPlace fence;
    /** Where the cursor starts: an index, or a boundary. */
    private final long start;
    private final @Nullable ListPlace from;
    /** The copy with the next element, the previous one, or both; null before the start. */
    private @Nullable ListCopy copy;
    private @Nullable ListCopy spare;
    /** Offset of the next element in the copy. */
    private int at;
    /** The copy of the element that was passed last and can be changed, and its offset. */
    private @Nullable ListCopy shown;
    private int shownAt;
    /** The copy of the element that was added last at this position, if the position is not known. */
    private @Nullable ListCopy added;
    private int addedAt;

    ListCursor(ChunkSegmentList<E> list, ListCopier copier, long start, @Nullable ListPlace from,
            @Nullable ListPlace fence) {
        this.list = list;
        this.copier = copier;
        this.start = start;
        this.from = from;
        this.fence = fence;
    }

    // ---- position ----

    /** Returns the index of the next element, as of the last copy. */
    long index() {
        final ListCopy current = copy;
        return current != null ? current.indexOf(at) : from != null ? copier.nearIndexOf(from) : start;
    }

    @Nullable ListPlace fence() {
        return fence;
    }

    /**
     * Lets the cursor end at a boundary about in the middle of the elements that the cursor has not copied.
     *
     * @return the boundary, or null if there is none; then the cursor goes on as before
     */
    @Nullable ListPlace endInTheMiddle() {
        final ListCopy current = copy;
        final ListPlace boundary = current == null ? from : current.behind;
        final ListPlace middle = current != null && boundary == null ? null
            : copier.middle(start, boundary, fence);
        if (middle != null) {
            fence = middle;
        }
        return middle;
    }

    /** Returns a copy that neither the next element nor the shown one is in. */
    private ListCopy free() {
        final ListCopy known = spare;
        spare = null;
        return known == null || known == shown ? copier.newCopy() : known;
    }

    private void use(ListCopy target, int newAt) {
        if (copy != target) {
            spare = copy;
        }
        copy = target;
        at = newAt;
    }

    /** Goes to an index, or to the end of a shorter list. */
    void seek(long index) {
        final ListCopy target = free();
        if (copier.copyAt(target, index, fence)) {
            use(target, (int) Math.max(target.low, Math.min(target.low + index - target.first, target.high)));
        } else {
            copy = null;
        }
    }

    /** Copies what follows; returns false if nothing does. */
    private boolean forwards() {
        final ListCopy current = copy;
        if (current == null && from == null) {
            seek(start);
            return copy != null && at < copy.high;
        }
        final ListPlace boundary = current == null ? from : current.behind;
        final ListCopy target = free();
        if (boundary != null) {
            if (copier.copyBehind(target, boundary, fence)) {
                use(target, target.low);
                return true;
            }
        } else if (current != null && fence == null) {
            final long index = current.indexOf(at);
            if (copier.copyAt(target, index, null) && copier.isStill(current) && target.indexOf(target.high) > index) {
                use(target, (int) (target.low + index - target.first));     // elements that were appended
                return true;
            }
        }
        spare = target;
        return false;
    }

    /** Copies what precedes; returns false if nothing does. */
    private boolean backwards() {
        if (copy == null) {
            seek(start);
            if (copy != null && at > copy.low) {
                return true;
            }
        }
        final ListPlace boundary = copy == null ? null : copy.front;
        final ListCopy target = free();
        if (boundary != null && copier.copyBefore(target, boundary)) {
            use(target, target.high);
            return true;
        }
        spare = target;
        return false;
    }

    // ---- elements ----

    /** Returns the next element, without passing it, or null. */
    @Nullable E peekNext() {
        for (int again = 0; ; again++) {
            ListCopy current = copy;
            if (current == null || at >= current.high) {
                if (!forwards()) {
                    return null;
                }
                current = copy;
            }
            final E element = current == null ? null : list.read(current.segment, at);
            if (element != null) {
                return element;
            }
            if (!refresh(again)) {
                at++;
            }
        }
    }

    /** Returns the previous element, without passing it, or null. */
    @Nullable E peekPrevious() {
        for (int again = 0; ; again++) {
            ListCopy current = copy;
            if (current == null || at <= current.low) {
                if (!backwards()) {
                    return null;
                }
                current = copy;
            }
            final E element = current == null ? null : list.read(current.segment, at - 1);
            if (element != null) {
                return element;
            }
            if (!refresh(again)) {
                at--;
            }
        }
    }

    /**
     * Copies again at the same position after the chunk of an element was gone, if the element was only replaced; else
     * the element was removed, or may have been.
     */
    private boolean refresh(int again) {
        final ListCopy current = copy;
        if (current == null || again >= AGAIN_MAX || !copier.isStill(current)) {
            return false;
        }
        final ListCopy target = free();
        final int offset = at - current.low;
        final long index = current.first;
        if (!copier.copyAt(target, index, null) || !copier.isStill(current)) {
            spare = target;
            return false;
        }
        final int low = (int) (target.low + index - target.first);
        target.first = index;
        target.low = low;
        target.high = Math.min(target.high, low + current.high - current.low);
        target.front = current.front;
        target.behind = current.behind;
        use(target, low + offset);
        return true;
    }

    /** Passes the next element, which {@link #peekNext} has returned. */
    void pass() {
        shown = copy;
        shownAt = at++;
        added = null;
    }

    /** Passes the previous element, which {@link #peekPrevious} has returned. */
    void passBack() {
        shown = copy;
        shownAt = --at;
        added = null;
    }

    // ---- changes, under the lock of writers ----

    boolean hasShown() {
        return shown != null;
    }

    /** Forgets the element that was passed last. */
    void forget() {
        shown = null;
    }

    /** Returns the index of the element that was passed last, or -1 if it was removed or replaced. */
    long shownIndex() {
        return shown == null ? -1 : indexOf(shown, shownAt);
    }

    /**
     * Returns the index of this position, or -1 if it is not known because elements next to the position were inserted
     * or removed. A cursor whose position is not known goes on in its copy.
     */
    long position() {
        final ListCopy current = copy;
        if (current == null) {
            return Math.min(index(), list.segments().size());
        }
        final long base = base(current);
        return base < 0 ? -1 : base + at - current.low;
    }

    /** Notes that the element at an index was replaced, which was passed last, and what the {@link #position} was. */
    void replaced(long index, long position) {
        shown = copier.newCopy();
        shownAt = copyOf(index, shown);
        if (position >= 0) {
            seek(position);
        }
    }

    /** Notes that an element was added at an index, where the position is not known. */
    void added(long index) {
        added = copier.newCopy();
        addedAt = copyOf(index, added);
    }

    private int copyOf(long index, ListCopy target) {
        copier.copyAt(target, index, null);
        return (int) (target.low + index - target.first);
    }

    /** Returns the index of a copy's first element, or -1 if the elements between the copy's boundaries are others. */
    private long base(ListCopy seen) {
        if (copier.isStill(seen)) {
            return seen.first;
        }
        final long low = copier.indexOf(seen.front);
        final long high = endOf(seen);
        final boolean isSame = low >= 0 && high - low == seen.high - seen.low
            && list.segments().isSame(low, seen.segment, seen.low, seen.high);
        return isSame ? low : -1;
    }

    private long endOf(ListCopy seen) {
        return seen.behind == null ? list.segments().size() : copier.indexOf(seen.behind);
    }

    private long indexOf(ListCopy seen, int offset) {
        final long base = base(seen);
        if (base >= 0) {
            final long index = base + offset - seen.low;
            return list.segments().find(index, index + 1, index, seen.segment, offset);
        }
        final long low = copier.indexOf(seen.front);
        return low < 0 ? -1
            : list.segments().find(low, endOf(seen), low + offset - seen.low, seen.segment, offset);
    }

    /** Returns an index for an element to add, next to the elements that are next to the position and still there. */
    long nearPosition() {
        final ListCopy current = copy;
        long index = added == null ? -1 : indexOf(added, addedAt);
        for (int i = at - 1; current != null && index < 0 && i >= current.low; i--) {
            index = indexOf(current, i);
        }
        return index >= 0 ? index + 1 : Math.max(current == null ? 0 : copier.indexOf(current.front), 0);
    }
}

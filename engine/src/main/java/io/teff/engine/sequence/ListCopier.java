package io.teff.engine.sequence;

import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLock;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the copies that walks go through ({@link ListCopy}). A copy is made without a lock, and validated by the stamp
 * of the list; after some vain attempts, under the lock of writers. Thread-safe.
 *
 * <p><b>Why each element is shown exactly once.</b> A walk shows the elements of a copy, then goes on at the copy's
 * boundary behind, which the list keeps right ({@link ListPlace}): elements that were behind the copy stay behind the
 * boundary, and those of the copy stay in front. So an element that is there throughout is in exactly one copy.
 * An element that moves to another segment does not pass a boundary.
 */
final class ListCopier {
    private static final int ATTEMPTS = 8;
    private static final int TORN = -1;
    private static final int NONE = 0;
    private static final int COPIED = 1;

    private final CollectionChunks chunks;
    private final ListSegments segments;
    private final StampedLock shifting;
    private final WriterLock changing;
    private final int fixedBytes;

    ListCopier(CollectionChunks chunks, ListSegments segments, WriterLock changing, int fixedBytes) {
        this.chunks = chunks;
        this.segments = segments;
        this.shifting = segments.shifting();
        this.changing = changing;
        this.fixedBytes = fixedBytes;
    }

    ListCopy newCopy() {
        return new ListCopy(fixedBytes);
    }

    /** Returns whether no element was inserted, except at the end, or removed, since a copy was made. */
    boolean isStill(ListCopy copy) {
        return shifting.validate(copy.stamp);
    }

    /** Makes a copy, or part of the work, under a stamp; the result may be torn. */
    private interface Attempt {
        int run(long stamp);
    }

    /** Returns whether a copy was made. */
    private boolean run(Attempt attempt) {
        for (int i = 0; i < ATTEMPTS; i++) {
            final long stamp = shifting.tryOptimisticRead();
            if (stamp != 0) {
                final int result = attempt.run(stamp);
                if (result != TORN && shifting.validate(stamp)) {
                    return result == COPIED;
                }
            }
        }
        changing.lock();
        try {
            final int result = attempt.run(shifting.tryOptimisticRead());
            if (result == TORN) {
                throw ChunkIndex.damaged(chunks, segments.root(), "has a segment of other elements than are counted");
            }
            return result == COPIED;
        } finally {
            changing.unlock();
        }
    }

    /**
     * Copies the segment that contains an index, or the last segment if the list is not longer than the index, at most
     * to a boundary.
     *
     * @param target the copy to make
     * @param element the index
     * @param fence the boundary, or null
     * @return false, and the target is as before, if there is no segment
     */
    boolean copyAt(ListCopy target, long element, @Nullable ListPlace fence) {
        final ListSpot spot = new ListSpot();
        return run(stamp -> {
            final ListNode root = segments.tree().root();
            if (!(element < segments.size() && spot.find(root, element) || spot.findEnd(root))) {
                return NONE;
            }
            spot.at = 0;
            final long first = spot.index();
            final int end = end(spot, first, fence);
            final ListPlace front = place(spot, stamp);
            return front == null ? TORN : end < 0 ? NONE : finish(target, spot, first, end, front, stamp);
        });
    }

    /** Returns the offset where a segment's elements end, or where a boundary is in it; negative if in front of it. */
    private static int end(ListSpot spot, long index, @Nullable ListPlace fence) {
        if (fence == null) {
            return spot.count();
        }
        final ListSpot last = new ListSpot();
        return (int) Math.min(spot.count(), last.find(fence) ? spot.at + last.index() - index : -1);
    }

    /**
     * Copies what is behind a boundary, at most to another boundary.
     *
     * @param target the copy to make
     * @param from the boundary
     * @param fence the other boundary, or null
     * @return false, and the target is as before, if there is nothing
     */
    boolean copyBehind(ListCopy target, ListPlace from, @Nullable ListPlace fence) {
        final ListSpot spot = new ListSpot();
        return run(stamp -> {
            if (!spot.find(from)) {
                return NONE;                                    // the list was cleared, or the stamp is invalid
            }
            while (spot.at >= spot.count()) {
                if (!spot.toNext()) {
                    return NONE;
                }
            }
            final long first = spot.index();
            final int end = end(spot, first, fence);
            if (end <= spot.at) {
                return NONE;
            }
            return finish(target, spot, first, end, from, stamp);
        });
    }

    /** Copies what is in front of a boundary; returns false, and the target is as before, if there is nothing. */
    boolean copyBefore(ListCopy target, ListPlace end) {
        final ListSpot spot = new ListSpot();
        return run(stamp -> {
            if (!spot.find(end)) {
                return NONE;                                    // the list was cleared, or the stamp is invalid
            }
            while (spot.at == 0) {
                if (!spot.toPrevious()) {
                    return NONE;
                }
                spot.at = spot.count();
            }
            final int high = spot.at;
            spot.at = 0;
            final long first = spot.index();
            final ListPlace front = place(spot, stamp);
            final int result = front == null ? TORN : finish(target, spot, first, high, front, stamp);
            if (result == COPIED) {
                target.behind = end;
            }
            return result;
        });
    }

    /** Copies a segment, whose part begins at the spot, and notes where the list goes on behind it. */
    private int finish(ListCopy target, ListSpot spot, long first, int high, ListPlace front, long stamp) {
        final int low = spot.at;
        final long cid = segments.cidOf(spot.number());
        ListPlace behind = null;
        if (spot.toNext()) {
            behind = place(spot, stamp);
            if (behind == null) {
                return TORN;
            }
        }
        final int length = target.segment.copy(chunks, cid);
        if (length < 0 || !target.segment.isWhole(length) || target.segment.count() < high) {
            return TORN;
        }
        target.low = low;
        target.high = high;
        target.first = first;
        target.front = front;
        target.behind = behind;
        target.stamp = stamp;
        return COPIED;
    }

    /** Returns the place of a spot's segment, or null if the stamp is invalid. */
    private @Nullable ListPlace place(ListSpot spot, long stamp) {
        final ListLeaf leaf = spot.leaf;
        if (leaf == null) {
            return null;
        }
        final @Nullable ListPlace[] array = leaf.arrayForWalk();
        final int number = spot.number();
        return shifting.validate(stamp) ? leaf.placeForWalk(array, spot.entry, number) : null;
    }

    // ---- boundaries as indexes ----

    /** Returns the index of the element behind a boundary, or -1 if the list was cleared. Under the lock of writers. */
    long indexOf(@Nullable ListPlace place) {
        final ListSpot spot = new ListSpot();
        return place != null && spot.find(place) ? spot.index() : -1;
    }

    /** Returns about the index of the element behind a boundary, without a lock. */
    long nearIndexOf(ListPlace place) {
        final ListSpot spot = new ListSpot();
        return spot.find(place) ? spot.index() : 0;
    }

    /**
     * Returns the boundary in front of a segment about in the middle between two boundaries, or null if there is none.
     *
     * @param start index of the first boundary if there is no other
     * @param from the first boundary, or null
     * @param fence the second boundary; null for the end of the list
     */
    @Nullable ListPlace middle(long start, @Nullable ListPlace from, @Nullable ListPlace fence) {
        final ListSpot spot = new ListSpot();
        final @Nullable ListPlace[] found = new ListPlace[1];
        run(stamp -> {
            found[0] = null;
            final long low = from == null ? start : spot.find(from) ? spot.index() : Long.MAX_VALUE;
            final long high = fence == null ? segments.size() : spot.find(fence) ? spot.index() : 0;
            if (low >= high || !spot.find(segments.tree().root(), low + (high - low) / 2)) {
                return NONE;
            }
            spot.at = 0;
            if (spot.index() <= low) {
                return NONE;
            }
            found[0] = place(spot, stamp);
            return found[0] == null ? TORN : COPIED;
        });
        return found[0];
    }
}

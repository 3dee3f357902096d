package io.teff.cluster.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a sorted map as far as a client knows their bounds. Bounds move down only, so the part that a client
 * finds for a key has the key, or is in front of the part with the key. Thread-safe: readers use a list that never
 * changes.
 */
final class RangeTable {
    private final Comparator<byte[]> order;
    private volatile List<Range> ranges;

    /**
     * A part that a client knows.
     *
     * @param low bytes of its low bound, or null for the first part
     * @param calls send requests to the owner
     * @param changes how many changes this client has made since its last look at the part; a client that ends early
     *     looks as often for its changes as others do, because the number begins at random
     */
    record Range(byte @Nullable [] low, CollectionCalls calls, AtomicLong changes) {
        Range(byte @Nullable [] low, CollectionCalls calls) {
            this(low, calls, new AtomicLong(calls.client().chance().nextInt(SortedCalls.CHANGES_UNTIL_LOOK)));
        }
    }

    /**
     * A part that was found, with the bound of the part behind.
     *
     * @param range the part
     * @param before the part in front, or null
     * @param high bytes of the low bound of the part behind, or null if no part is behind
     */
    record Found(Range range, @Nullable Range before, byte @Nullable [] high) {}

    /** Begins with parts in their order. */
    RangeTable(Comparator<byte[]> order, List<Range> ranges) {
        this.order = order;
        this.ranges = List.copyOf(ranges);
    }

    /** Forgets all parts for others. */
    void reset(List<Range> others) {
        ranges = List.copyOf(others);
    }

    private static Found at(List<Range> all, int index) {
        return new Found(all.get(index), index == 0 ? null : all.get(index - 1), index + 1 == all.size() ? null
            : all.get(index + 1).low);
    }

    /** Returns the part with a key; the first part for null. */
    Found find(byte @Nullable [] key) {
        final List<Range> all = ranges;
        return at(all, key == null ? 0 : count(all, key, true) - 1);
    }

    /** Returns the part with the keys directly below a key, or with the key and those below; the last part for null. */
    Found findBelow(byte @Nullable [] key, boolean isKeyIn) {
        final List<Range> all = ranges;
        return at(all, key == null ? all.size() - 1 : Math.max(count(all, key, isKeyIn), 1) - 1);
    }

    /** Returns how many parts have a low bound up to a key, or below the key. */
    private int count(List<Range> all, byte[] key, boolean isKeyIn) {
        int low = 1;
        int high = all.size();
        while (low < high) {
            final int middle = (low + high) >>> 1;
            final byte[] bound = all.get(middle).low;
            final int compared = bound == null ? -1 : order.compare(bound, key);
            if (compared < 0 || compared == 0 && isKeyIn) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Notes that a part begins at a bound. */
    synchronized void learn(byte[] low, CollectionCalls calls) {
        final List<Range> next = new ArrayList<>();
        boolean isPut = false;
        for (Range each : ranges) {
            final int compared = each.low == null ? -1 : order.compare(each.low, low);
            if (compared >= 0 && !isPut) {
                next.add(new Range(low, calls));
                isPut = true;
            }
            if (compared != 0 && (each.low == null || !each.calls.hasRoot(calls.root()))) {
                next.add(each);
            }
        }
        if (!isPut) {
            next.add(new Range(low, calls));
        }
        ranges = List.copyOf(next);
    }
}

package io.teff.cluster.client;

import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.NearCacheStats;
import io.teff.engine.os.Clock;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The copies of values of one collection at one client: its near cache. Without a configuration there are no copies.
 * Thread-safe.
 *
 * <p><b>Bound.</b> A copy is as old as its read, counted from the moment before the request was sent. The owner read
 * the value behind this moment. So a copy younger than the bound was the value of the entry less than the bound ago. No
 * message can make a copy older, and no lost message can keep a copy. The wall clock counts, too, because the monotonic
 * clock of a suspended machine may stand still.
 *
 * <p><b>Order.</b> A copy shown is never older than a value that an operation of this client has returned or written
 * before. Operations of one client may overlap, so the order of the answers says nothing about the order at the owner.
 * The rules, all under the lock of the segment of the key:
 * <ul>
 * <li>Each segment has a stamp. A change that has ended, whatever its outcome, removes the copy and raises the stamp.
 * <li>A read is <i>fresh</i> if the stamp has not risen since the read was sent. Each read that ends leaves its value
 *     as the copy. The copy is <i>shown</i> only if the read is fresh.
 * <li>A read overlaps a copy if an answer for the copy came after the read was sent. A read that is not fresh, or
 *     overlaps the copy, and has another value, leaves its value as a copy that is not shown, and raises the stamp:
 *     which of the two values is older is not known.
 * <li>A read with the value of the copy makes a fresh copy shown. An evicted copy raises the stamp, too.
 * </ul>
 * Proof sketch: consider a shown copy with value v, and an operation on its key that has ended before the look at the
 * copy. If the operation is a change, the stamp has risen at its end, so the read that made the copy shown was sent
 * later, and is not older. If the operation is a read with another value than v, either the read that left v was sent
 * after its end, and is not older; or both overlapped, and the later end of the two has raised the stamp. A copy that
 * is not shown until an equal value comes back keeps many readers of a hot key from raising the stamp for ever.
 *
 * <p><b>Eviction.</b> A segment has a share of the memory. Its copies are in a list, oldest first. A copy that was read
 * since the last look at the copy gets a second turn.
 */
final class NearCopies {
    private static final int SEGMENTS_MAX = 64;
    private static final long SEGMENT_BYTES_MIN = 64 << 10;
    /** A copy takes at most this share of its segment, so that no value displaces all others. */
    private static final int SHARE_MAX = 4;
    /** Objects of a copy beside the bytes of key and value: about 168 bytes on the heap. */
    static final int OVERHEAD_BYTES = 168;

    private final Clock clock;
    private final long seed;
    private final ConcurrentHashMap<NearKey, Node> nodes = new ConcurrentHashMap<>();
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    /** Empty until the first configuration. */
    private volatile Segment[] segments = {};
    private volatile long segmentBytesMax;
    private volatile boolean isClosed;

    /** A value that a read has returned; immutable. A null value says that there is no entry. */
    record Copy(byte @Nullable [] value, long sentNs, long sentMs, boolean isShown, long number) {}

    /** A read under way: the state of the segment, and the time, before the request is sent. */
    record Read(long stamp, long number, long sentNs, long sentMs) {}

    /** A key with a copy, in the list of its segment. */
    private static final class Node {
        private final NearKey key;
        private volatile Copy copy;
        /** Whether the copy was read of late; a race costs at most a turn in the list. */
        private boolean isUsed;
        private Node before = this;
        private Node behind = this;

        Node(NearKey key, Copy copy) {
            this.key = key;
            this.copy = copy;
        }

        long charge() {
            final byte[] value = copy.value;
            return (long) OVERHEAD_BYTES + key.bytes().length + (value == null ? 0 : value.length);
        }

        void link(Node next) {
            before = next.before;
            behind = next;
            before.behind = this;
            next.before = this;
        }

        void unlink() {
            before.behind = behind;
            behind.before = before;
        }
    }

    /** A share of the keys. Its monitor guards the fields, the list, and the copies of the keys. */
    private static final class Segment {
        private static final NearKey NONE = new NearKey(new byte[0], 0);

        private final Node list = new Node(NONE, new Copy(null, 0, 0, false, 0));
        private long stamp;
        /** Number of the last answer. */
        private long number;
        private long bytes;
    }

    NearCopies(Clock clock, long seed) {
        this.clock = clock;
        this.seed = seed;
    }

    /** Begins to keep copies, or gives more memory to the copies. */
    synchronized void keep(NearCacheConfig config) {
        if (segments.length == 0) {
            final long fitting = Math.min(config.bytesMax() / SEGMENT_BYTES_MIN, SEGMENTS_MAX);
            final Segment[] all = new Segment[Integer.highestOneBit((int) fitting)];
            Arrays.setAll(all, _ -> new Segment());
            segmentBytesMax = config.bytesMax() / all.length;
            segments = all;
        }
        segmentBytesMax = Math.max(segmentBytesMax, config.bytesMax() / segments.length);
    }

    private boolean isOff() {
        return segments.length == 0;
    }

    private NearKey key(byte[] key) {
        return new NearKey(key, (int) PartitionHash.of(seed, key));
    }

    private Segment segment(NearKey key) {
        final Segment[] all = segments;
        return all[key.hash() & all.length - 1];
    }

    // ---- reads ----

    /** Returns the copy of a key that is younger than a bound, or null. */
    @Nullable Copy find(byte[] key, long boundNs) {
        final Node node = nodes.get(key(key));
        final Copy copy = node == null ? null : node.copy;
        if (node == null || copy == null || !copy.isShown || isClosed || !isYoung(copy, boundNs)) {
            misses.increment();
            return null;
        }
        if (!node.isUsed) {
            node.isUsed = true;
        }
        hits.increment();
        return copy;
    }

    private boolean isYoung(Copy copy, long boundNs) {
        return clock.nowNs() - copy.sentNs < boundNs
            && clock.epochMs() - copy.sentMs <= TimeUnit.NANOSECONDS.toMillis(boundNs);
    }

    /** Notes that a read is to be sent; null without copies. */
    @Nullable Read begin(byte[] key) {
        if (isOff()) {
            return null;
        }
        final Segment segment = segment(key(key));
        synchronized (segment) {
            return new Read(segment.stamp, segment.number, clock.nowNs(), clock.epochMs());
        }
    }

    /**
     * Notes the value that a read has found, before the caller learns the value.
     *
     * @param read from {@link #begin}; null if there were no copies then
     * @param value the value, or null if there is no entry; not changed afterwards
     */
    void ended(byte[] key, @Nullable Read read, byte @Nullable [] value) {
        if (isOff()) {
            return;
        }
        final NearKey near = key(key);
        final Segment segment = segment(near);
        synchronized (segment) {
            final Node node = nodes.get(near);
            if (isClosed || read == null) {
                remove(segment, near);
                return;
            }
            if ((long) OVERHEAD_BYTES + key.length + (value == null ? 0 : value.length)
                > segmentBytesMax / SHARE_MAX) {
                remove(segment, near);
                return;
            }
            final boolean isFresh = read.stamp == segment.stamp;
            segment.number++;
            if (node == null) {
                put(segment, near, copy(segment, read, value, isFresh));
            } else if (Arrays.equals(node.copy.value, value)) {
                node.copy = same(segment, node.copy, read, isFresh);
            } else if (isFresh && node.copy.number <= read.number) {
                replace(segment, node, copy(segment, read, value, true));
            } else {
                segment.stamp++;
                replace(segment, node, copy(segment, read, value, false));
            }
        }
    }

    private static Copy copy(Segment segment, Read read, byte @Nullable [] value, boolean isShown) {
        return new Copy(value, read.sentNs, read.sentMs, isShown, segment.number);
    }

    /** Returns the copy of a value that was read once more. A copy that is not shown yet gets the age of the read. */
    private static Copy same(Segment segment, Copy copy, Read read, boolean isFresh) {
        final boolean isLater = isFresh && (!copy.isShown || read.sentNs - copy.sentNs > 0);
        return new Copy(copy.value, isLater ? read.sentNs : copy.sentNs, isLater ? read.sentMs : copy.sentMs,
            copy.isShown || isFresh, segment.number);
    }

    private void put(Segment segment, NearKey key, Copy copy) {
        final Node node = new Node(key, copy);
        nodes.put(key, node);
        node.link(segment.list);
        segment.bytes += node.charge();
        makeRoom(segment);
    }

    private void replace(Segment segment, Node node, Copy copy) {
        segment.bytes -= node.charge();
        node.copy = copy;
        segment.bytes += node.charge();
        makeRoom(segment);
    }

    private void makeRoom(Segment segment) {
        final long bytesMax = segmentBytesMax;
        while (segment.bytes > bytesMax) {
            final Node first = segment.list.behind;
            if (first.isUsed) {
                first.isUsed = false;
                first.unlink();
                first.link(segment.list);
            } else {
                evictions.increment();
                remove(segment, first.key);
            }
        }
    }

    /** Removes a copy. Reads under way are not fresh afterwards, because the value shown last is forgotten. */
    private void remove(Segment segment, NearKey key) {
        segment.stamp++;
        final Node node = nodes.remove(key);
        if (node != null) {
            segment.bytes -= node.charge();
            node.unlink();
        }
    }

    // ---- changes ----

    /** Notes that a change has ended, or may have been made, before the caller learns the outcome. */
    void changed(byte[] key) {
        if (!isOff()) {
            final NearKey near = key(key);
            final Segment segment = segment(near);
            synchronized (segment) {
                remove(segment, near);
            }
        }
    }

    /** Removes all copies: the caller learns which keys exist. */
    void clear() {
        for (Segment segment : segments) {
            synchronized (segment) {
                segment.stamp++;
                while (segment.list.behind != segment.list) {
                    remove(segment, segment.list.behind.key);
                }
            }
        }
    }

    /** Ends the copies for ever: the collection was dropped. */
    void close() {
        isClosed = true;
        clear();
    }

    // ---- numbers ----

    /** Returns the numbers of the copies; null without copies. */
    @Nullable NearCacheStats stats() {
        if (isOff()) {
            return null;
        }
        long bytes = 0;
        for (Segment segment : segments) {
            synchronized (segment) {
                bytes += segment.bytes;
            }
        }
        return new NearCacheStats(hits.sum(), misses.sum(), evictions.sum(), nodes.mappingCount(), bytes);
    }

    /** Recomputes the invariants; while no other thread works on the copies. */
    void audit() {
        long count = 0;
        for (Segment segment : segments) {
            synchronized (segment) {
                long bytes = 0;
                for (Node node = segment.list.behind; node != segment.list; node = node.behind) {
                    bytes += node.charge();
                    count++;
                    check(nodes.get(node.key) == node && segment(node.key) == segment, "a node is in another segment");
                    check(node.copy.number <= segment.number, "a copy has a later number than its segment");
                }
                check(bytes == segment.bytes && bytes <= segmentBytesMax, "bytes=" + bytes);
            }
        }
        check(count == nodes.mappingCount(), "nodes=" + count);
    }

    private static void check(boolean isTrue, String fault) {
        if (!isTrue) {
            throw new IllegalStateException(fault);
        }
    }
}

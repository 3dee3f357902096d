package io.teff.cluster.collect;

import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.raw.RawGroup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of a watched queue or sorted map, or of a watched partition of a map, in chunks of its zone. The
 * event of a change is a chunk of the group of the change. So the record of the change has the event, and backups,
 * recoveries and moves carry both.
 *
 * <p><b>Places.</b> The event with number n is the chunk at place n mod (number of places), of consecutive CIDs. An
 * event overwrites the event that is older by one round. If the events have more bytes than permitted, the oldest ones
 * become void: chunks with number 0. A next owner finds the numbers in the chunks, and needs nothing else.
 *
 * <p><b>Order.</b> A change of the partition holds the lock of the ring from the number of its event until its record
 * is in the ring of the peer. So the order of the numbers is the order of the records, and a number without its record
 * is followed by no other number. The lock is taken inside of the zone's gate, in front of the writer locks of the map.
 *
 * <p><b>No event without a change.</b> The event is stored with number 0 in front of the change of the entry, because
 * there may be no memory. Its number is written in place when the entry has changed.
 */
public final class ChangeRing {
    /** Most events of a ring. */
    public static final int PLACES_MAX = 1 << 14;
    /** Fewest events of a ring. */
    public static final int PLACES_MIN = 16;
    /** Most bytes of the events of a ring. */
    public static final long BYTES_MAX = 64L << 20;
    /** Fewest bytes of the events of a ring. */
    public static final long BYTES_MIN = 64 << 10;
    /** Most rings of a zone. */
    public static final int RINGS_MAX = 1 << 10;
    /** Longest event that has the value. A record of 1 MiB has room for the event, the entry and a bucket. */
    static final int EVENT_BYTES_MAX = 256 << 10;
    /** Longest key of an event without the value. */
    static final int LONG_KEY_BYTES_MAX = 16 << 10;

    private static final String NAME = "watch ";
    private static final int VERSION = 1;
    private static final byte[] VOID = new byte[Long.BYTES];

    private final ReentrantLock lock = new ReentrantLock();
    private final long root;
    private final long first;
    private final long bytesMax;
    /** Lengths of the events by place. Guarded by the lock, as all below. */
    private final int[] lengths;
    private long bytes;
    private long last;
    private long oldest = 1;
    /** Number of the record of the last event; 0 if an earlier owner has recorded this event. */
    private long lastRecord;
    private boolean isDropped;
    /** The last number when the present change has entered. */
    private long lastBefore;
    /** Action behind the next change; not guarded. */
    private final Set<Runnable> waits = ConcurrentHashMap.newKeySet();
    /** Length of the event that was stored in front of its change; 0 if there is none. */
    private int stored;

    private ChangeRing(long root, long first, int places, long bytesMax) {
        this.root = root;
        this.first = first;
        this.bytesMax = bytesMax;
        lengths = new int[places];
    }

    // ---- the root ----

    private static String name(long map) {
        return NAME + Long.toHexString(map);
    }

    private static byte @Nullable [] content(ChunkStore view, long cid) {
        final long size = view.size(cid);
        if (size < 0) {
            return null;
        }
        final byte[] bytes = new byte[(int) size];
        return view.get(cid, bytes, 0) == size ? bytes : null;
    }

    private static ByteBuffer buffer(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Finds the ring of a map. Reads the events of the ring.
     *
     * @param view the served view of the zone
     * @param map root of the map
     * @return the ring; null if the map is not watched
     */
    static @Nullable ChangeRing find(ChunkStore view, long map) {
        final NamedRoot named = view.names().get(name(map)).orElse(null);
        final byte[] bytes = named == null ? null : content(view, named.cid());
        if (named == null || bytes == null) {
            return null;
        }
        final ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length != ChangeEvent.ROOT_BYTES || content.getInt(0) != VERSION) {
            throw new StoreException(Category.DEGRADED, "the changes of a map have a form that this program does not "
                + "know: chunk " + Cid.toString(named.cid()));
        }
        final ChangeRing ring = new ChangeRing(named.cid(), content.getLong(8), content.getInt(4), content.getLong(16));
        ring.restore(view);
        return ring;
    }

    /**
     * Makes the ring of a map without a ring. Called while no collection of the zone changes.
     *
     * @param view the served view of the zone
     * @param map root of the map
     * @param places most events
     * @param bytesMax most bytes of the events
     * @return the ring, without events
     */
    static ChangeRing make(ChunkStore view, long map, int places, long bytesMax) {
        final long[] cids = new long[places];
        if (view.ids().reserve(cids, 0, places) < 0) {
            throw noMemory();
        }
        boolean isMade = false;
        try {
            final long root = view.create(buffer(ChangeEvent.ROOT_BYTES).putInt(VERSION).putInt(places)
                .putLong(cids[0]).putLong(bytesMax).array());
            if (root < 0) {
                throw noMemory();
            }
            view.names().bind(name(map), root);
            isMade = true;
            return new ChangeRing(root, cids[0], places, bytesMax);
        } finally {
            if (!isMade) {
                Arrays.stream(cids).forEach(view.ids()::unreserve);
            }
        }
    }

    private static StoreException noMemory() {
        return new StoreException(Category.DEGRADED, "the peer has no memory for the changes of a map");
    }

    private void restore(ChunkStore view) {
        final long[] numbers = new long[lengths.length];
        for (int place = 0; place < numbers.length; place++) {
            final byte[] event = content(view, first + place);
            numbers[place] = event == null ? 0 : ByteBuffer.wrap(event).order(ByteOrder.LITTLE_ENDIAN).getLong();
            lengths[place] = event == null || numbers[place] == 0 ? 0 : event.length;
            last = Math.max(last, numbers[place]);
        }
        oldest = last + 1;
        while (oldest > 1 && last + 1 - oldest < numbers.length && numbers[place(oldest - 1)] == oldest - 1) {
            oldest--;
            bytes += lengths[place(oldest)];
        }
    }

    /** Removes the chunks. No change of the map has an event afterwards. */
    void drop(ChunkStore view, long map) {
        lock.lock();
        try {
            isDropped = true;
            for (int place = 0; place < lengths.length; place++) {
                if (view.remove(first + place) < 0) {
                    view.ids().unreserve(first + place);
                }
            }
            view.remove(root);
            view.names().drop(name(map));
        } finally {
            lock.unlock();
        }
        waits.forEach(Runnable::run);
    }

    // ---- waits ----

    /**
     * Has something run behind the next change, or behind the drop of the ring; perhaps several times, by the thread of
     * the change, which must not wait. {@link #forget} ends this.
     *
     * @param of the CID of the ring that the watcher knows
     * @param behind number of the last change that the watcher knows
     * @param then is run; also if this method returns false because of a change that has just come
     * @return false if there is a change already, or another ring
     */
    public boolean await(long of, long behind, Runnable then) {
        waits.add(then);                                        // before the look: no change falls between both
        lock.lock();
        try {
            return !isDropped && of == root && behind == last;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a wait. Idempotent.
     *
     * @param then was given to {@link #await}
     */
    public void forget(Runnable then) {
        waits.remove(then);
    }

    // ---- changes ----

    private int place(long number) {
        return (int) (number % lengths.length);
    }

    /** Enters the ring for a change of the map; {@link #leave} follows on this thread. */
    public void enter() {
        lock.lock();
        stored = 0;
        lastBefore = last;
    }

    /**
     * Leaves the ring.
     *
     * @param record number of the last record of the change, or an earlier number; 0 if there is none
     */
    public void leave(long record) {
        lastRecord = Math.max(lastRecord, record);
        final boolean isNew = last != lastBefore;
        lock.unlock();
        if (isNew) {
            waits.forEach(Runnable::run);
        }
    }

    /**
     * Stores the event of a change, which is not visible yet.
     *
     * @param group the group of the change
     * @param source has the key from index 0 on
     * @param keyLength length of the key
     * @param value has the value; null for a removal
     * @param valueFrom index of the first byte of the value
     * @param valueLength length of the value
     */
    public void before(RawGroup group, byte[] source, int keyLength, byte @Nullable [] value, int valueFrom,
                       int valueLength) {
        if (isDropped) {
            return;
        }
        final long most = Math.min(EVENT_BYTES_MAX, bytesMax / 4);
        final boolean hasRoom = ChangeEvent.HEAD_BYTES + (long) keyLength + valueLength <= most;
        if (!hasRoom && keyLength > Math.min(LONG_KEY_BYTES_MAX, most - ChangeEvent.HEAD_BYTES)) {
            throw new StoreException(Category.DEGRADED, "a key of " + keyLength + " bytes: the change of an entry of a "
                + "watched map has room for " + most + " bytes, or for a key of " + LONG_KEY_BYTES_MAX);
        }
        final int kept = hasRoom ? valueLength : 0;
        final ByteBuffer event = buffer(ChangeEvent.HEAD_BYTES + keyLength + kept);
        event.putLong(0).putInt(value == null ? ChangeEvent.REMOVE : hasRoom ? ChangeEvent.PUT : ChangeEvent.LONG_PUT)
            .putInt(keyLength).put(source, 0, keyLength);
        if (value != null) {
            event.put(value, valueFrom, kept);
        }
        final int length = event.capacity();
        final long number = last + 1;
        while (oldest <= last && (bytes + length > bytesMax || oldest <= number - lengths.length)) {
            evict(group, number);
        }
        group.store(first + place(number), event.array());
        stored = length;
    }

    /** Gives up the oldest event. The event at the place of the next number is overwritten. */
    private void evict(RawGroup group, long next) {
        final int place = place(oldest);
        if (place != place(next)) {
            group.tryStore(first + place, VOID);                // without memory the event stays for a round
        }
        bytes -= lengths[place];
        lengths[place] = 0;
        oldest++;
    }

    /**
     * Makes the event visible.
     *
     * @param group the group of the change
     */
    public void after(RawGroup group) {
        if (stored > 0) {
            final long number = last + 1;
            group.putLong(first + place(number), 0, number);
            lengths[place(number)] = stored;
            bytes += stored;
            last = number;
            stored = 0;
        }
    }

    /**
     * Makes the event visible, of a change that has made the key: a number, for which {@link #before} was given 8
     * bytes.
     *
     * @param group the group of the change
     * @param key the number that becomes the key
     */
    public void after(RawGroup group, long key) {
        if (stored > 0) {
            group.putLong(first + place(last + 1), ChangeEvent.HEAD_BYTES, key);
            after(group);
        }
    }

    // ---- reads ----

    /**
     * Reads the events behind a number.
     *
     * @param view the served view of the zone
     * @param of the CID of the ring that the watcher knows; 0 for the present end of this ring
     * @param behind a number
     * @param page takes the events
     * @return number of a record: what was read is safe when this record is acknowledged
     */
    public long read(ChunkStore view, long of, long behind, ChangePage page) {
        lock.lock();
        try {
            if (of == 0) {
                page.begin(root, last, false);
            } else if (of != root || behind > last || behind < oldest - 1 || behind < 0) {
                page.begin(root, last, true);
            } else {
                page.begin(root, behind, false);
                long number = behind;
                while (number < last && page.hasRoom()) {
                    number++;
                    final byte[] event = content(view, first + place(number));
                    if (event == null || !page.take(number, event)) {
                        break;
                    }
                }
            }
            return lastRecord;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the CID of the root, which names this ring for ever} */
    public long root() {
        return root;
    }

    /**
     * Checks the numbers and bytes of all events.
     *
     * @param view the served view of the zone
     */
    public void audit(ChunkStore view) {
        lock.lock();
        try {
            final ChangeRing again = new ChangeRing(root, first, lengths.length, bytesMax);
            again.restore(view);
            if (again.last != last || again.oldest > oldest || again.bytes < bytes
                || bytes != Arrays.stream(lengths).asLongStream().sum()) {
                throw new IllegalStateException("events " + oldest + " to " + last + " of " + bytes + " bytes, but "
                    + again.oldest + " to " + again.last + " of " + again.bytes + " in chunks");
            }
        } finally {
            lock.unlock();
        }
    }
}

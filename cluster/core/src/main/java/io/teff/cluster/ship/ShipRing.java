package io.teff.cluster.ship;

import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.slot.SlotWriter;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.os.LazyMemory;
import io.teff.recovery.backup.RunWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The journal of a peer's store: a ring of memory. Many threads write changes to the ring, and one thread drains the
 * ring. Thread-safe.
 * <pre>
 *          drained           ended records       tail                     drained + capacity
 *  ───────────┼─────────────────────────────┬─────┼──────────────┬───────────────┼─────> positions
 *   all zero  │ for the drainer             │ ... │  free        │ reserve       │
 *
 *  begin ──> claim(zone) ──> write entries in place ──> commit
 * </pre>
 * <b>Numbers.</b> A claim takes the room and the zone's next number under the zone's lock. So the records of a zone lie
 * in the ring in the order of their numbers. A thread that claims inside of a stripe or a lock orders the changes of
 * the guarded data. The number is in the record; the result of {@link #claim} is the position.
 *
 * <p><b>No waiting for backups.</b> {@link #begin} refuses a change with {@link PeerBusy} if less than a quarter of the
 * ring is free, or the shipper keeps too many runs without an acknowledgement. If {@code begin} waited, the handlers of
 * all peers could wait for acknowledgements of each other. A thread that has begun finds room, because the drainer
 * copies the records out of the ring without waiting for a backup. The thread waits at most for the drainer's next
 * round.
 *
 * <p><b>Slots.</b> The records of {@link #recordedBy} have room for one more entry if their writer has a slot. This
 * entry is written when the record is committed: the result of a change is in the record of the change.
 *
 * <p><b>Abandoned records.</b> A thread that cannot commit its record leaves the record in {@link #abandoned} without a
 * call, because the stack may have ended. The same holds for room without a begun record. The drainer ends abandoned
 * records as records without entries: the numbers are taken, and a backup accepts no hole.
 *
 * <p><b>Memory order.</b> The end word of a record is stored by a release after the other bytes of the record, and
 * loaded by an acquire. Drained room is zeroed before the drained position is stored, so a claim that has read this
 * position finds zeros: the end word of a claimed record is 0 until the owner of the record stores the word.
 */
public final class ShipRing implements Journal {
    /** The smallest ring with room for a record of a chunk of 1 MiB. */
    public static final int CAPACITY_MIN = 8 << 20;

    /** A record is at most this part of the ring. */
    private static final int RECORDS_MIN = 4;
    /**
     * This part of the ring is kept free for threads that have begun a change, and as much for each of their records.
     */
    private static final int RESERVES = 8;
    private static final int ZONES = 1 << Short.SIZE;
    private static final int ZONE_SHIFT = 48;
    private static final int LENGTH_BITS = 19;
    private static final int ZONE_BITS = Short.SIZE;
    /** Bits of what is left with the position of a claim. */
    private static final int MORE_BITS = LENGTH_BITS + ZONE_BITS;
    private static final int ALIGN_SHIFT = 3;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final MemorySegment memory;
    private final long capacity;
    private final Clock clock;
    private final AtomicLong tail;
    private final AtomicReferenceArray<RingZone> zones = new AtomicReferenceArray<>(ZONES);
    /** Claimed room without a begun record: position, zone and length in one number. */
    private final AbandonedRecords abandonedClaims;
    private final AbandonedRecords abandoned;
    private final LongAdder refusals = new LongAdder();
    private final LongAdder roomWaits = new LongAdder();
    private volatile long drained;
    private volatile boolean isCongested;
    private volatile boolean isClosed;
    private long abandonedCount;

    /** Takes the records of a drain, in the order of their positions. */
    @FunctionalInterface
    interface Sink {
        /**
         * Takes a record.
         *
         * @param zone number of the zone
         * @param number number of the record
         * @param source has the record of the run, until this returns
         * @param offset its first byte
         * @param bytes its length
         */
        void record(int zone, long number, MemorySegment source, long offset, long bytes);
    }

    /**
     * Makes an empty ring.
     *
     * @param capacity a power of two from 4 KiB to 1 GiB; below {@link #CAPACITY_MIN} chunks are limited to an eighth
     * @param clock for waiting
     */
    public ShipRing(int capacity, Clock clock) {
        this(capacity, clock, Arena.ofAuto());
    }

    /** Makes an empty ring in memory of an arena. */
    ShipRing(int capacity, Clock clock, Arena arena) {
        assert Integer.bitCount(capacity) == 1 : capacity;
        this.capacity = capacity;
        this.clock = clock;
        memory = LazyMemory.allocate(arena, capacity);
        abandonedClaims = new AbandonedRecords(MORE_BITS);
        abandoned = new AbandonedRecords();
        tail = new AtomicLong(capacity);                        // not 0, which means no record
        drained = capacity;
    }

    // ---- zones ----

    private RingZone zone(int zone) {
        final RingZone known = zones.get(zone);
        return known != null ? known : zoneSlow(zone);
    }

    private RingZone zoneSlow(int zone) {
        zones.compareAndSet(zone, null, new RingZone(zone));
        return zones.get(zone);
    }

    /**
     * Begins to number the changes of a zone. Called before its first change.
     *
     * @param zone number of the zone
     * @param epoch epoch of the owner
     * @param last number of the last change that was restored, or 0
     */
    public void open(int zone, int epoch, long last) {
        zone(zone).begin(epoch, last);
    }

    /**
     * Raises the epoch of a zone: later changes have numbers of this epoch.
     *
     * @param zone number of the zone
     * @param epoch epoch of the newest row
     */
    public void raise(int zone, int epoch) {
        zone(zone).raise(epoch);
    }

    /**
     * {@return the counter of the last change of a chunk, or of a chunk that shares its place; 0 if there was none}
     *
     * @param cid the chunk
     */
    public long changeOf(long cid) {
        return zone((int) (cid >>> ZONE_SHIFT)).changeOf(cid);
    }

    // ---- changes ----

    boolean isCongested() {
        return isCongested;
    }

    /**
     * Keeps changes from beginning, or lets changes begin again: the shipper keeps too many runs without an
     * acknowledgement.
     */
    void congested(boolean is) {
        isCongested = is;
    }

    @Override
    public void begin() {
        if (isClosed) {
            throw closed();
        }
        if (isCongested || tail.get() + 2 * capacity / RESERVES > drained + capacity) {
            refusals.increment();
            throw PeerBusy.refusal(isCongested ? "the backups lag behind" : "the ring of changes is full");
        }
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        final long bytes = 2 * bytes(entries, contentBytes) + capacity / RESERVES;   // the ring's end may lie in it
        while (tail.get() + bytes > drained + capacity) {
            awaitDrainer();
        }
    }

    private void awaitDrainer() {
        if (isClosed) {
            throw closed();
        }
        roomWaits.increment();
        clock.pause(this, PAUSE_NS);
    }

    private static StoreException closed() {
        return new StoreException(Category.FATAL, "the peer has ended");
    }

    private static long bytes(int entries, long contentBytes) {
        return ShipLayout.HEAD_BYTES + RunWriter.recordBytesMax(entries, contentBytes);
    }

    @Override
    public long recordBytesMax(int entries) {
        final long most = Math.min(capacity / RECORDS_MIN - ShipLayout.HEAD_BYTES, RunWriter.RUN_BYTES_MAX);
        return most - RunWriter.recordBytesMax(entries, 0);
    }

    private void checkLength(int entries, long contentBytes) {
        if (contentBytes > recordBytesMax(entries)) {
            throw new IllegalArgumentException("contentBytes=" + contentBytes + " of " + entries
                + " entries are more than " + recordBytesMax(entries));
        }
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        checkLength(entries, contentBytes);
        return claimBytes(zone, bytes(entries, contentBytes));
    }

    /** Claims a record with room for one more entry. */
    long claim(int zone, int entries, long contentBytes, int moreBytes) {
        checkLength(entries, contentBytes);
        return claimBytes(zone, bytes(entries + 1, contentBytes + moreBytes));
    }

    private long claimBytes(int zone, long bytes) {
        final RingZone of = zone(zone);
        long record = claimNow(of, bytes);
        while (record == 0) {
            awaitDrainer();
            record = claimNow(of, bytes);
        }
        return record;
    }

    /** Claims room and a number, or returns 0 if there is no room. Everything with a call comes first. */
    private long claimNow(RingZone zone, long bytes) {
        final long[] left = abandonedClaims.places();
        long from = 0;
        long end = 0;
        boolean isClaimed = false;
        boolean isBegun = false;
        zone.lock();
        try {
            final long number = ZoneNumber.of(zone.epoch, ZoneNumber.counter(zone.last) + 1);
            do {
                from = tail.get();
                end = from + skipped(from, bytes) + bytes;
                if (end > drained + capacity) {
                    return 0;
                }
            } while (!tail.compareAndSet(from, end));
            zone.last = number;                                 // these two need no stack
            isClaimed = true;
            begin(from, end - bytes, bytes, zone.zone, number);
            isBegun = true;
            return end - bytes;
        } finally {
            zone.locked = 0;
            if (isClaimed && !isBegun) {
                // The stack may have ended, so there is no call from here on.
                // The drainer may have passed the skipped room.
                for (long at = from; at < end; at += at == from && end - at > bytes ? end - at - bytes : bytes) {
                    final long product = at * AbandonedRecords.SPREAD;
                    int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                        >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                    while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                        place++;
                    }
                    left[place] = at << MORE_BITS - ALIGN_SHIFT | (long) zone.zone << LENGTH_BITS
                        | end - at >>> ALIGN_SHIFT;
                }
            }
        }
    }

    /** Returns the bytes between a position and the ring's end if a record does not fit there. */
    private long skipped(long from, long bytes) {
        final long room = capacity - (from & capacity - 1);
        return bytes > room ? room : 0;
    }

    private void begin(long from, long record, long bytes, int zone, long number) {
        if (record != from) {
            ShipLayout.skipRelease(memory, offset(from), record - from);
        }
        final long at = offset(record);
        ShipLayout.begin(memory, at, bytes, zone);
        ShipLayout.putNumber(memory, at, number);
    }

    private long offset(long position) {
        return position & capacity - 1;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        final long content = repeatedEntry(record, after, cid, kind, length, number);
        zone((int) (cid >>> ZONE_SHIFT)).changed(cid, ZoneNumber.counter(ShipLayout.number(memory, offset(record))));
        return content;
    }

    /** Writes an entry that repeats the present content of a chunk: reads of the chunk do not wait for the entry. */
    long repeatedEntry(long record, long after, long cid, int kind, int length, long number) {
        final long head = offset(record);
        final long at = after == 0 ? RunWriter.begin(head + ShipLayout.HEAD_BYTES)
            : after + ShipLayout.ALIGNMENT - 1 & -(long) ShipLayout.ALIGNMENT;
        final long content = RunWriter.entry(memory, at, cid, kind, length, number);
        ShipLayout.entry(memory, head, RunWriter.next(content, length));
        return content;
    }

    @Override
    public long now(int zone) {
        return zone(zone).last;
    }

    @Override
    public void commit(long record, boolean isGroup) {
        final long at = offset(record);
        RunWriter.end(memory, at + ShipLayout.HEAD_BYTES, ShipLayout.number(memory, at),
            ShipLayout.entries(memory, at), ShipLayout.used(memory, at));
        ShipLayout.endRelease(memory, at, ShipLayout.room(memory, at));
    }

    /**
     * Adds a record without entries to a zone: nothing changes, and a backup with this record in its log has room.
     *
     * @param zone number of the zone
     * @return the number of the record
     * @throws io.teff.engine.error.StoreException if the ring has no room now
     */
    public long mark(int zone) {
        begin();
        final long[] left = abandoned.places();
        final long record = claim(zone, 0, 0);
        boolean isEnded = false;
        try {
            final long at = offset(record);
            final long run = at + ShipLayout.HEAD_BYTES;
            final long number = ShipLayout.number(memory, at);
            RunWriter.end(memory, run, number, 0, RunWriter.begin(run));
            ShipLayout.endRelease(memory, at, ShipLayout.room(memory, at));
            isEnded = true;
            return number;
        } finally {
            if (!isEnded) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    /**
     * Returns a journal that writes to this ring, and whose records a writer completes. For one thread at a time.
     *
     * @param writer has the slot of each change, and gets the numbers of the records
     * @return the journal
     */
    public Journal recordedBy(SlotWriter writer) {
        return new ChangeJournal(this, writer);
    }

    /**
     * Returns a journal that writes to this ring what a zone has already: the records change no chunk, so no read waits
     * for their acknowledgement.
     *
     * @return the journal
     */
    public Journal repeating() {
        return new RepeatJournal(this);
    }

    /** Writes the slot of a writer behind the entries of a claimed record, and tells the writer the number. */
    void complete(long record, SlotWriter writer) {
        final long at = offset(record);
        if (writer.bytesMax(ShipLayout.zone(memory, at)) != 0) {  // as when the record was claimed
            putSlot(writer, at);
        }
        writer.committed(ShipLayout.number(memory, at));
    }

    private void putSlot(SlotWriter writer, long at) {
        final long first = RunWriter.begin(at + ShipLayout.HEAD_BYTES);
        final long entry = ShipLayout.used(memory, at);
        final long content = entry + RunWriter.entryBytes(0);
        final long cid = writer.cid();
        final int length = writer.write(memory, RunWriter.cid(memory, first), first + RunWriter.entryBytes(0), content);
        RunWriter.entry(memory, entry, cid, PUT, length, 0);
        ShipLayout.entry(memory, at, RunWriter.next(content, length));
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    /** Refuses: a chunk above 1 MiB fits into no run. Operations refuse such chunks before they change anything. */
    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        throw new StoreException(Category.FATAL, "a chunk of " + length + " bytes is longer than "
            + CONTENT_BYTES_MAX + " and cannot be backed");
    }

    /** Returns at once: the answer of a change waits for acknowledgements, and not the thread. */
    @Override
    public void done() {
        // nothing to wait for
    }

    /** Refuses further changes. Idempotent. */
    void close() {
        isClosed = true;
    }

    // ---- draining ----

    /**
     * Takes records out of the ring, up to the first record without an end. Called by one thread at a time.
     *
     * @return the number of bytes drained
     */
    long drain(Sink sink, long bytesMax) {
        final long from = drained;
        long position = from;
        while (position - from < bytesMax && position < tail.get()) {
            final long at = offset(position);
            long word = ShipLayout.wordAcquire(memory, at);
            if (word == 0) {
                if (!endAbandoned(position)) {
                    break;
                }
                word = ShipLayout.wordAcquire(memory, at);
            }
            final long bytes = ShipLayout.bytes(word);
            if (!ShipLayout.isSkip(word)) {
                hand(sink, at);
            }
            ShipLayout.clear(memory, at, bytes);
            position += bytes;
            drained = position;
        }
        return position - from;
    }

    private void hand(Sink sink, long at) {
        final RingZone zone = zone(ShipLayout.zone(memory, at));
        final long number = ShipLayout.number(memory, at);
        zone.drained = number;
        final long record = at + ShipLayout.HEAD_BYTES;
        final long end = ShipLayout.entries(memory, at) == 0 ? RunWriter.begin(record) : ShipLayout.used(memory, at);
        sink.record(zone.zone, number, memory, record, end - record);
    }

    /** Ends the record at a position if the record is abandoned, and returns whether the record is. */
    private boolean endAbandoned(long position) {
        if (abandoned.take(position) != 0) {
            endEmpty(position);
            return true;
        }
        final long claim = abandonedClaims.take(position);
        if (claim == 0) {
            return false;
        }
        final long end = position + ((claim & (1L << LENGTH_BITS) - 1) << ALIGN_SHIFT);
        final int zone = (int) (claim >>> LENGTH_BITS) & ZONES - 1;
        final long room = capacity - offset(position);
        final long record = end - position > room ? position + room : position;
        begin(position, record, end - record, zone, zone(zone).numberAfterDrained());
        endEmpty(record);
        return true;
    }

    private void endEmpty(long position) {
        final long at = offset(position);
        final long record = at + ShipLayout.HEAD_BYTES;
        abandonedCount++;
        ShipLayout.begin(memory, at, ShipLayout.room(memory, at), ShipLayout.zone(memory, at));
        RunWriter.end(memory, record, ShipLayout.number(memory, at), 0, RunWriter.begin(record));
        ShipLayout.endRelease(memory, at, ShipLayout.room(memory, at));
    }

    /** Returns the position up to which everything is drained; for the thread that drains. */
    long drained() {
        return drained;
    }

    /** Returns whether there is a record to be drained. */
    boolean hasMore() {
        return drained < tail.get();
    }

    // ---- numbers for people ----

    /** {@return bytes of the ring} */
    public long capacity() {
        return capacity;
    }

    /** {@return bytes that are claimed and not drained} */
    public long usedBytes() {
        return tail.get() - drained;
    }

    /** {@return number of changes that were refused because there was no room} */
    public long refusals() {
        return refusals.sum();
    }

    /** {@return number of waits of threads that had begun a change} */
    public long roomWaits() {
        return roomWaits.sum();
    }

    /** {@return number of records that their threads could not commit; may lag behind} */
    public long abandonedCount() {
        return abandonedCount;
    }
}

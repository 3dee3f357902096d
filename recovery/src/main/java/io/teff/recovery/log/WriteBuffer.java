package io.teff.recovery.log;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.BirthMark;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FramedMark;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.RingPiece;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.format.RingWriter;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.RingFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ring in front of the log, in the mapped memory of a file. Many threads write to the ring, a single thread drains
 * it.
 *
 * <pre>
 *            drained                  committed prefix      tail                    limit = drained + capacity
 *  ────────────┼─────────────────────────────┼────────────────┼────────────────────────────┼──────────> positions
 *   free again │ for the drainer             │ some committed │ free  | holders' | reserve │
 *
 *  claim(room) ──> write entries in place ──> commit | abandon
 * </pre>
 *
 * <p><b>Claiming.</b> A single compare-and-set on the tail gives a thread room and the number of its record, equal to
 * the position. Claims and numbers have the same order, so a thread that claims under a stripe or a lock orders the
 * changes of the guarded data. A record is contiguous: the claim that crosses the ring's end also fills the rest of the
 * lap.
 *
 * <p><b>Room.</b> A claim waits if its end would be beyond the limit. For a thread inside a stripe this wait is too
 * late, because readers wait for the stripe. So each thread calls {@link #awaitRoom} before its first change. This call
 * leaves a quarter of the ring to the threads that have passed the call. A thread that holds more than a stripe, such
 * as the lock of a chunk or a collection, has more to write: before the thread enters stripes and claims, it waits
 * until an eighth is left ({@link #awaitRoomFor}). So there is room for both kinds of threads, and most room for
 * threads with awaited stripes. A thread must not claim a second record before the end of its first record, nor wait
 * for a thread that may claim: the drainer stops at the first open record.
 *
 * <p><b>A full disk.</b> While the log uses the room reserved for a full disk, the ring is tight: changes that add are
 * refused, and removals may fill an eighth of the ring, because after a kill the contents of the ring must find room at
 * the next opening. Removals wait while too little reserved room is left, and are refused when a cleaning could make no
 * room.
 *
 * <p><b>The end.</b> To close, the tail is set to a value beyond any limit, in one step: no claim with an older tail
 * can succeed, so all claimed records are in front of the last tail. Threads that have claimed may still commit.
 *
 * <p><b>Waiting.</b> Slow paths only: the drainer wakes waiters when it has moved the limit, when the disk is full, and
 * when the drainer has failed. Interrupts do not end a wait. The disk bounds the wait: each of these events follows
 * when its call returns.
 *
 * <p><b>Abandoned records.</b> A thread that cannot commit its record leaves the record in {@link #abandoned} without a
 * call, because the thread's stack may have ended. A thread that could not begin a record leaves its room in the same
 * way. The drainer abandons such records and rooms when it meets them. Waiting threads hold no lock that stays locked
 * after the end of a stack: the locks here are monitors, and the JVM releases monitors.
 */
public final class WriteBuffer {

    /** A record is at most this part of the ring. */
    private static final int RECORDS_MIN = 4;
    /**
     * This part of the ring is reserved for threads that hold a stripe, and as much again for threads that hold another
     * lock.
     */
    private static final int RESERVES = 8;
    /** Positions are multiples of two to this power. */
    private static final int CLAIM_SHIFT = 3;
    /** Number of bits for the length of claimed room without a record; the rest of the word is the position. */
    private static final int CLAIM_BITS = 28;
    /** Result of {@link #tryClaim} when there is no room now. */
    public static final long NO_ROOM = -1;
    /** Tail of a closed buffer: greater than any limit. */
    private static final long NO_TAIL = 1L << 62;

    private final MemorySegment memory;
    private final RingWriter writer;
    private final long salt;
    private final long capacity;
    private final long start;
    private final Runnable wakeDrainer;
    private final AtomicLong tail;
    /** Claimed room in which no record could be begun: position and length in one number. */
    private final AbandonedRecords abandonedClaims;
    /** Records that were begun, and could not be committed. */
    private final AbandonedRecords abandoned;
    private final Object lock = new Object();
    private final SyncWaiters waiters;
    private final SyncWaiters roomWaiters;
    /** Drained position plus capacity, or 0 when claims are refused. Written under the lock. */
    private volatile long limit;
    private volatile long drained;
    private volatile boolean isFull;
    /** Whether changes that add are refused, and whether removals wait. */
    private volatile boolean isTight;
    private volatile boolean isLow;
    private volatile @Nullable Throwable failure;
    private volatile boolean isClosing;
    /** Guarded by the lock; the tail before it was set to {@code NO_TAIL}. */
    private long lastTail;

    private WriteBuffer(MemorySegment memory, Clock clock, ManifestRecord.Log log, long capacity, long start,
                        Runnable wake) {
        this.abandonedClaims = new AbandonedRecords(CLAIM_BITS);
        this.abandoned = new AbandonedRecords();
        this.waiters = new SyncWaiters(clock);
        this.roomWaiters = new SyncWaiters(clock);
        this.memory = memory;
        this.writer = new RingWriter(memory, log.salt(), capacity);
        this.salt = log.salt();
        this.capacity = capacity;
        this.wakeDrainer = wake;
        this.start = start;
        this.tail = new AtomicLong(start);
        this.drained = start;
        this.limit = start + capacity;
    }

    /**
     * Opens the buffer of a log that is closed according to its manifest: the contents of the file are ignored, and its
     * head is rewritten and synced, so that no mark of an earlier time can reappear.
     *
     * @param platform disk and clock
     * @param folder of the log
     * @param log identity of the log
     * @param capacity a power of two from 4,096 to 2^30
     * @param start a multiple of 8, at least a lap behind all positions and numbers ever used
     * @param wake called when half of the ring is full, or a thread waits; must not block
     * @return the buffer
     * @throws IOException if the file cannot be made, written or mapped
     */
    static WriteBuffer open(Platform platform, Path folder, ManifestRecord.Log log, int capacity, long start,
                            Runnable wake) throws IOException {
        final Disk disk = platform.disk();
        try (DiskFile file = file(disk, folder, log, FileHead.BYTES + (long) capacity)) {
            final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
            final MemorySegment head = MemorySegment.ofBuffer(page);
            FileHead.ring(log.logId(), log.salt(), capacity).write(head);
            DrainedMark.write(head, start, log.salt());
            BirthMark.write(head, disk.ownBirthNs(folder.resolve(LogFolder.BUFFER)), log.salt());
            file.write(page, 0);
            file.force();
            disk.forceFolder(folder);
            return new WriteBuffer(file.map(FileHead.BYTES + (long) capacity), platform.clock(), log, capacity, start,
                wake);
        }
    }

    /**
     * Returns the file, of the right length and with allocated room on the device: a store to memory cannot report
     * missing room. So a file that may be a copy is made anew; a copy may be sparse, or share bytes with another file.
     */
    private static DiskFile file(Disk disk, Path folder, ManifestRecord.Log log, long bytes) throws IOException {
        final Path path = folder.resolve(LogFolder.BUFFER);
        if (disk.list(folder).contains(LogFolder.BUFFER)) {
            if (RingFile.isOwn(disk, folder, log, bytes)) {
                return disk.open(path);
            }
            disk.delete(path);
        }
        return disk.reserve(path, bytes);
    }

    // ---- writing ----

    /** {@return the memory that entries are written to} */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return limit of the bytes of the entries of a record, heads included} */
    public long entriesBytesMax() {
        return capacity / RECORDS_MIN - RingRecord.HEAD_BYTES;
    }

    /**
     * Waits until there is room. Called before the caller holds a lock or has changed anything.
     *
     * @return false if the disk is full, so that there may be no room for long
     * @throws LogClosedException if the log accepts no changes any more
     */
    public boolean awaitRoom() {
        return hasRoom() && !isTight || awaitRoomSlow(false);
    }

    /**
     * Waits for a removal as {@link #awaitRoom}. It has room on a full disk, too: false means that there is nothing to
     * clean.
     *
     * @return false if the disk is full and no cleaning can make room
     * @throws LogClosedException if the log accepts no changes any more
     */
    public boolean awaitRoomToRemove() {
        return hasRoomToRemove() || awaitRoomSlow(true);
    }

    private boolean hasRoom() {
        return tail.get() + 2 * capacity / RESERVES <= limit;
    }

    private boolean hasRoomToRemove() {
        return isTight ? !isLow && tail.get() + capacity - capacity / RESERVES <= limit : hasRoom();
    }

    private boolean hasRoom(boolean isRemoval) {
        return isRemoval ? hasRoomToRemove() : hasRoom() && !isTight;
    }

    /** A full disk is tried again at the next interval: each try wakes the waiting threads. */
    private void wakeUnlessFull() {
        if (!isFull) {
            wakeDrainer.run();
        }
    }

    private boolean awaitRoomSlow(boolean isRemoval) {
        wakeDrainer.run();
        while (!hasRoom(isRemoval)) {
            checkOpen();
            if (isFull || isTight && !isRemoval) {
                return false;
            }
            roomWaiters.await(0, this::wakeUnlessFull,
                () -> hasRoom(isRemoval) || limit == 0 || isFull || isTight && !isRemoval);
        }
        return true;
    }

    /**
     * Waits until there is room for a record and the reserve. For callers with a change that cannot be undone: waits
     * also while the disk is full, but not once the log is being closed.
     *
     * @param entriesBytes as for {@link #claim}
     * @throws LogClosedException if the log accepts no changes any more
     */
    public void awaitRoomFor(long entriesBytes) {
        // reserves nothing: a thread that claims in between makes the claim wait, in stripes, for the disk. Only the
        // promise to readers of these stripes is broken, as docs/LIMITS.md says. A waiting claim is not a hole, so the
        // drainer continues
        final long bytes = 2 * RingRecord.bytes(entriesBytes) + capacity / RESERVES;    // the ring's end may lie in it
        for (long end = tail.get() + bytes; end > limit; end = tail.get() + bytes) {
            awaitLimit(end);
        }
        if (isTight) {
            awaitRoundDrained();
        }
    }

    /** A change of many steps waits in front of each while the ring is tight, as {@link #awaitRoomToRemove}. */
    private void awaitRoundDrained() {
        wakeDrainer.run();
        while (isTight && !hasRoomToRemove() && limit != 0 && !(isFull && isClosing)) {
            roomWaiters.await(0, this::wakeUnlessFull,
                () -> !isTight || hasRoomToRemove() || limit == 0 || isFull && isClosing);
        }
    }

    /**
     * Claims room for a record, and begins it. Waits if there is no room.
     *
     * @param entriesBytes of all entries of the record with their heads, at most {@link #entriesBytesMax}, at least a
     *     single entry
     * @return position of the record, also the record's number
     * @throws LogClosedException if the log accepts no changes any more
     * @throws IllegalArgumentException if there are too few or too many bytes
     */
    public long claim(long entriesBytes) {
        if (entriesBytes < RingRecord.ENTRY_BYTES || entriesBytes > entriesBytesMax()) {
            throw new IllegalArgumentException("entriesBytes=" + entriesBytes + " are not in " + RingRecord.ENTRY_BYTES
                + " to " + entriesBytesMax());
        }
        final long bytes = RingRecord.bytes(entriesBytes);
        while (true) {
            final long from = tail.get();
            final long record = from + RingRecord.skipped(from, bytes, capacity);
            final long last = limit;
            if (record + bytes > last) {
                awaitLimit(record + bytes);
            } else if (claimAt(from, record, record + bytes, entriesBytes, last)) {
                return record;
            }
        }
    }

    /** Claims room and begins a record there, unless another thread has claimed room meanwhile. */
    private boolean claimAt(long from, long record, long end, long entriesBytes, long last) {
        final long[] left = abandonedClaims.places();
        if (!tail.compareAndSet(from, end)) {
            return false;
        }
        boolean isBegun = false;
        try {
            if (record > from) {
                writer.fill(from);
            }
            writer.begin(record, entriesBytes);
            wakeAtHalf(from, end, last);
            isBegun = true;
        } finally {
            if (!isBegun) {
                // The stack may have ended, so there is no call from here on. The drainer may have passed what is
                // skipped.
                for (long at = from; at < end; at = at < record ? record : end) {
                    final long product = at * AbandonedRecords.SPREAD;
                    int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                        >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                    while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                        place++;
                    }
                    left[place] = at << CLAIM_BITS - CLAIM_SHIFT | end - at >>> CLAIM_SHIFT;
                }
            }
        }
        return true;
    }

    /**
     * Claims room for consecutive records, without waiting. The caller begins, fills and commits each record at its
     * place. The claim does not use the room left for holders of locks.
     *
     * @param recordsBytes sum of their {@link RingRecord#bytes}, at most {@link #recordsBytesMax}
     * @return position of the first one, or {@link #NO_ROOM}
     * @throws LogClosedException if the log accepts no changes any more
     */
    public long tryClaim(long recordsBytes) {
        assert recordsBytes > 0 && recordsBytes <= recordsBytesMax() : recordsBytes;
        while (true) {
            final long from = tail.get();
            final long skipped = RingRecord.skipped(from, recordsBytes, capacity);
            final long end = from + skipped + recordsBytes;
            final long last = limit;
            if (end > last) {
                checkOpen();
                wakeUnlessFull();
                return NO_ROOM;
            }
            if (tail.compareAndSet(from, end)) {
                boolean isFilled = false;
                try {
                    if (skipped > 0) {
                        writer.fill(from);
                    }
                    wakeAtHalf(from, end, last);
                    isFilled = true;
                    return from + skipped;
                } finally {
                    if (!isFilled) {
                        leave(from, end);
                        if (skipped > 0) {
                            leave(from + skipped, end);         // the drainer may have passed what is skipped
                        }
                    }
                }
            }
        }
    }

    /** {@return limit of the bytes of records that are claimed together} */
    public long recordsBytesMax() {
        return capacity / RECORDS_MIN;
    }

    /**
     * Begins a record in room claimed by {@link #tryClaim}.
     *
     * @param record position of the record
     * @param entriesBytes all entries of the record with their heads
     */
    public void begin(long record, long entriesBytes) {
        writer.begin(record, entriesBytes);
    }

    /**
     * Leaves the rest of the room claimed by {@link #tryClaim} to the drainer. The drainer abandons this room.
     *
     * @param position of the first record that is not committed
     * @param end of the claimed room
     */
    public void leave(long position, long end) {
        final long[] left = abandonedClaims.places();
        final long product = position * AbandonedRecords.SPREAD;
        int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
            >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
        while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
            place++;
        }
        left[place] = position << CLAIM_BITS - CLAIM_SHIFT | end - position >>> CLAIM_SHIFT;
    }

    private void wakeAtHalf(long from, long end, long last) {
        final long half = last - capacity / 2;
        if (from < half && end >= half) {
            wakeDrainer.run();
        }
    }

    private void awaitLimit(long end) {
        wakeDrainer.run();
        while (end > limit) {
            checkOpen();
            if (isFull && isClosing) {
                throw new LogClosedException(new DiskFullException("what was changed last has no room", null));
            }
            roomWaiters.await(0, this::wakeUnlessFull, () -> end <= limit || limit == 0 || isFull && isClosing);
        }
    }

    private void checkOpen() {
        if (limit == 0) {
            throw new LogClosedException(failure);
        }
    }

    /**
     * Returns the offset of the first entry of a record.
     *
     * @param record position of the record
     * @return offset in the memory
     */
    public long firstEntry(long record) {
        return FileHead.BYTES + (record & capacity - 1) + RingRecord.HEAD_BYTES;
    }

    /**
     * Writes the head of an entry.
     *
     * @param at {@link #firstEntry}, or the end of the payload before
     * @param cid of the chunk
     * @param sequence number of the change: the record's position, or an earlier {@link #now}
     * @param owner NID of the store that owns the chunk, 0 to 65,535
     * @param zone of the owner
     * @param kind of {@link io.teff.recovery.format.EntryKind}
     * @param length of the payload in bytes, at most that of a link of a chain, 1 MiB and 16
     * @return offset of the payload
     */
    public long entry(long at, long cid, long sequence, int owner, int zone, int kind, int length) {
        assert length <= ChainLink.HEAD_BYTES + ChainLink.PIECE_BYTES : length;
        return writer.entry(at, cid, sequence, owner, zone, kind, length);
    }

    /**
     * Commits a record with entries that fill its room: from now on the record survives the process.
     *
     * @param record position of the record
     * @param group whether the entries of the record form a group
     */
    public void commit(long record, boolean group) {
        writer.commit(record, group);
    }

    /**
     * Abandons a record, even if parts of it are written.
     *
     * @param record position of the record
     */
    public void abandon(long record) {
        writer.abandon(record);
    }

    /**
     * {@return a number above the numbers of all claimed records and below the numbers of later records; unused by any
     * record}
     */
    public long now() {
        return tail() - 1;
    }

    /** {@return the position behind the last claimed record} */
    public long tail() {
        final long now = tail.get();
        if (now != NO_TAIL) {
            return now;
        }
        synchronized (lock) {
            return lastTail;
        }
    }

    // ---- draining ----

    /** {@return the claimed records that cannot be committed by their threads; the drainer abandons these records} */
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    /**
     * Abandons the record at a position if its thread has left the record, or the room left without a record. Called by
     * the drainer at an uncommitted record.
     *
     * @return whether the record is abandoned now, so that the ring can be drained beyond it
     */
    boolean isAbandonedAt(long position) {
        if (abandoned.take(position) != 0) {
            writer.abandon(position);
            return true;
        }
        final long claim = abandonedClaims.take(position);
        if (claim == 0) {
            return false;
        }
        final long end = position + ((claim & (1L << CLAIM_BITS) - 1) << CLAIM_SHIFT);
        final long room = capacity - (position & capacity - 1);
        final long record = end - position > room ? position + room : position;
        if (record > position) {
            writer.fill(position);
        }
        writer.begin(record, end - record - RingRecord.HEAD_BYTES);
        writer.abandon(record);
        return true;
    }

    /**
     * Copies records that were committed.
     *
     * @param position of the first record
     * @param end behind the last one; all were claimed together
     * @return the records, or null if their room was issued again
     */
    public @Nullable RingPiece copy(long position, long end) {
        if (tail() - position > capacity) {
            return null;
        }
        final RingPiece piece = new RingPiece(memory, salt, capacity, position, end);
        return tail() - position > capacity ? null : piece;
    }

    /** Returns the first position since the opening. */
    long start() {
        return start;
    }

    /** {@return bytes of the ring} */
    public long capacity() {
        return capacity;
    }

    /** Returns a scan of the committed records; for the drainer. */
    RingScan scan() {
        return new RingScan(memory, salt, capacity);
    }

    /** {@return the position up to which everything is drained} */
    public long drained() {
        return drained;
    }

    /** Returns whether changes that add are refused. */
    boolean isFull() {
        return isFull || isTight;
    }

    /** Returns whether room that is kept for a full disk is used. */
    boolean isTight() {
        return isTight;
    }

    /** Returns whether so little reserved room is left that removals wait. */
    boolean isLow() {
        return isLow;
    }

    /** Returns the failure that ended draining, or null. */
    @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Called by the drainer when everything before a position is synced elsewhere. Returns the number of woken threads.
     */
    int drained(long position) {
        DrainedMark.write(memory, position, salt);
        synchronized (lock) {
            drained = position;
            isFull = false;
            limit = limit == 0 ? 0 : position + capacity;
        }
        roomWaiters.wake(Long.MAX_VALUE);
        return waiters.wake(position);
    }

    /** Called by the drainer when a frame is synced. */
    void framed(long number) {
        FramedMark.write(memory, number, salt);
    }

    /**
     * Called by the drainer when the disk is full: threads that can fail stop waiting, until the limit is moved again.
     */
    void full() {
        isFull = true;
        roomWaiters.wake(Long.MAX_VALUE);
        waiters.wake(Long.MAX_VALUE);
    }

    /**
     * Called by the drainer, or before the drainer runs. {@code isOn}: the room reserved for a full disk is in use, so
     * that changes that add are refused. {@code isMuch}: so much of this room is in use that removals wait.
     */
    void setTight(boolean isOn, boolean isMuch) {
        final boolean isChanged = isOn != isTight || isMuch != isLow;
        isTight = isOn;
        isLow = isMuch;
        if (isChanged) {
            isFull &= isMuch || drained < tail();
            roomWaiters.wake(Long.MAX_VALUE);
        }
    }

    /**
     * Waits until everything before a position is synced elsewhere.
     *
     * @return false if the disk is full
     * @throws LogClosedException if the log has failed, so that this never happens
     */
    boolean awaitDrained(long position) {
        if (drained < position) {
            waiters.await(position, wakeDrainer, () -> drained >= position || isFull || failure != null);
        }
        if (drained >= position) {
            return true;
        }
        final Throwable cause = failure;
        if (cause != null) {
            throw new LogClosedException(cause);
        }
        return false;
    }

    /** Returns whether a thread has begun to wait since the drainer last moved the limit. */
    boolean hasNewWaiters() {
        return waiters.hasNew();
    }

    /**
     * Returns whether a thread waits for a record that can be drained as soon as another thread ends an open record.
     */
    boolean isWaitedFor() {
        return !isFull && drained < tail() && (waiters.hasAny() || roomWaiters.hasAny());
    }

    /** From now on no thread waits for a full disk; {@link #stop} follows when all have ended. */
    public void closing() {
        isClosing = true;
        roomWaiters.wake(Long.MAX_VALUE);
    }

    /**
     * Refuses further claims. Claimed records may still be committed.
     *
     * @param cause the failure that ends draining, or null if the ring will still be drained
     */
    void stop(@Nullable Throwable cause) {
        synchronized (lock) {
            failure = failure == null ? cause : failure;        // first: threads read limit 0, then the failure
            limit = 0;
            final long before = tail.getAndSet(NO_TAIL);
            lastTail = before == NO_TAIL ? lastTail : before;
        }
        roomWaiters.wake(Long.MAX_VALUE);
        if (cause != null) {
            waiters.wake(Long.MAX_VALUE);
        }
    }
}

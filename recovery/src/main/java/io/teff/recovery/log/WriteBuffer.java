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
 * The ring in front of the log, in the mapped memory of a file. Many threads write to it, one drains it.
 *
 * <pre>
 *            drained                  committed prefix      tail                    limit = drained + capacity
 *  ────────────┼─────────────────────────────┼────────────────┼────────────────────────────┼──────────> positions
 *   free again │ for the drainer             │ some committed │ free  | holders' | reserve │
 *
 *  claim(room) ──> write entries in place ──> commit | abandon
 * </pre>
 *
 * <p><b>Claiming.</b> One compare-and-set on the tail gives a thread its room and the number of its record, which is
 * the position. Claims and numbers have one order, so a thread that claims while it holds a stripe or a lock orders
 * the changes of the data that these guard. A record is contiguous: the claim that crosses the ring's end also fills
 * the rest of the lap.
 *
 * <p><b>Room.</b> A claim waits if it would go beyond the limit, which is too late for a thread whose stripe others
 * want to read from. So each thread calls {@link #awaitRoom} before it changes anything, which leaves a quarter of the
 * ring to the threads that have passed it. A thread that holds more than a stripe, such as the lock of a chunk or a
 * collection, has more to write: before it enters stripes and claims, it waits until an eighth is left ({@link
 * #awaitRoomFor}). So there is room for both kinds, and most for threads whose stripes others wait for. A thread must
 * not claim a second record before it has ended its first, nor wait for a thread that may claim: the drainer stops at
 * the first record that is not ended.
 *
 * <p><b>A full disk.</b> While the log uses the room that it keeps for a full disk, the ring is tight: changes that add
 * are refused, and removals may fill an eighth of the ring, because what is in it when the process is killed must find
 * room at the next opening. Removals wait while too little of that room is left, and are refused when a cleaning could
 * make none.
 *
 * <p><b>The end.</b> To close, the tail is set to a value beyond any limit, in one step: no claim that has read it
 * before can succeed, so all claimed records are in front of the last tail. Threads that have claimed may still
 * commit.
 *
 * <p><b>Waiting.</b> Slow paths only: the drainer wakes when it has moved the limit, when the disk is full, and when it
 * has failed. Interrupts do not end a wait. The disk bounds the wait: each of these events follows when its call
 * returns.
 *
 * <p><b>Abandoned records.</b> A thread that cannot commit its record leaves it in {@link #abandoned} without a call,
 * because its stack may have ended; the same holds for room in which it could not begin a record. The drainer abandons
 * these where it meets them. No waiting thread holds a lock that such a thread could fail to release: the locks here
 * are monitors, which the JVM releases.
 */
public final class WriteBuffer {

    /** A record is at most this part of the ring. */
    private static final int RECORDS_MIN = 4;
    /**
     * This part of the ring is reserved for threads that hold a stripe, and as much again for those that hold another
     * lock.
     */
    private static final int RESERVES = 8;
    /** Positions are multiples of two to this power. */
    private static final int CLAIM_SHIFT = 3;
    /** Bits of the length of room that was claimed and holds no record; the others are those of its position. */
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
    /** Room that was claimed, and in which no record could be begun: position and length in one number. */
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
     * Opens the buffer of a log whose manifest states that it is closed: the contents of the file are ignored, and its
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
     * Returns the file, of the right length and with its room allocated on the device: a store to memory cannot report
     * that there is none. So a file that may be a copy is made anew; a copy may be sparse, or share its bytes.
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
     * Waits until there is room for a record and the reserve. For callers that cannot undo their change: waits also
     * while the disk is full, but not once the log is being closed.
     *
     * @param entriesBytes as for {@link #claim}
     * @throws LogClosedException if the log accepts no changes any more
     */
    public void awaitRoomFor(long entriesBytes) {
        // reserves nothing: a thread that claims in between makes the claim wait, in stripes, for the disk. That breaks
        // only the promise to their readers, which LIMITS names; a waiting claim is not a hole, so the drainer
        // continues
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
     * @param entriesBytes of all its entries with their heads, at most {@link #entriesBytesMax}, at least one entry
     * @return its position, which is also its number
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

    /** Claims room and begins its record, unless another thread has claimed room meanwhile. */
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
     * Claims room for records that follow each other, without waiting. The caller begins, fills and commits each of
     * them at its place; it does not use the room that others leave for holders of locks.
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
     * @param entriesBytes all its entries with their heads
     */
    public void begin(long record, long entriesBytes) {
        writer.begin(record, entriesBytes);
    }

    /**
     * Leaves the rest of the room claimed by {@link #tryClaim} to the drainer, which abandons it.
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
     * Commits a record whose entries fill its room: from now on it survives the process.
     *
     * @param record position of the record
     * @param group whether its entries form one group
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

    /** {@return a number above those of all claimed records and below those of later ones; no record has it} */
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

    /** {@return the list of claimed records that their threads cannot commit; the drainer abandons them} */
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    /**
     * Abandons the record at a position if its thread has left it, or the room in which it could not begin one; for the
     * drainer, which calls this where it meets a record that is not committed.
     *
     * @return whether it is abandoned now, so that the ring can be drained beyond it
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

    /** Returns whether so much of it is used that removals wait. */
    boolean isLow() {
        return isLow;
    }

    /** Returns the failure that ended draining, or null. */
    @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Called by the drainer when everything before a position is synced elsewhere. Returns the number of threads that
     * waited for it.
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
     * Called by the drainer, or before it runs: whether the room that is kept for a full disk is used, so that changes
     * that add are refused, and whether so much of it that removals wait.
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

    /** Returns whether a thread waits for what can be drained as soon as another thread ends its record. */
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
            failure = failure == null ? cause : failure;        // first: threads that read limit 0 read it next
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

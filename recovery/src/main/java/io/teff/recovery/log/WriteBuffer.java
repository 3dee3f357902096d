package io.teff.recovery.log;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.DrainedMark;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.format.RingWriter;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The ring in front of the log, in memory that is a file. Many threads write to it, one drains it.
 *
 * <pre>
 *            drained                  committed prefix      tail                    limit = drained + capacity
 *  ────────────┼─────────────────────────────┼────────────────┼────────────────────────────┼──────────> positions
 *   free again │ for the drainer             │ some committed │ free  | holders' | reserve │
 *
 *  claim(room) ──> write entries in place ──> commit | abandon
 * </pre>
 *
 * <p><b>Claiming.</b> One compare-and-set on the tail gives a thread the room and the number of its record, which is
 * the position. Claims and numbers have one order, so who holds a stripe or a lock meanwhile orders the changes of what
 * that guards. A record lies in one piece: who claims the room around the ring's end also fills it.
 *
 * <p><b>Room.</b> A claim waits if it would go beyond the limit, which is too late for a thread whose stripe others
 * want to read from. So each thread calls {@link #awaitRoom} before it changes anything, which leaves a quarter of the
 * ring to those who are past it. Who holds more than a stripe, a chunk or a collection, has more to write: before it
 * enters stripes and claims it waits until an eighth is left ({@link #awaitRoomFor}). So there is room for both who
 * have begun, and most for those whose stripes others wait for. A thread must not claim a second record before it has
 * ended its first, nor wait for one who may claim: the drainer stops at the first record that is not ended.
 *
 * <p><b>The end.</b> To close, the tail is put where no ring is, in one step: no claim that has read it before can
 * succeed, so everything that was ever claimed is in front of the last tail. Those who have claimed go on to commit.
 *
 * <p><b>Waiting.</b> Slow paths only, with a lock and a condition: the drainer signals when it has moved the limit,
 * when the disk is full, and when it has failed. Interrupts are kept for later. The bound is the disk's: each of these
 * comes when its call returns.
 */
public final class WriteBuffer {

    /** A record has no more than this part of the ring. */
    private static final int RECORDS_MIN = 4;
    /** This part of the ring is left to those who hold a stripe, and as much again to those who hold something else. */
    private static final int RESERVES = 8;
    /** Tail of a buffer that is closed: greater than any limit. */
    private static final long NO_TAIL = 1L << 62;

    private final MemorySegment memory;
    private final RingWriter writer;
    private final long salt;
    private final long capacity;
    private final long start;
    private final Runnable wakeDrainer;
    private final AtomicLong tail;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SyncWaiters waiters;
    /** Drained position and capacity, or 0 when nothing may be claimed any more. Written under the lock. */
    private volatile long limit;
    private volatile long drained;
    private volatile boolean isFull;
    private volatile @Nullable Throwable failure;
    /** Guarded by the lock. */
    private boolean isClosing;
    /** Guarded by the lock; the tail before it was put where no ring is. */
    private long lastTail;

    private WriteBuffer(MemorySegment memory, Clock clock, ManifestRecord.Log log, long capacity, long start,
                        Runnable wake) {
        this.waiters = new SyncWaiters(clock);
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
     * Opens the buffer of a log whose manifest says that it is closed: what the file has counts for nothing, and its
     * head is written anew and synced, so that no mark of an earlier time can come back.
     *
     * @param disk where
     * @param folder of the log
     * @param log its name
     * @param capacity a power of two from 4,096 to 2^30
     * @param start a multiple of 8, at least a lap behind all positions and numbers that were ever used
     * @param wake called when half of the ring is full, or somebody waits; must not block
     * @return the buffer
     * @throws IOException if the file cannot be made, written or mapped
     */
    static WriteBuffer open(Platform platform, Path folder, ManifestRecord.Log log, int capacity, long start,
                            Runnable wake) throws IOException {
        final Disk disk = platform.disk();
        try (DiskFile file = file(disk, folder, FileHead.BYTES + (long) capacity)) {
            final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
            final MemorySegment head = MemorySegment.ofBuffer(page);
            FileHead.ring(log.logId(), log.salt(), capacity).write(head);
            DrainedMark.write(head, start, log.salt());
            file.write(page, 0);
            file.force();
            disk.forceFolder(folder);
            return new WriteBuffer(file.map(FileHead.BYTES + (long) capacity), platform.clock(), log, capacity, start,
                wake);
        }
    }

    /** The file of the right length, which has its place on the device. */
    private static DiskFile file(Disk disk, Path folder, long bytes) throws IOException {
        final Path path = folder.resolve(LogFolder.BUFFER);
        if (disk.list(folder).contains(LogFolder.BUFFER)) {
            DiskFile file = disk.open(path);
            if (file.size() == bytes) {
                return file;
            }
            file.close();
            disk.delete(path);
        }
        return disk.create(path, bytes);
    }

    // ---- writing ----

    /** {@return where entries are written} */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return most bytes that the entries of a record may have, with their heads} */
    public long entriesBytesMax() {
        return capacity / RECORDS_MIN - RingRecord.HEAD_BYTES;
    }

    /**
     * Waits until there is room, before the caller holds or has changed anything.
     *
     * @return false if the disk is full, so that there may be none for long
     * @throws LogClosedException if nothing is taken any more
     */
    public boolean awaitRoom() {
        return hasRoom() || awaitRoomSlow();
    }

    private boolean hasRoom() {
        return tail.get() + 2 * capacity / RESERVES <= limit;
    }

    private boolean awaitRoomSlow() {
        lock.lock();
        try {
            wakeDrainer.run();
            while (!hasRoom()) {
                checkOpen();
                if (isFull) {
                    return false;
                }
                changed.awaitUninterruptibly();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there is room for a record and the reserve, by a caller that cannot take back what it has changed:
     * also while the disk is full, but not once the log is to be closed.
     *
     * @param entriesBytes as for {@link #claim}
     * @throws LogClosedException if nothing is taken any more
     */
    public void awaitRoomFor(long entriesBytes) {
        // takes nothing: who comes in between makes the claim wait, in stripes, for the disk, and no promise is broken
        // but that of their readers, which LIMITS names; a claim that waits is no hole, so the drainer goes on
        final long bytes = 2 * RingRecord.bytes(entriesBytes) + capacity / RESERVES;    // the ring's end may be in it
        for (long end = tail.get() + bytes; end > limit; end = tail.get() + bytes) {
            awaitLimit(end);
        }
    }

    /**
     * Makes room for a record, and begins it. Waits for room if there is none.
     *
     * @param entriesBytes of all of its entries with their heads, at most {@link #entriesBytesMax}, at least one entry
     * @return its position, and its number
     * @throws LogClosedException if nothing is taken any more
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
            final long skipped = RingRecord.skipped(from, bytes, capacity);
            final long end = from + skipped + bytes;
            final long last = limit;
            if (end > last) {
                awaitLimit(end);
            } else if (tail.compareAndSet(from, end)) {
                if (skipped > 0) {
                    writer.fill(from);
                }
                writer.begin(from + skipped, entriesBytes);
                final long half = last - capacity / 2;
                if (from < half && end >= half) {
                    wakeDrainer.run();
                }
                return from + skipped;
            }
        }
    }

    private void awaitLimit(long end) {
        lock.lock();
        try {
            wakeDrainer.run();
            while (end > limit) {
                checkOpen();
                if (isFull && isClosing) {
                    throw new LogClosedException(new DiskFullException("what was changed last has no room", null));
                }
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() {
        if (limit == 0) {
            throw new LogClosedException(failure);
        }
    }

    /**
     * Where a record's first entry belongs.
     *
     * @param record its position
     * @return offset in the memory
     */
    public long firstEntry(long record) {
        return FileHead.BYTES + (record & capacity - 1) + RingRecord.HEAD_BYTES;
    }

    /**
     * Writes the head of an entry.
     *
     * @param at where it belongs: {@link #firstEntry}, or where the payload of the one before ends
     * @param cid of the chunk
     * @param sequence number of the change: the record's position, or an earlier {@link #now}
     * @param owner NID of the store whose chunk this is, 0 to 65,535
     * @param zone of the owner
     * @param kind of {@link io.teff.recovery.format.EntryKind}
     * @param length of the payload in bytes, at most that of a link of a chain, 1 MiB and 16
     * @return where the payload belongs
     */
    public long entry(long at, long cid, long sequence, int owner, int zone, int kind, int length) {
        assert length <= ChainLink.HEAD_BYTES + ChainLink.PIECE_BYTES : length;
        return writer.entry(at, cid, sequence, owner, zone, kind, length);
    }

    /**
     * Ends a record whose entries fill its room: it survives the process from now on.
     *
     * @param record its position
     * @param group whether its entries are one group
     */
    public void commit(long record, boolean group) {
        writer.commit(record, group);
    }

    /**
     * Ends a record that says nothing, whatever was written of it.
     *
     * @param record its position
     */
    public void abandon(long record) {
        writer.abandon(record);
    }

    /** {@return a number above those of all records that were claimed, and below those to come; no record has it} */
    public long now() {
        return tail() - 1;
    }

    /** The position behind all that was claimed. */
    long tail() {
        final long now = tail.get();
        if (now != NO_TAIL) {
            return now;
        }
        lock.lock();
        try {
            return lastTail;
        } finally {
            lock.unlock();
        }
    }

    // ---- draining ----

    /** The first position since it was opened. */
    long start() {
        return start;
    }

    /** Bytes of the ring. */
    long capacity() {
        return capacity;
    }

    /** For the drainer: what is committed. */
    RingScan scan() {
        return new RingScan(memory, salt, capacity);
    }

    /** The position before which everything is drained. */
    long drained() {
        return drained;
    }

    /** Whether the disk was full when the drainer has tried last. */
    boolean isFull() {
        return isFull;
    }

    /** Because of what nothing will be drained any more, or null. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** The drainer says that everything in front of a position is synced elsewhere; returns how many waited for it. */
    int drained(long position) {
        DrainedMark.write(memory, position, salt);
        lock.lock();
        try {
            drained = position;
            isFull = false;
            limit = limit == 0 ? 0 : position + capacity;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return waiters.wake(position);
    }

    /** The drainer says that the disk is full: who can do without room or a sync gives up, until it is moved again. */
    void full() {
        lock.lock();
        try {
            isFull = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        waiters.wake(Long.MAX_VALUE);
    }

    /**
     * Waits until everything in front of a position is synced elsewhere.
     *
     * @return false if the disk is full
     * @throws LogClosedException if that will never be, because the log has failed
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

    /** Whether somebody has begun to wait since the drainer has moved the limit last. */
    boolean hasNewWaiters() {
        return waiters.hasNew();
    }

    /** From now on nobody waits for a disk that is full: {@link #stop} comes when all have ended. */
    public void closing() {
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no more claims. What was claimed may still be committed.
     *
     * @param cause the failure because of which nothing will be drained any more, or null if it will be
     */
    void stop(@Nullable Throwable cause) {
        lock.lock();
        try {
            limit = 0;
            final long before = tail.getAndSet(NO_TAIL);
            lastTail = before == NO_TAIL ? lastTail : before;
            failure = failure == null ? cause : failure;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (cause != null) {
            waiters.wake(Long.MAX_VALUE);
        }
    }
}

package io.teff.cluster.slot;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.zone.RemoteHolder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one zone's chunks at the owner of the zone. Threads of clients hold these locks. Thread-safe.
 *
 * <p><b>Two places.</b> The engine holds each lock, by a {@link RemoteHolder}: so the engine admits or refuses every
 * operation on the chunk, inside of the chunk's stripe. This table knows the owner and the end of each lock, and keeps
 * the lock in the log: an entry beside the slots.
 *
 * <p><b>Order.</b> A lock is taken in the engine before the entry of the lock is written, and released after the
 * removal of the entry is. So the entries of any beginning of the log exclude each other as the locks did. The next
 * owner has such a beginning, and can take all of its locks.
 *
 * <p><b>Tokens.</b> A token is the number of the zone's last change when the lock was granted, with the epoch of this
 * owner. The entry of the lock is a change with a higher number, and the client learns of the lock when all backups
 * have the entry. So the next token is higher, also the token of another owner. If a power cut has taken back the
 * entry, the epoch of the next owner makes the difference.
 *
 * <p><b>Leases.</b> A lock ends if the client has not renewed the lock for the time of its lease, by this owner's
 * clock. A restored lock has a whole lease again: the clocks of two owners cannot be compared, and a lock must not end
 * too early.
 */
public final class LockTable {
    /** Most locks of a zone. */
    public static final int LOCKS_MAX = 1 << 16;

    private final SlotTable slots;
    private final IntPredicate hasEnded;
    /** By token. A lock is here until its removal is written. */
    private final Map<Long, ZoneLock> locks = new ConcurrentHashMap<>();
    /** The locks of each chunk that has some. Guarded by this; the lists are never changed. */
    private final Map<Long, List<ZoneLock>> ofChunk = new ConcurrentHashMap<>();
    /** Guarded by this. */
    private final Map<Long, LockQueue> queues = new HashMap<>();
    private long lastToken;
    private boolean isClosed;

    LockTable(SlotTable slots, IntPredicate hasEnded) {
        this.slots = slots;
        this.hasEnded = hasEnded;
    }

    /** {@return the number of locks} */
    public int size() {
        return locks.size();
    }

    // ---- tokens ----

    /**
     * Begins an operation of the holder of a lock.
     *
     * @param cid the chunk of the operation
     * @param token the token of the operation
     * @param nowNs now, by this owner's clock
     * @return the lock, which does not end before {@link ZoneLock#leave}; null if the token names no lock of this
     *     chunk, or a lock that is over
     */
    public @Nullable ZoneLock enter(long cid, long token, long nowNs) {
        final ZoneLock lock = locks.get(token);
        return lock != null && lock.cid() == cid && lock.enter(nowNs) ? lock : null;
    }

    /**
     * Begins the lease of a lock anew.
     *
     * @param cid the chunk
     * @param token of the lock
     * @param nowNs now
     * @return whether it is held
     */
    public boolean renew(long cid, long token, long nowNs) {
        final ZoneLock lock = locks.get(token);
        return lock != null && lock.cid() == cid && lock.renew(nowNs);
    }

    // ---- taking ----

    /**
     * A request for a lock: the client, and the wanted lock.
     *
     * @param cid the chunk
     * @param session the client's session
     * @param waiter the same number in all questions of one wait
     * @param isWrite whether it is the write lock
     * @param isWaiting whether the client will ask again
     * @param leaseNs the lease in nanoseconds
     */
    public record Wish(long cid, int session, long waiter, boolean isWrite, boolean isWaiting, long leaseNs) {}

    /**
     * Takes a lock.
     *
     * @param zone records the change
     * @param log records the ends of other locks
     * @param slot keeps the token as the result of the request
     * @param wish what is wanted
     * @param nowNs now
     * @return the token; or LOCKED, ABSENT or READ_ONLY
     * @throws StoreException if the journal accepts no changes now, or the zone has no room for another lock
     */
    public synchronized long lock(RecordedZone zone, SlotLog log, Slot slot, Wish wish, long nowNs) {
        checkOpen();
        final ChunkStore store = zone.of();
        endOver(store, log, wish.cid(), nowNs);
        final LockQueue queue = queues.get(wish.cid());
        if (queue != null && !queue.isFor(wish.waiter(), wish.isWrite(), nowNs)) {
            return refused(wish, nowNs);
        }
        if (locks.size() >= LOCKS_MAX) {
            throw new StoreException(Category.RETRY, "zone " + slots.zone() + " has " + LOCKS_MAX + " locks");
        }
        log.begin();
        slots.ensurePlace(slot, 0);
        final int place = slots.takePlace();
        final RemoteHolder holder = new RemoteHolder("session " + wish.session());
        boolean isTaken = false;
        try {
            final int status = take(store, holder, wish.cid(), wish.isWrite());
            if (status == Status.OK) {
                final ZoneLock lock = new ZoneLock(nextToken(log), wish.cid(), wish.session(), wish.isWrite(),
                    wish.leaseNs(), place, holder, nowNs);
                write(zone, slot, lock);
                add(lock);
                isTaken = true;
                forget(wish, queue, nowNs);
                return lock.token();
            }
            if (status == Status.LOCKED) {
                return refused(wish, nowNs);
            }
            forget(wish, queue, nowNs);
            return status;
        } finally {
            if (!isTaken) {
                release(store, holder, wish.cid());
                slots.freePlace(place);
            }
        }
    }

    private long refused(Wish wish, long nowNs) {
        final LockQueue queue = queues.get(wish.cid());
        if (!wish.isWaiting()) {
            forget(wish, queue, nowNs);
        } else {
            queues.computeIfAbsent(wish.cid(), _ -> new LockQueue()).asked(wish.waiter(), wish.isWrite(), nowNs);
        }
        return Status.LOCKED;
    }

    private void forget(Wish wish, @Nullable LockQueue queue, long nowNs) {
        if (queue != null) {
            queue.gone(wish.waiter());
            if (queue.isEmpty(nowNs)) {
                queues.remove(wish.cid());
            }
        }
    }

    private long nextToken(SlotLog log) {
        final long now = log.now(slots.zone());
        lastToken = Long.compareUnsigned(now, lastToken) > 0 ? now : lastToken + 1;
        return lastToken;
    }

    private static int take(ChunkStore store, RemoteHolder holder, long cid, boolean isWrite) {
        holder.act();
        try {
            return isWrite ? store.locks().lockWrite(cid, 0) : store.locks().lockRead(cid, 0);
        } finally {
            RemoteHolder.rest();
        }
    }

    /** Releases the lock of a holder in the engine, if any. */
    private static void release(ChunkStore store, RemoteHolder holder, long cid) {
        holder.act();
        try {
            store.locks().unlock(cid);
        } finally {
            RemoteHolder.rest();
            holder.end();
        }
    }

    /** Writes a lock; the slot keeps its token in the same record. */
    private void write(RecordedZone zone, Slot slot, ZoneLock lock) {
        zone.writer().one(slots, slot, SlotWriter.Result.TOKEN);
        write(zone.log(), lock);
    }

    private void write(SlotLog log, ZoneLock lock) {
        final MemorySegment content = MemorySegment.ofArray(new byte[SlotLayout.LOCK_BYTES]);
        SlotLayout.putHead(content, 0, lock.session(), lock.isWrite() ? 1 : 0, SlotLayout.LOCK, lock.token());
        SlotLayout.putResult(content, 0, 0, lock.cid());
        SlotLayout.putResult(content, 0, 1, lock.leaseNs());
        log.put(slots.zone(), SlotLayout.cid(slots.zone(), lock.place()), content, SlotLayout.LOCK_BYTES);
    }

    private void add(ZoneLock lock) {
        locks.put(lock.token(), lock);
        final List<ZoneLock> all = new ArrayList<>(ofChunk.getOrDefault(lock.cid(), List.of()));
        all.add(lock);
        ofChunk.put(lock.cid(), List.copyOf(all));
    }

    private void remove(ZoneLock lock) {
        locks.remove(lock.token());
        final List<ZoneLock> all = new ArrayList<>(ofChunk.getOrDefault(lock.cid(), List.of()));
        all.remove(lock);
        if (all.isEmpty()) {
            ofChunk.remove(lock.cid());
        } else {
            ofChunk.put(lock.cid(), List.copyOf(all));
        }
    }

    // ---- changing ----

    /**
     * Exchanges a read lock for the write lock, or the reverse. The new lock has a new token.
     *
     * @param zone records the change
     * @param slot keeps the token as the result of the request
     * @param wish the lock that is wanted
     * @param token of the lock that is held
     * @param nowNs now
     * @return the new token; or LOCKED, READ_ONLY, ABSENT, or NOT_HELD
     * @throws StoreException if the journal accepts no changes now
     */
    public synchronized long swap(RecordedZone zone, Slot slot, Wish wish, long token, long nowNs) {
        checkOpen();
        final ZoneLock held = find(wish.cid(), token, nowNs);
        if (held == null || held.isWrite() == wish.isWrite() || held.session() != wish.session()) {
            return Status.NOT_HELD;                             // a lock ends with the session of its client
        }
        zone.log().begin();
        slots.ensurePlace(slot, 0);
        if (!held.end()) {
            return Status.LOCKED;
        }
        boolean isSwapped = false;
        try {
            final int status = swap(zone.of(), held.holder(), wish);
            if (status != Status.OK) {
                return status == Status.LOCKED ? refused(wish, nowNs) : status;
            }
            final ZoneLock next = new ZoneLock(nextToken(zone.log()), held.cid(), held.session(), wish.isWrite(),
                wish.leaseNs(), held.place(), held.holder(), nowNs);
            write(zone, slot, next);
            remove(held);
            add(next);
            isSwapped = true;
            forget(wish, queues.get(wish.cid()), nowNs);
            return next.token();
        } finally {
            if (!isSwapped) {
                held.revive();
            }
        }
    }

    /** Returns the lock with a token if it is held now. */
    private @Nullable ZoneLock find(long cid, long token, long nowNs) {
        final ZoneLock lock = locks.get(token);
        return lock == null || lock.cid() != cid || lock.hasEnded() || lock.isOver(nowNs) ? null : lock;
    }

    private static int swap(ChunkStore store, RemoteHolder holder, Wish wish) {
        holder.act();
        try {
            return wish.isWrite() ? store.locks().swapToWrite(wish.cid(), 0) : store.locks().swapToRead(wish.cid());
        } finally {
            RemoteHolder.rest();
        }
    }

    // ---- ending ----

    /**
     * Releases a lock.
     *
     * @param zone records the change
     * @param slot keeps the result of the request
     * @param cid the chunk
     * @param token of the lock
     * @param nowNs now
     * @return OK, ABSENT, or NOT_HELD; LOCKED while an operation of the holder uses the lock
     * @throws StoreException if the journal accepts no changes now
     */
    public synchronized int unlock(RecordedZone zone, Slot slot, long cid, long token, long nowNs) {
        checkOpen();
        final ZoneLock lock = find(cid, token, nowNs);
        if (lock == null) {
            return zone.of().size(cid) == Status.ABSENT ? Status.ABSENT : Status.NOT_HELD;
        }
        zone.log().begin();
        slots.ensurePlace(slot, 0);
        if (!lock.end()) {
            return Status.LOCKED;
        }
        zone.writer().one(slots, slot, SlotWriter.Result.OK);
        finish(zone.of(), zone.log(), lock);
        return Status.OK;
    }

    /**
     * Ends the lock of a token if the lease or the session of the lock is over. Called before the client learns of the
     * end of the lock. If the lock were still in the log, the next owner would begin its lease anew, and accept the
     * token.
     *
     * @param store has the chunk
     * @param log of the peer
     * @param cid the chunk
     * @param token of the lock
     * @param nowNs now
     * @return whether the log has the end of the lock, or the lock is held; false while an operation of the holder uses
     *     the lock, or the journal accepts no changes
     */
    public synchronized boolean settle(ChunkStore store, SlotLog log, long cid, long token, long nowNs) {
        checkOpen();
        final ZoneLock lock = locks.get(token);
        return lock == null || lock.cid() != cid || !lock.hasEnded() && !isDue(lock, nowNs)
            || lock.end() && tryFinish(store, log, lock);
    }

    /** Writes the removal of an ended lock, and then releases the lock. */
    private void finish(ChunkStore store, SlotLog log, ZoneLock lock) {
        log.remove(slots.zone(), SlotLayout.cid(slots.zone(), lock.place()));
        remove(lock);
        slots.freePlace(lock.place());
        release(store, lock.holder(), lock.cid());
    }

    /**
     * Ends the locks of a removed chunk. Does nothing if the journal accepts no changes now, because the next {@link
     * #sweep} finds these locks.
     *
     * @param store had the chunk
     * @param log of the peer
     * @param cid the chunk
     * @param nowNs now
     */
    public void removed(ChunkStore store, SlotLog log, long cid, long nowNs) {
        if (ofChunk.containsKey(cid)) {
            synchronized (this) {
                if (!isClosed) {
                    ofChunk.getOrDefault(cid, List.of()).forEach(ZoneLock::end);
                    endOver(store, log, cid, nowNs);
                }
            }
        }
    }

    /**
     * Ends the locks of a chunk whose leases are over; called by an operation after the refusal by a lock.
     *
     * @param store has the chunk
     * @param log of the peer
     * @param cid the chunk
     * @param nowNs now
     */
    public void expire(ChunkStore store, SlotLog log, long cid, long nowNs) {
        if (ofChunk.containsKey(cid)) {
            synchronized (this) {
                if (!isClosed) {
                    endOver(store, log, cid, nowNs);
                }
            }
        }
    }

    private void endOver(ChunkStore store, SlotLog log, long cid, long nowNs) {
        for (ZoneLock lock : ofChunk.getOrDefault(cid, List.of())) {
            if ((lock.hasEnded() || isDue(lock, nowNs) && lock.end()) && !tryFinish(store, log, lock)) {
                return;
            }
        }
    }

    private boolean isDue(ZoneLock lock, long nowNs) {
        return lock.isOver(nowNs) || hasEnded.test(lock.session());
    }

    private boolean tryFinish(ChunkStore store, SlotLog log, ZoneLock lock) {
        try {
            log.begin();
            finish(store, log, lock);
            return true;
        } catch (StoreException e) {
            if (e.category() == Category.FATAL) {
                throw e;
            }
            return false;                                       // the lock has ended, and is removed later
        }
    }

    /**
     * Ends the locks whose leases are over, and the locks of ended sessions. Called now and then, by the owner of the
     * zone while it has its lease.
     *
     * @param store has the chunks
     * @param log of the peer
     * @param nowNs now
     * @return whether there is nothing left to be ended
     */
    public synchronized boolean sweep(ChunkStore store, SlotLog log, long nowNs) {
        boolean isDone = true;
        for (ZoneLock lock : List.copyOf(locks.values())) {
            if (!isClosed && (lock.hasEnded() || isDue(lock, nowNs) && lock.end())) {
                isDone &= tryFinish(store, log, lock);
            }
        }
        queues.values().removeIf(queue -> queue.isEmpty(nowNs));
        return isDone;
    }

    /** Ends the table with the zone: the holders keep nothing of a dropped zone. Idempotent. */
    public synchronized void close() {
        isClosed = true;
        locks.values().forEach(lock -> lock.holder().end());
    }

    private void checkOpen() {
        if (isClosed) {
            throw new StoreClosedException("of zone " + slots.zone());
        }
    }

    // ---- a zone that is restored ----

    /** Takes over an entry of a log; returns whether the entry can be a lock. */
    synchronized boolean restore(int place, MemorySegment from, long at, long length) {
        if (length != SlotLayout.LOCK_BYTES || SlotLayout.part(from, at) > 1) {
            return false;
        }
        final int session = SlotLayout.session(from, at);
        final long token = SlotLayout.ticket(from, at);
        lastToken = Long.compareUnsigned(token, lastToken) > 0 ? token : lastToken;
        final ZoneLock lock = new ZoneLock(token, SlotLayout.getLong(from, at + SlotLayout.HEAD_BYTES), session,
            SlotLayout.part(from, at) == 1, SlotLayout.getLong(from, at + SlotLayout.HEAD_BYTES + Long.BYTES), place,
            new RemoteHolder("session " + session), 0);
        add(lock);
        slots.isAt(place, () -> forget(lock));
        return true;
    }

    private synchronized void forget(ZoneLock lock) {
        remove(lock);
    }

    /**
     * Takes all restored locks in the engine, before any operation can reach the zone.
     *
     * @param store has the chunks
     */
    public synchronized void install(ChunkStore store) {
        slots.endRestoring();
        for (ZoneLock lock : locks.values()) {
            int status = take(store, lock.holder(), lock.cid(), lock.isWrite());
            if (status == Status.READ_ONLY) {                   // the holder has sealed the chunk, and reads since
                status = take(store, lock.holder(), lock.cid(), false);
            }
            assert status == Status.OK || status == Status.ABSENT : lock + " " + status;
            if (status != Status.OK) {
                lock.end();                                     // the chunk was removed; the next sweep writes the end
            }
        }
    }

    /**
     * Begins the leases of all locks, when the zone is served.
     *
     * @param nowNs now
     */
    public synchronized void begin(long nowNs) {
        locks.values().forEach(lock -> lock.begin(nowNs));
    }

    // ---- a new backup ----

    List<SlotTable.Entry> entries() {
        final List<SlotTable.Entry> entries = new ArrayList<>();
        locks.values().forEach(lock -> entries.add(log -> record(lock, log)));
        return entries;
    }

    private synchronized boolean record(ZoneLock lock, SlotLog log) {
        if (locks.get(lock.token()) == lock) {
            log.begin();
            write(log, lock);
        }
        return true;
    }
}

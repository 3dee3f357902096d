package io.teff.cluster.client;

import io.teff.cluster.LockLostException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.ClientNetwork;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationMessages;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.Status;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The locks held by threads of a client. One thread renews the leases at the owners, three times in each lease. The
 * renewing thread is started with the first lock. A lock of an ended thread is not renewed, so the lock ends with the
 * lease. Thread-safe.
 */
final class HeldLocks {
    /** Renewals in a lease. */
    private static final int RENEWALS = 3;

    private final ClientNetwork network;
    private final TableKeeper tables;
    private final Clock clock;
    private final Threads threads;
    private final long leaseNs;
    private final Map<Key, Hold> holds = new ConcurrentHashMap<>();
    private @Nullable Thread thread;
    private volatile boolean isClosed;

    private record Key(Thread thread, long cid) {}

    /** A lock held by a thread. Changed by the holder; fields changed by the renewing thread are volatile. */
    static final class Hold {
        final Thread thread;
        final long cid;
        volatile long token;
        volatile boolean isWrite;
        /**
         * Read locks of the thread, used by this thread only. While the thread holds the write lock, the swapped read
         * lock is not counted.
         */
        int reads;
        private volatile boolean isLost;
        private volatile long untilNs;
        /** Number of begun and ended exchanges of the lock: odd while an exchange is under way. */
        private final AtomicInteger exchanges = new AtomicInteger();

        Hold(Thread thread, long cid) {
            this.thread = thread;
            this.cid = cid;
        }

        boolean isLost() {
            return isLost;
        }

        /**
         * Returns whether no exchange has been under way since a count of exchanges was read. During an exchange the
         * owner may have a token unknown to this client, so the owner may refuse the token of a renewal.
         */
        private boolean hasSameToken(int count) {
            return count % 2 == 0 && count == exchanges.get();
        }

        /** The lease ends at a time, unless a different renewal has set a later time. */
        private synchronized void renewed(long atNs) {
            final long known = untilNs;
            untilNs = atNs - known > 0 ? atNs : known;
        }

        LockLostException lost() {
            return new LockLostException("the lock of chunk " + Cid.toString(cid) + " is lost: its owner has not heard "
                + "of this client for the lease of the lock, or the session of the client has ended");
        }
    }

    HeldLocks(ClientNetwork network, TableKeeper tables, Platform platform, long leaseNs) {
        this.network = network;
        this.tables = tables;
        clock = platform.clock();
        threads = platform.threads();
        this.leaseNs = leaseNs;
    }

    long leaseNs() {
        return leaseNs;
    }

    // ---- of the calling thread ----

    /** Returns the calling thread's lock of a chunk, or null. */
    @Nullable Hold find(long cid) {
        return holds.isEmpty() ? null : holds.get(new Key(Thread.currentThread(), cid));
    }

    /**
     * Returns the token presented by an operation of the calling thread; 0 without a lock of the chunk.
     *
     * @throws LockLostException if the thread has lost its lock
     */
    long token(long cid) {
        final Hold hold = find(cid);
        if (hold == null) {
            return 0;
        }
        if (hold.isLost) {
            throw hold.lost();
        }
        return hold.token;
    }

    /** Returns whether the calling thread holds a lock of a chunk, as far as this client knows. */
    boolean isHeld(long cid, boolean isWrite) {
        final Hold hold = find(cid);
        return hold != null && !hold.isLost && hold.untilNs - clock.nowNs() > 0
            && (isWrite ? hold.isWrite : !hold.isWrite);
    }

    /** Notes a lock taken by the calling thread with a request sent at a time. */
    Hold taken(long cid, long token, boolean isWrite, long sentNs) {
        final Hold hold = new Hold(Thread.currentThread(), cid);
        hold.token = token;
        hold.isWrite = isWrite;
        hold.reads = isWrite ? 0 : 1;
        hold.untilNs = sentNs + leaseNs;
        holds.put(new Key(hold.thread, cid), hold);
        startRenewing();
        return hold;
    }

    /** Notes that the calling thread asks the owner for an exchange of the lock; {@link #endSwap} follows. */
    void beginSwap(Hold hold) {
        hold.exchanges.incrementAndGet();
    }

    /** Notes the new lock of the calling thread. */
    void swapped(Hold hold, long token, boolean isWrite, long sentNs) {
        hold.token = token;
        hold.isWrite = isWrite;
        hold.renewed(sentNs + leaseNs);
    }

    /** Notes the end of an exchange, with a known outcome or with an outcome that stays unknown. */
    void endSwap(Hold hold) {
        hold.exchanges.incrementAndGet();
    }

    /** Notes that the calling thread has lost its lock. */
    LockLostException lost(long cid) {
        final Hold hold = find(cid);
        if (hold == null) {
            return new Hold(Thread.currentThread(), cid).lost();
        }
        hold.isLost = true;
        return hold.lost();
    }

    /** Forgets the lock of the calling thread; the lock is no longer renewed. */
    void forget(long cid) {
        holds.remove(new Key(Thread.currentThread(), cid));
    }

    /** Notes that the calling thread has sealed a chunk: the write lock has become a read lock. */
    void sealed(long cid) {
        final Hold hold = find(cid);
        if (hold != null && hold.isWrite) {
            hold.isWrite = false;
            hold.reads = hold.reads + 1;
        }
    }

    // ---- renewing ----

    private synchronized void startRenewing() {
        if (thread == null && !isClosed) {
            thread = threads.create("teff-client-locks", this::run);
            thread.start();
        }
    }

    private void run() {
        while (!isClosed) {
            final long startNs = clock.nowNs();
            for (Hold hold : holds.values()) {
                if (!hold.isLost && hold.thread.isAlive()) {
                    renew(hold);
                }
            }
            final long untilNs = startNs + leaseNs / RENEWALS;
            for (long left = untilNs - clock.nowNs(); left > 0 && !isClosed; left = untilNs - clock.nowNs()) {
                clock.park(this, left);
            }
        }
    }

    private void renew(Hold hold) {
        final NodeRef owner = tables.owner(Cid.nid(hold.cid));
        if (owner == null) {
            tables.want();
            return;                                             // the new owner grants a whole lease
        }
        final long sentNs = clock.nowNs();
        final int exchanges = hold.exchanges.get();
        final long token = hold.token;
        final RequestBytes request = RequestBytes.own()
            .begin(OperationType.RENEW_LOCK, WriteLevel.OWNER, 0, 0, 0, hold.cid).putLong(token);
        try {
            var _ = OperationMessages.request(network.now(), owner.nid(), false, false, request, leaseNs)
                .thenAccept(bytes -> renewed(hold, exchanges, token, sentNs, bytes));
        } catch (NetworkException _) {
            tables.want();
        }
    }

    private void renewed(Hold hold, int exchanges, long token, long sentNs, byte[] bytes) {
        final OperationAnswer answer;
        try {
            answer = OperationAnswer.read(bytes, OperationType.RENEW_LOCK, 0);
        } catch (MalformedException _) {
            return;
        }
        if (answer.code() != OperationFormat.DONE) {
            tables.want();                                      // the zone may have a new owner
        } else if (answer.result() != Status.OK) {
            hold.isLost |= hold.hasSameToken(exchanges);        // otherwise the next renewal decides
        } else if (token == hold.token) {
            hold.renewed(sentNs + leaseNs);
        }
    }

    /** Ends renewing. Idempotent. */
    void close() {
        isClosed = true;
        final Thread running = thread();
        if (running != null) {
            LockSupport.unpark(running);
        }
    }

    /** Waits for the end of the thread, after the network is closed: the thread may wait for room to send. */
    void join() {
        final Thread running = thread();
        if (running != null) {
            Threads.join(running);
        }
    }

    private synchronized @Nullable Thread thread() {
        return thread;
    }
}

package io.teff.cluster.slot;

import io.teff.engine.zone.RemoteHolder;

/**
 * A lock of a chunk at the owner of the zone, granted to a single thread of a client. The <b>token</b> of the lock is a
 * number. Tokens rise with each lock of the zone, across all owners. Thread-safe.
 * <pre>
 *   HELD --- released; or lease or session over, and no operation uses the lock ---> ENDED
 * </pre>
 * An operation with the token uses the lock until the end of its execution. So the lock does not end, and no other lock
 * is granted, between the check of the token and the change.
 */
public final class ZoneLock {
    private final long token;
    private final long cid;
    private final int session;
    private final boolean isWrite;
    private final long leaseNs;
    private final int place;
    private final RemoteHolder holder;
    private int uses;
    private boolean hasEnded;
    private long untilNs;

    ZoneLock(long token, long cid, int session, boolean isWrite, long leaseNs, int place, RemoteHolder holder,
             long nowNs) {
        this.token = token;
        this.cid = cid;
        this.session = session;
        this.isWrite = isWrite;
        this.leaseNs = leaseNs;
        this.place = place;
        this.holder = holder;
        untilNs = nowNs + leaseNs;
    }

    // ---- what never changes ----

    /** {@return the token} */
    public long token() {
        return token;
    }

    /** {@return the chunk} */
    public long cid() {
        return cid;
    }

    /** {@return the session of the client that holds it} */
    public int session() {
        return session;
    }

    /** {@return whether it is the write lock} */
    public boolean isWrite() {
        return isWrite;
    }

    long leaseNs() {
        return leaseNs;
    }

    int place() {
        return place;
    }

    RemoteHolder holder() {
        return holder;
    }

    // ---- use ----

    /** Begins to use the lock; false if the lock has ended, or the lease is over. */
    synchronized boolean enter(long nowNs) {
        if (hasEnded || isOver(nowNs)) {
            return false;
        }
        uses++;
        return true;
    }

    /** Lets the calling thread act for the holder; after {@link LockTable#enter}. */
    public void act() {
        holder.act();
    }

    /** Ends the use, and lets the calling thread act for itself again. */
    public void leave() {
        RemoteHolder.rest();
        synchronized (this) {
            assert uses > 0 : this;
            uses--;
        }
    }

    /** Begins the lease anew; false if the lock has ended, or the lease is over. */
    synchronized boolean renew(long nowNs) {
        if (hasEnded || isOver(nowNs)) {
            return false;
        }
        untilNs = nowNs + leaseNs;
        return true;
    }

    /** Begins the lease of a lock that was restored. */
    synchronized void begin(long nowNs) {
        untilNs = nowNs + leaseNs;
    }

    synchronized boolean isOver(long nowNs) {
        return nowNs - untilNs >= 0;
    }

    synchronized boolean hasEnded() {
        return hasEnded;
    }

    /** Ends the lock; false if an operation uses the lock. */
    synchronized boolean end() {
        if (uses > 0) {
            return false;
        }
        hasEnded = true;
        return true;
    }

    /** Takes an end back, because the end was not written. */
    synchronized void revive() {
        hasEnded = false;
    }

    /** {@return token, chunk and session, for people} */
    @Override
    public String toString() {
        return (isWrite ? "write" : "read") + " lock " + token + " of session " + session;
    }
}

package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.engine.Cid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of clients of a simulated cluster, in true time, judged by the promises. A lock is <b>certainly held</b>
 * from the moment at which the client learns of the lock. The time ends when the client gives the lock up, the lease
 * may be over, the session of the client ends, or a power cut may have taken the lock back.
 *
 * <p>Checked: of two locks of a chunk that are certainly held at one moment, both are read locks; nothing else is done
 * with a chunk while a lock that excludes it is certainly held; tokens of a zone rise; a token with which nothing more
 * can be done is refused; a lock that is certainly held is not refused.
 */
final class LockHistory {
    /** The part of a lease that is over at no owner: clocks differ by less than a per cent. */
    private static final double LEASE_PART = 0.99;
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Hold> holds = new ArrayList<>();
    private final Map<Long, List<Use>> uses = new TreeMap<>();
    private final List<Refusal> refusals = new ArrayList<>();
    private final Map<Integer, Long> sessionEnds = new HashMap<>();
    private final List<Rollback> rollbacks = new ArrayList<>();
    private long swaps;

    /** A lock that was granted. */
    static final class Hold {
        final long cid;
        final boolean isWrite;
        final long token;
        private final int session;
        private final WriteLevel level;
        private final String who;
        private final long calledNs;
        private final long returnedNs;
        private final long leaseNs;
        private final List<Piece> pieces = new ArrayList<>();
        private long fromNs;
        private long validUntilNs;
        /** From now on its token is refused. */
        private long goneNs = NEVER;

        private Hold(long cid, boolean isWrite, long token, int session, WriteLevel level, String who, long calledNs,
                     long sentNs, long nowNs, long leaseNs) {
            this.cid = cid;
            this.isWrite = isWrite;
            this.token = token;
            this.session = session;
            this.level = level;
            this.who = who;
            this.calledNs = calledNs;
            this.returnedNs = nowNs;
            this.leaseNs = leaseNs;
            fromNs = nowNs;
            validUntilNs = sentNs + (long) (leaseNs * LEASE_PART);
        }

        /**
         * Its lease has begun anew, not before a time. One that was over may not have been ended by its owner, and has
         * a lease again at the next one; in between it was not certainly held.
         */
        void renewed(long sentNs, long nowNs) {
            if (isOver()) {
                return;
            }
            if (nowNs > validUntilNs) {
                pieces.add(new Piece(fromNs, Math.max(fromNs, validUntilNs)));
                fromNs = nowNs;
            }
            validUntilNs = Math.max(validUntilNs, sentNs + (long) (leaseNs * LEASE_PART));
        }

        /** Its client gives it up: from now on it may be held, or not. */
        void ends(long nowNs) {
            if (fromNs != NEVER) {
                pieces.add(new Piece(fromNs, nowNs));
                fromNs = NEVER;
            }
        }

        /** Its client has not given it up after all. */
        void goesOn(long nowNs) {
            fromNs = nowNs;
        }

        /** It has certainly ended. */
        void gone(long nowNs) {
            ends(nowNs);
            goneNs = Math.min(goneNs, nowNs);
        }

        boolean isOver() {
            return fromNs == NEVER;
        }

        @Override
        public String toString() {
            return (isWrite ? "write" : "read") + " lock " + Long.toUnsignedString(token) + " of " + Cid.toString(cid)
                + ", " + who + ", " + level + ", " + returnedNs + " .. " + validUntilNs;
        }
    }

    /** A time in which a lock was certainly held. */
    private record Piece(long fromNs, long untilNs) {
        boolean overlaps(Piece other) {
            return fromNs < other.untilNs && other.fromNs < untilNs;
        }
    }

    /** Something that was done with a chunk. */
    private record Use(@Nullable Hold by, long calledNs, long returnedNs, boolean isChange, String who) {}

    /** An answer that a lock is not held. */
    private record Refusal(Hold hold, long returnedNs) {}

    /** A zone was served again with what was left by a power cut. */
    private record Rollback(int zone, long fromNs, long untilNs) {}

    // ---- recording ----

    Hold granted(long cid, boolean isWrite, long token, int session, WriteLevel level, String who, long calledNs,
                 long sentNs, long nowNs, long leaseNs) {
        Hold hold = new Hold(cid, isWrite, token, session, level, who, calledNs, sentNs, nowNs, leaseNs);
        holds.add(hold);
        return hold;
    }

    /** A lock was exchanged for another one. */
    void swapped(Hold before, long nowNs) {
        swaps++;
        before.gone(nowNs);
    }

    /** An operation on a chunk was done, by the holder of a lock or by somebody else. */
    void used(long cid, @Nullable Hold by, long calledNs, long returnedNs, boolean isChange, String who) {
        uses.computeIfAbsent(cid, _ -> new ArrayList<>()).add(new Use(by, calledNs, returnedNs, isChange, who));
    }

    /** The owner has said that a lock is not held. */
    void refused(Hold hold, long nowNs) {
        refusals.add(new Refusal(hold, nowNs));
        hold.gone(nowNs);
    }

    void sessionEnded(int session, long nowNs) {
        sessionEnds.putIfAbsent(session, nowNs);
    }

    void rolledBack(int zone, long fromNs, long untilNs) {
        rollbacks.add(new Rollback(zone, fromNs, untilNs));
    }

    int size() {
        return holds.size();
    }

    int refused() {
        return refusals.size();
    }

    long swaps() {
        return swaps;
    }

    // ---- checking ----

    /** Throws an {@link AssertionError} if a promise was broken. */
    void check() {
        holds.forEach(hold -> hold.ends(NEVER - 1));
        checkTokens();
        Map<Long, List<Hold>> byCid = new TreeMap<>();
        holds.forEach(hold -> byCid.computeIfAbsent(hold.cid, _ -> new ArrayList<>()).add(hold));
        byCid.forEach(this::checkChunk);
        refusals.forEach(this::checkRefusal);
    }

    private static void fail(String what) {
        throw new AssertionError(what);
    }

    /** Of two locks of a zone, one granted before the other was asked for, the second has a higher token. */
    private void checkTokens() {
        Map<Integer, List<Hold>> byZone = new TreeMap<>();
        holds.forEach(hold -> byZone.computeIfAbsent(Cid.nid(hold.cid), _ -> new ArrayList<>()).add(hold));
        byZone.values().forEach(all -> {
            List<Hold> calls = new ArrayList<>(all);
            List<Hold> returns = new ArrayList<>(all);
            calls.sort(Comparator.comparingLong(hold -> hold.calledNs));
            returns.sort(Comparator.comparingLong(hold -> hold.returnedNs));
            Hold highest = null;
            int returned = 0;
            for (Hold hold : calls) {
                for (; returned < returns.size() && returns.get(returned).returnedNs < hold.calledNs; returned++) {
                    Hold next = returns.get(returned);
                    highest = highest == null || Long.compareUnsigned(next.token, highest.token) > 0 ? next : highest;
                }
                if (highest != null && Long.compareUnsigned(hold.token, highest.token) <= 0) {
                    fail("a token does not rise: " + hold + " after " + highest);
                }
            }
        });
    }

    private void checkChunk(long cid, List<Hold> all) {
        for (int i = 0; i < all.size(); i++) {
            for (int k = 0; k < i; k++) {
                checkApart(all.get(i), all.get(k));
            }
            for (Use use : uses.getOrDefault(cid, List.of())) {
                checkUse(all.get(i), use);
            }
        }
        for (Use use : uses.getOrDefault(cid, List.of())) {
            if (use.by != null && use.by.cid == cid) {
                checkToken(use, use.by, all);
            }
        }
    }

    private void checkApart(Hold one, Hold other) {
        if (one.isWrite || other.isWrite) {
            for (Piece piece : certain(one)) {
                if (certain(other).stream().anyMatch(piece::overlaps)) {
                    fail("two locks are held at one time: " + one + " and " + other);
                }
            }
        }
    }

    /** Nothing that a lock excludes is done while it is certainly held. */
    private void checkUse(Hold hold, Use use) {
        boolean isExcluded = use.by != hold && (hold.isWrite || use.isChange);
        if (isExcluded && certain(hold).stream().anyMatch(piece -> piece.fromNs < use.calledNs
            && use.returnedNs < piece.untilNs)) {
            fail("a lock has excluded nothing: " + use.who + " at " + use.calledNs + " .. " + use.returnedNs
                + " beside " + hold);
        }
    }

    /** The token of a lock is refused as soon as its client, or that of a later lock, can know that it has ended. */
    private void checkToken(Use use, Hold by, List<Hold> all) {
        long endNs = by.goneNs;
        for (Hold later : all) {
            if (later != by && (later.isWrite || by.isWrite) && Long.compareUnsigned(later.token, by.token) > 0) {
                endNs = Math.min(endNs, later.returnedNs);
            }
        }
        if (endNs < use.calledNs && rollback(Cid.nid(by.cid), by.calledNs, use.returnedNs) == NEVER) {
            fail("an old token was accepted: " + use.who + " at " + use.calledNs + " .. " + use.returnedNs + ", " + by
                + ", which had ended at " + endNs);
        }
    }

    private void checkRefusal(Refusal refusal) {
        Hold hold = refusal.hold;
        if (certain(hold).stream().anyMatch(piece -> piece.fromNs <= refusal.returnedNs
            && refusal.returnedNs <= piece.untilNs && refusal.returnedNs < certainUntil(hold))) {
            fail("a lock has ended before its lease: " + hold + " at " + refusal.returnedNs);
        }
    }

    private List<Piece> certain(Hold hold) {
        long untilNs = certainUntil(hold);
        return hold.pieces.stream().filter(piece -> piece.fromNs < untilNs)
            .map(piece -> new Piece(piece.fromNs, Math.min(piece.untilNs, untilNs))).toList();
    }

    /** Returns until when a lock is held unless its client gives it up. */
    private long certainUntil(Hold hold) {
        long lostNs = hold.level == WriteLevel.BACKED_SYNCED ? NEVER
            : rollback(Cid.nid(hold.cid), hold.calledNs, NEVER);
        return Math.min(Math.min(hold.validUntilNs, sessionEnds.getOrDefault(hold.session, NEVER)), lostNs);
    }

    /** Returns when what was left by a power cut has replaced a zone first in a time, or {@link #NEVER}. */
    private long rollback(int zone, long fromNs, long untilNs) {
        return rollbacks.stream().filter(it -> it.zone == zone && it.untilNs >= fromNs && it.fromNs <= untilNs)
            .mapToLong(Rollback::fromNs).min().orElse(NEVER);
    }
}

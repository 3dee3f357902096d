package io.teff.cluster.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Locks at an owner, against a model of their holders. Method: every sequence of a few actions of two clients with
 * one chunk, and long random ones of three. Each beginning of the log is looked at: its locks must exclude each other.
 */
class LockTableTest {
    private static final int ZONE = 7;
    private static final int CLIENTS = 3;
    private static final int FEW_CLIENTS = 2;
    private static final int DEPTH = Form.size(3, 4);
    private static final int RANDOM_RUNS = Form.size(100, 400, 400);
    private static final int RANDOM_STEPS = 60;
    private static final long LEASE_NS = 100;
    private static final byte[] EMPTY = {};

    /** What a client does; or, the last ones, what happens. */
    private enum Action {
        LOCK_WRITE, LOCK_READ, UNLOCK, SWAP, PUT, RENEW, STRANGER_PUT, HALF_LEASE, FAIL_OVER, END_SESSION
    }

    /** A lock that the owner has granted to a client. */
    private record Held(int client, long token, boolean isWrite, long untilNs) {}

    private final Store store = Store.open(StoreConfig.builder().name("locks").nid(ZONE).memoryLimitBytes(32L << 20)
        .build());
    private final LockJournal journal = new LockJournal(ZONE, this::checkLog);
    private final SlotLog log = new SlotLog(journal);
    private final Set<Integer> ended = new HashSet<>();
    private SlotTable table = new SlotTable(ZONE, ended::contains);
    private long cid;
    private long nowNs;
    private long sequence;
    private long highest;
    private final List<Held> held = new ArrayList<>();
    /** The token that each client believes to hold, or 0. */
    private final long[] tokens = new long[CLIENTS];
    private final int[] sessions = new int[CLIENTS];
    private int nextSession;

    @BeforeEach
    void begin() {
        cid = store.create(8);
        nowNs = -150;
        sequence = 0;
        highest = 0;
        held.clear();
        ended.clear();
        Arrays.fill(tokens, 0);
        nextSession = 1;
        for (int i = 0; i < CLIENTS; i++) {
            sessions[i] = nextSession++;
        }
        journal.clear();
        table = new SlotTable(ZONE, ended::contains);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Each beginning of the log is what the next owner may have: all of its locks can be taken. */
    private void checkLog(Map<Long, byte[]> contents) {
        int writers = 0;
        int readers = 0;
        for (byte[] content : contents.values()) {
            MemorySegment memory = MemorySegment.ofArray(content);
            if (SlotLayout.kind(memory, 0) == SlotLayout.LOCK) {
                writers += SlotLayout.part(memory, 0);
                readers += 1 - SlotLayout.part(memory, 0);
            }
        }
        assertTrue(writers == 0 || writers == 1 && readers == 0, writers + " writers and " + readers + " readers");
    }

    // ---- the model ----

    /** Returns the lock that a client believes to hold. It may have another one, which it holds to be over. */
    private Held of(int client) {
        return held.stream().filter(it -> it.token == tokens[client]).findFirst().orElse(null);
    }

    private boolean isOver(Held lock) {
        return nowNs - lock.untilNs >= 0 || ended.contains(sessions[lock.client]);
    }

    private void expire() {
        held.removeIf(this::isOver);
    }

    private Slot slot(int client) {
        Slot slot = table.enter(sessions[client], Ticket.of(++sequence, client));
        assertTrue(slot != SlotTable.ENDED && slot != SlotTable.IN_USE);
        return slot;
    }

    private LockTable.Wish wish(int client, boolean isWrite) {
        return new LockTable.Wish(cid, sessions[client], sequence, isWrite, false, LEASE_NS);
    }

    // ---- the actions ----

    private void act(Action action, int client) {
        switch (action) {
            case LOCK_WRITE, LOCK_READ -> lock(client, action == Action.LOCK_WRITE);
            case UNLOCK -> unlock(client);
            case SWAP -> swap(client);
            case PUT -> put(client);
            case RENEW -> renew(client);
            case STRANGER_PUT -> putByStranger();
            case HALF_LEASE -> nowNs += LEASE_NS / 2;
            case FAIL_OVER -> failOver();
            case END_SESSION -> endSession(client);
        }
    }

    private void lock(int client, boolean isWrite) {
        if (tokens[client] != 0) {
            return;                                             // the client itself refuses that
        }
        Slot slot = slot(client);
        long result = table.locks().lock(journal.recorded(store), log, slot, wish(client, isWrite), nowNs);
        slot.leave();
        expire();
        boolean isFree = held.isEmpty() || !isWrite && held.stream().noneMatch(Held::isWrite);
        if (isFree) {
            taken(client, result, isWrite, slot);
        } else {
            assertEquals(Status.LOCKED, result);
            assertFalse(slot.isDone(), "the client asks again with the same ticket");
        }
    }

    private void taken(int client, long token, boolean isWrite, Slot slot) {
        assertFalse(Status.isStatus(token), () -> Status.name(token));
        assertTrue(Long.compareUnsigned(token, highest) > 0, token + " after " + highest);
        assertTrue(slot.isDone() && slot.result() == token, "a repetition has the same token");
        highest = token;
        tokens[client] = token;
        held.add(new Held(client, token, isWrite, nowNs + LEASE_NS));
    }

    private void unlock(int client) {
        if (tokens[client] == 0) {
            return;
        }
        Slot slot = slot(client);
        int result = table.locks().unlock(journal.recorded(store), slot, cid, tokens[client], nowNs);
        slot.leave();
        Held lock = of(client);
        boolean isHeld = lock != null && lock.token == tokens[client] && nowNs - lock.untilNs < 0;
        assertEquals(isHeld ? Status.OK : Status.NOT_HELD, result);
        assertEquals(isHeld, slot.isDone());
        if (isHeld) {
            held.remove(lock);
        }
        tokens[client] = 0;
    }

    private void swap(int client) {
        Held lock = of(client);
        if (tokens[client] == 0 || lock == null) {
            return;
        }
        Slot slot = slot(client);
        long result = table.locks().swap(journal.recorded(store), slot, wish(client, !lock.isWrite), tokens[client],
            nowNs);
        slot.leave();
        if (nowNs - lock.untilNs >= 0) {
            assertEquals(Status.NOT_HELD, result);
        } else if (!lock.isWrite && held.size() > 1) {
            assertEquals(Status.LOCKED, result);
        } else {
            held.remove(lock);
            taken(client, result, !lock.isWrite, slot);
        }
    }

    /** A client writes under the lock that it believes to hold: the owner refuses every token but that of a lock. */
    private void put(int client) {
        if (tokens[client] == 0) {
            return;
        }
        Held lock = of(client);
        boolean isHeld = lock != null && lock.token == tokens[client] && nowNs - lock.untilNs < 0;
        ZoneLock used = table.locks().enter(cid, tokens[client], nowNs);
        assertEquals(isHeld, used != null, () -> "token " + tokens[client] + " of " + lock);
        assertNull(table.locks().enter(cid + 1, tokens[client], nowNs), "a token is for its chunk");
        if (used != null) {
            used.act();
            int result = store.fields().putLong(cid, 0, client);
            used.leave();
            assertEquals(held.size() == 1 ? Status.OK : Status.LOCKED, result);
        }
    }

    private void renew(int client) {
        if (tokens[client] != 0) {
            Held lock = of(client);
            boolean isHeld = lock != null && lock.token == tokens[client] && nowNs - lock.untilNs < 0;
            assertEquals(isHeld, table.locks().renew(cid, tokens[client], nowNs));
            if (isHeld) {
                held.remove(lock);
                held.add(new Held(client, lock.token, lock.isWrite, nowNs + LEASE_NS));
            }
        }
    }

    private void putByStranger() {
        int result = store.put(cid, new byte[8]);
        assertEquals(held.isEmpty() ? Status.OK : Status.LOCKED, result);
        if (result == Status.LOCKED) {
            table.locks().expire(store, log, cid, nowNs);
            expire();
        }
    }

    /** The next owner has the log only, and its own clock. */
    private void failOver() {
        table.locks().close();
        store.locks().releaseEnded(cid);
        table = new SlotTable(ZONE, ended::contains);
        if (nowNs / LEASE_NS % 2 == 0) {
            journal.restore(table);
        } else {
            journal.contents().forEach((place, content) ->
                table.restore(place, MemorySegment.ofArray(content), 0, content.length));
        }
        table.locks().install(store);
        nowNs += 1_000_000;
        table.locks().begin(nowNs);
        List<Held> restored = held.stream().map(lock -> new Held(lock.client, lock.token, lock.isWrite,
            nowNs + LEASE_NS)).toList();
        held.clear();
        held.addAll(restored);
        assertEquals(held.size(), table.locks().size());
    }

    private void endSession(int client) {
        ended.add(sessions[client]);
        assertTrue(table.locks().sweep(store, log, nowNs));
        expire();
        assertEquals(held.size(), table.locks().size());
        tokens[client] = 0;
        sessions[client] = nextSession++;
    }

    private void end() {
        nowNs += 2 * LEASE_NS;
        assertTrue(table.locks().sweep(store, log, nowNs));
        assertEquals(0, table.locks().size());
        assertTrue(store.locks().list().isEmpty(), () -> store.locks().list().toString());
        assertEquals(8, store.remove(cid));
    }

    // ---- tests ----

    private void act(int choice, int clients) {
        act(Action.values()[choice / clients], choice % clients);
    }

    @Test
    void locks_inEverySequenceOfFewActions_areThoseOfTheModel() {
        int choices = Action.values().length * FEW_CLIENTS;
        int sequences = (int) Math.pow(choices, DEPTH);
        for (int i = 0; i < sequences; i++) {
            begin();
            int rest = i;
            for (int step = 0; step < DEPTH; step++) {
                act(rest % choices, FEW_CLIENTS);
                rest /= choices;
            }
            end();
        }
    }

    @Test
    void locks_inLongRandomRuns_areThoseOfTheModel() {
        long seed = Seed.first();
        for (int run = 0; run < RANDOM_RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            begin();
            try {
                for (int step = 0; step < RANDOM_STEPS; step++) {
                    act(random.nextInt(Action.values().length * CLIENTS), CLIENTS);
                }
                end();
            } catch (AssertionError e) {
                throw new AssertionError(Seed.reproduce(getClass(), seed + run), e);
            }
        }
    }

    /** The next owner would begin its lease anew. */
    @Test
    void lock_whoseTokenIsRefused_isNotInTheLogAnyMore() {
        lock(0, true);
        assertTrue(table.locks().settle(store, log, cid, tokens[0], nowNs), "it is held, and stays");
        nowNs += 2 * LEASE_NS;
        assertTrue(table.locks().settle(store, log, cid + 1, tokens[0], nowNs), "there is no such lock");
        failOver();
        assertEquals(1, table.locks().size());
        nowNs += 2 * LEASE_NS;
        assertNull(table.locks().enter(cid, tokens[0], nowNs));
        assertTrue(table.locks().settle(store, log, cid, tokens[0], nowNs));
        held.clear();
        failOver();
        assertEquals(0, table.locks().size());
        assertNull(table.locks().enter(cid, tokens[0], nowNs));
    }

    @Test
    void swap_inAnotherSession_isRefused_asTheLockEndsWithItsOwn() {
        lock(0, false);
        long before = tokens[0];
        ended.add(sessions[0]);
        sessions[0] = nextSession++;
        Slot slot = slot(0);
        assertEquals(Status.NOT_HELD, table.locks().swap(journal.recorded(store), slot, wish(0, true), before, nowNs));
        slot.leave();
        assertTrue(table.locks().settle(store, log, cid, before, nowNs));
        assertEquals(0, table.locks().size());
    }

    @Test
    void lock_thatAnOperationUses_doesNotEnd() {
        lock(0, true);
        ZoneLock used = table.locks().enter(cid, tokens[0], nowNs);
        assertNotNull(used);
        nowNs += 2 * LEASE_NS;
        Slot slot = slot(1);
        assertEquals(Status.LOCKED, table.locks().lock(journal.recorded(store), log, slot, wish(1, true), nowNs));
        assertFalse(table.locks().settle(store, log, cid, tokens[0], nowNs));
        used.act();
        assertEquals(Status.OK, store.put(cid, EMPTY));
        used.leave();
        assertNull(table.locks().enter(cid, tokens[0], nowNs), "the lease is over");
        assertFalse(Status.isStatus(table.locks().lock(journal.recorded(store), log, slot, wish(1, true), nowNs)));
        slot.leave();
    }

    @Test
    void lock_ofAChunkThatWasRemoved_isGone_alsoFromTheLog() {
        lock(0, true);
        ZoneLock used = table.locks().enter(cid, tokens[0], nowNs);
        assertNotNull(used);
        used.act();
        assertEquals(8, store.remove(cid));
        used.leave();
        table.locks().removed(store, log, cid, nowNs);
        assertEquals(0, table.locks().size());
        table = new SlotTable(ZONE, ended::contains);
        journal.contents().forEach((place, content) ->
            table.restore(place, MemorySegment.ofArray(content), 0, content.length));
        assertEquals(0, table.locks().size());
        assertEquals(1, table.all().size(), "the slot of the request");
    }

    @Test
    void lock_whoseChunkWasRemovedWithoutItsEntry_isDroppedByTheNextOwner() {
        lock(0, true);
        table.locks().close();
        store.locks().releaseEnded(cid);
        assertEquals(8, store.remove(cid));
        table = new SlotTable(ZONE, ended::contains);
        journal.contents().forEach((place, content) ->
            table.restore(place, MemorySegment.ofArray(content), 0, content.length));
        table.locks().install(store);
        table.locks().begin(nowNs);
        assertNull(table.locks().enter(cid, tokens[0], nowNs));
        assertTrue(table.locks().sweep(store, log, nowNs));
        assertEquals(0, table.locks().size());
    }

    @Test
    void lock_whoseHolderHasSealedTheChunk_isARealReadLockAtTheNextOwner() {
        lock(0, true);
        ZoneLock used = table.locks().enter(cid, tokens[0], nowNs);
        assertNotNull(used);
        used.act();
        assertEquals(Status.OK, store.seal(cid));
        used.leave();
        failOver();
        assertEquals(Status.LOCKED, store.remove(cid));
        unlock(0);
        assertEquals(8, store.remove(cid));
    }

    @Test
    void slotsAndLocks_areRecordedOnceMore_forANewBackup() {
        lock(0, false);
        lock(1, false);
        Map<Long, byte[]> before = Map.copyOf(journal.contents());
        journal.clear();
        table.entries().forEach(entry -> assertTrue(entry.record(log)));
        assertEquals(before.keySet(), journal.contents().keySet());
        before.forEach((place, content) -> assertTrue(Arrays.equals(content, journal.contents().get(place))));
        assertTrue(Cid.nid(before.keySet().iterator().next()) == ZONE);
    }

    // ---- who waits ----

    private long ask(LockQueue queue, long waiter, boolean isWrite, boolean isFree) {
        if (queue.isFor(waiter, isWrite, nowNs) && isFree) {
            queue.gone(waiter);
            return waiter;
        }
        queue.asked(waiter, isWrite, nowNs);
        return 0;
    }

    @Test
    void queue_givesTheLockInTheOrderOfArrival_andPassesOverThoseWhoHaveGone() {
        LockQueue queue = new LockQueue();
        assertEquals(0, ask(queue, 1, true, false));
        assertEquals(0, ask(queue, 2, false, false));
        assertEquals(0, ask(queue, 3, false, false));
        assertEquals(0, ask(queue, 4, true, false));
        assertEquals(0, ask(queue, 2, false, true), "a writer is before it");
        assertEquals(0, ask(queue, 9, true, true), "one that has just come");
        assertEquals(1, ask(queue, 1, true, true));
        assertEquals(3, ask(queue, 3, false, true), "readers go together");
        assertEquals(0, ask(queue, 5, false, true), "but none passes a writer");
        assertEquals(2, ask(queue, 2, false, true));
        nowNs += LockQueue.PATIENCE_NS;
        assertEquals(0, ask(queue, 5, false, true), "the writer may still ask");
        nowNs++;
        assertEquals(5, ask(queue, 5, false, true), "it has gone");
        assertTrue(queue.isEmpty(nowNs));
        queue.asked(6, false, nowNs);
        assertFalse(queue.isEmpty(nowNs + LockQueue.PATIENCE_NS));
        assertTrue(queue.isEmpty(nowNs + LockQueue.PATIENCE_NS + 1));
    }

    @Test
    void queue_hasABound() {
        LockQueue queue = new LockQueue();
        for (int i = 0; i < LockQueue.WAITERS_MAX; i++) {
            queue.asked(i, true, nowNs);
        }
        queue.asked(-1, true, nowNs);
        for (int i = 0; i < LockQueue.WAITERS_MAX; i++) {
            queue.gone(i);
        }
        assertTrue(queue.isEmpty(nowNs));
    }
}

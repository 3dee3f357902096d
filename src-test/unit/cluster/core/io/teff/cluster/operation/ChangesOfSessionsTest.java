package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.cluster.slot.Ticket;
import io.teff.cluster.slot.ZoneLock;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of sessions at an owner whose slots know something already, or that refuses them. */
class ChangesOfSessionsTest {
    private static final int ZONE = 5;
    private static final int SESSION = 9;

    private final Store store = Store.open(StoreConfig.builder().nid(ZONE).memoryLimitBytes(64L << 20).build());
    private final SlotTable slots = new SlotTable(ZONE, session -> session != SESSION);
    private final long place = Cid.of(ZONE, 0);
    private @Nullable SlotTable served = slots;
    private boolean isServing = true;
    /** What happens to a change of the log, and of the store. */
    private Runnable journal = () -> { };

    private final class Host extends StoreHost {
        @Override
        public @Nullable ChunkStore serving(int zone) {
            return zone == ZONE && isServing ? failing(store) : null;
        }

        @Override
        public SlotLog slotLog() {
            journal.run();
            return super.slotLog();
        }

        @Override
        public @Nullable SlotTable slots(int zone) {
            return served;
        }

        @Override
        public @Nullable ZoneRow row(int zone) {
            return null;
        }

        @Override
        public void afterRead(int zone, long cid, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Returns a store whose changes by {@code put} meet what the journal does. */
    private ChunkStore failing(Store of) {
        return (ChunkStore) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ChunkStore.class},
            (_, method, values) -> {
                if (method.getName().equals("put")) {
                    journal.run();
                }
                return method.invoke(of, values);
            });
    }

    private void failJournal(boolean isEnd) {
        journal = () -> {
            isServing = !isEnd;
            throw new StoreException(StoreException.Category.FATAL, "the log has failed");
        };
    }

    private OperationAnswer execute(int session, long ticket, OperationType type, int width, int length, long cid,
                                    long... values) {
        return execute(type, OperationCalls.change(type, WriteLevel.BACKED, width, length, cid, session, ticket,
            values));
    }

    private OperationAnswer execute(OperationType type, byte[] request) {
        byte[][] answer = new byte[1][];
        OperationCalls.execute(new Host(), request, bytes -> answer[0] = bytes);
        assertNotNull(answer[0], "answered at once");
        return OperationAnswer.read(answer[0], type, 0);
    }

    private OperationAnswer execute(long ticket, OperationType type, int width, int length, long cid, long... values) {
        return execute(SESSION, ticket, type, width, length, cid, values);
    }

    /** An owner has reserved some CIDs of a range, and has failed. */
    private void reserve(long ticket, long... cids) {
        Slot slot = slots.enter(SESSION, ticket);
        MemorySegment memory = MemorySegment.ofArray(new long[32]);
        SlotWriter writer = new SlotWriter();
        writer.range(slots, slot);
        for (long cid : cids) {
            writer.write(memory, cid, 0, 0);
        }
        slot.leave();
    }

    /** A caller that does not wait for locks of others sends the release of its own one as a last attempt. */
    @Test
    void unlock_ofALockInUse_isDoneWhenItIsSentAgain() {
        long cid = store.create(new byte[1]);
        long token = execute(Ticket.of(1, 0), OperationType.LOCK, 0, 0, cid, OperationFormat.WRITE_LOCK,
            OperationFormat.LEASE_NS_MAX).result();
        ZoneLock used = slots.locks().enter(cid, token, Clock.SYSTEM.nowNs());
        assertNotNull(used);
        byte[] unlock = OperationCalls.givingUp(OperationCalls.change(OperationType.UNLOCK, WriteLevel.BACKED, 0, 0,
            cid, SESSION, Ticket.of(2, 0), token));
        assertEquals(OperationFormat.BUSY, execute(OperationType.UNLOCK, unlock).code());
        used.leave();
        assertEquals(OperationFormat.DONE, execute(OperationType.UNLOCK, unlock).code());
        assertEquals(0, slots.locks().size());
        assertEquals(Status.OK, store.put(cid, new byte[1]));
    }

    /** A peer whose log fails stops to serve, and then its changes fail: the next owner does them. */
    @ParameterizedTest
    @EnumSource(names = {"PUT", "LOCK", "BATCH_PUT"})
    void change_atAPeerThatEnds_isDeposed_andAtOneThatServes_isRefused(OperationType type) {
        long cid = store.create(new byte[Long.BYTES]);
        failJournal(true);
        assertEquals(OperationFormat.DEPOSED, codeOf(type, cid));
        isServing = true;
        failJournal(false);
        assertEquals(OperationFormat.REFUSED, codeOf(type, cid));
    }

    private int codeOf(OperationType type, long cid) {
        if (type == OperationType.BATCH_PUT) {
            byte[][] answer = new byte[1][];
            byte[] batch = OperationCalls.batch(type, 0, 0, new long[] {cid}, 1, SESSION, Ticket.of(1, 0));
            OperationCalls.execute(new Host(), batch, bytes -> answer[0] = bytes);
            return BatchAnswer.read(answer[0], 1, type).code(0);
        }
        return type == OperationType.PUT ? execute(Ticket.of(1, 0), type, 0, Long.BYTES, cid, 7).code()
            : execute(Ticket.of(1, 0), type, 0, 0, cid, OperationFormat.WRITE_LOCK, OperationFormat.LEASE_NS_MAX)
                .code();
    }

    @Test
    void reservation_ofWhichAPartIsLeft_isMadeAnew_andThePartIsGivenBack() {
        long first = store.ids().reserve();
        long second = store.ids().reserve();
        reserve(Ticket.of(1, 0), first, second);
        long next = execute(Ticket.of(1, 0), OperationType.RESERVE, 0, 3, place).result();
        assertTrue(next > 0 && next != first, Cid.toString(next));
        for (int i = 0; i < 3; i++) {
            assertEquals(Status.OK, store.ids().createAt(next + i, new byte[1]), "entry " + i);
        }
        assertEquals(Status.ABSENT, store.ids().unreserve(first));
        assertEquals(Status.ABSENT, store.ids().unreserve(second));
        assertEquals(next, execute(Ticket.of(1, 0), OperationType.RESERVE, 0, 3, place).result());
    }

    @Test
    void reservation_thatIsLeftAsAWhole_isKnown() {
        long first = store.ids().reserve();
        reserve(Ticket.of(1, 0), first);
        assertEquals(first, execute(Ticket.of(1, 0), OperationType.RESERVE, 0, 1, place).result());
        assertEquals(Status.OK, store.ids().unreserve(first));
    }

    @Test
    void change_ofASessionThatHasEnded_orOfAnEarlierTicket_isNotExecuted() {
        long cid = store.create(8);
        assertEquals(OperationFormat.EXPIRED,
            execute(SESSION + 1, Ticket.of(1, 0), OperationType.PUT_FIELD, 8, 0, cid, 0, 1).code());
        assertEquals(OperationFormat.DONE,
            execute(Ticket.of(2, 0), OperationType.PUT_FIELD, 8, 0, cid, 0, 2).code());
        assertEquals(OperationFormat.EXPIRED,
            execute(Ticket.of(1, 0), OperationType.PUT_FIELD, 8, 0, cid, 0, 1).code());
        assertEquals(2, store.fields().getLong(cid, 0, -1));
    }

    @Test
    void change_whoseSlotIsInUse_isBusy_andWithoutSlotsTheZoneIsNotHere() {
        long cid = store.create(8);
        Slot slot = slots.enter(SESSION, Ticket.of(1, 0));
        assertEquals(OperationFormat.BUSY,
            execute(Ticket.of(1, 0), OperationType.PUT_FIELD, 8, 0, cid, 0, 1).code());
        slot.leave();
        served = null;
        assertEquals(OperationFormat.NOT_HERE,
            execute(Ticket.of(1, 0), OperationType.PUT_FIELD, 8, 0, cid, 0, 1).code());
        assertEquals(0, store.fields().getLong(cid, 0, -1));
    }

    @Test
    void changes_thatAreImpossible_areNotExecutedLater() {
        long absent = store.ids().reserve();
        long cid = store.create(8);
        assertEquals(Status.ABSENT, execute(Ticket.of(1, 0), OperationType.PUT, 0, 8, absent, 1).result());
        assertEquals(OperationFormat.OUTSIDE, execute(Ticket.of(1, 1), OperationType.ADD, 8, 0, cid, 4, 1).code());
        assertEquals(OperationFormat.ABSENT, execute(Ticket.of(1, 2), OperationType.ADD, 8, 0, absent, 0, 1).code());
        assertEquals(0, execute(Ticket.of(1, 3), OperationType.COMPARE_AND_SET, 8, 0, cid, 0, 7, 8).result());
        store.ids().createAt(absent, new byte[8]);
        store.resize(cid, 16);
        store.fields().putLong(cid, 0, 7);
        assertEquals(Status.ABSENT, execute(Ticket.of(1, 0), OperationType.PUT, 0, 8, absent, 1).result());
        assertEquals(OperationFormat.OUTSIDE, execute(Ticket.of(1, 1), OperationType.ADD, 8, 0, cid, 4, 1).code());
        assertEquals(OperationFormat.ABSENT, execute(Ticket.of(1, 2), OperationType.ADD, 8, 0, absent, 0, 1).code());
        assertEquals(0, execute(Ticket.of(1, 3), OperationType.COMPARE_AND_SET, 8, 0, cid, 0, 7, 8).result());
        assertEquals(7, store.fields().getLong(cid, 0, -1));
        assertEquals(0, store.fields().getLong(absent, 0, -1));
    }

    @Test
    void consecutiveCreates_ofWhichAPartIsLeft_areNotContinued() {
        Slot slot = slots.enter(SESSION, Ticket.of(1, 0));
        slot.results(4);
        SlotWriter writer = new SlotWriter();
        writer.creates(slots, slot, 4);
        writer.write(MemorySegment.ofArray(new long[128]), 700, 0, 0);
        slot.leave();
        byte[] request = OperationCalls.batch(OperationType.BATCH_CREATE, OperationFormat.CONSECUTIVE, place, null, 4,
            SESSION, Ticket.of(1, 0));
        byte[][] answer = new byte[1][];
        OperationCalls.execute(new Host(), request, bytes -> answer[0] = bytes);
        long[] expected = new long[4];
        Arrays.fill(expected, OperationFormat.NOT_DONE);
        expected[0] = 700;
        assertEquals(Arrays.toString(expected),
            Arrays.toString(OperationCalls.results(answer[0], 4, OperationType.BATCH_CREATE)));
        assertEquals(0, store.stats().chunks());
    }

    @Test
    void requests_withAnotherNumberOfTickets_areRefused() {
        byte[] good = OperationCalls.batch(OperationType.BATCH_REMOVE, 0, 0, new long[] {Cid.of(ZONE, 1)}, 1, SESSION,
            Ticket.of(1, 0));
        byte[] two = OperationCalls.batch(OperationType.BATCH_REMOVE, 0, 0,
            new long[] {Cid.of(ZONE, 1), Cid.of(ZONE + 1, 1)}, 2, SESSION, Ticket.of(1, 0));
        OperationRequest.read(MemorySegment.ofArray(good), 0, good.length);
        for (byte[] bad : new byte[][] {two, zeroed(good, 16, 4), zeroed(good, 20, 4), zeroed(good, 24, 8)}) {
            String why = "";
            try {
                OperationRequest.read(MemorySegment.ofArray(bad), 0, bad.length);
            } catch (RuntimeException e) {
                why = e.toString();
            }
            assertTrue(why.contains("Malformed"), why);
        }
    }

    private static byte[] zeroed(byte[] bytes, int from, int count) {
        byte[] copy = bytes.clone();
        Arrays.fill(copy, from, from + count, (byte) 0);
        return copy;
    }
}

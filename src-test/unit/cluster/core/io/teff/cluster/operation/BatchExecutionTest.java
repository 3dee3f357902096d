package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the answer of a batch of several zones leaves: a test gives the verdict of each zone. */
class BatchExecutionTest {
    private static final int ELSEWHERE = 9;

    private final Map<Integer, Store> stores = Map.of(5, open(5), 6, open(6));
    private final Map<Integer, SlotTable> tables = Map.of(5, new SlotTable(5, _ -> false),
        6, new SlotTable(6, _ -> false));
    private final List<Asked> asked = new ArrayList<>();
    private final OperationService service = new OperationService(new Host());
    private byte @Nullable [] answer;

    /** A question for a verdict, and whether all chunks of the batch had the new content when it was asked. */
    private record Asked(String what, boolean isAllDone, Consumer<ZoneHost.Verdict> then) {}

    private final class Host extends StoreHost {
        @Override
        public @Nullable Store serving(int zone) {
            return stores.get(zone);
        }

        @Override
        public @Nullable SlotTable slots(int zone) {
            return tables.get(zone);
        }

        @Override
        public @Nullable ZoneRow row(int zone) {
            return null;
        }

        @Override
        public void afterRead(int zone, long cid, Consumer<Verdict> then) {
            ask("read " + zone, then);
        }

        @Override
        public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
            ask(count + " reads " + zone, then);
        }

        @Override
        public void afterReadOfAll(int zone, Consumer<Verdict> then) {
            then.accept(Verdict.SERVED);
        }

        @Override
        public void afterOwnerRead(int zone, Consumer<Verdict> then) {
            ask("read at the owner of " + zone, then);
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            ask("change " + zone, then);
        }

        private void ask(String what, Consumer<Verdict> then) {
            asked.add(new Asked(what, first() == 2 && third() == 2, then));
        }
    }

    private final long one = create(5);
    private final long two = create(5);
    private final long three = create(6);

    private static Store open(int zone) {
        return Store.open(StoreConfig.builder().nid(zone).memoryLimitBytes(64L << 20).build());
    }

    private long create(int zone) {
        return stores.get(zone).create(new byte[] {1});
    }

    private int first() {
        return stores.get(5).fields().getByte(one, 0, (byte) 0);
    }

    private int third() {
        return stores.get(6).fields().getByte(three, 0, (byte) 0);
    }

    @AfterEach
    void close() {
        stores.values().forEach(Store::close);
    }

    private void execute(OperationType type, long... cids) {
        execute(type, WriteLevel.BACKED, cids);
    }

    private void execute(OperationType type, WriteLevel level, long... cids) {
        RequestBytes bytes = RequestBytes.own().begin(type, level, 0, 0, cids.length,
            type == OperationType.BATCH_GET ? 100 : 0);
        for (long cid : cids) {
            bytes.putLong(cid);
        }
        for (int i = 0; type == OperationType.BATCH_PUT && i < cids.length; i++) {
            bytes.putInt(1);
        }
        if (type == OperationType.BATCH_PUT) {
            byte[] contents = new byte[cids.length];
            Arrays.fill(contents, (byte) 2);
            bytes.putBytes(contents, 0, cids.length);
        }
        service.execute(bytes.memory(), 0, bytes.length(), false, new OneAnswer());
    }

    private final class OneAnswer implements Reply {
        @Override
        public void answer(MemorySegment memory, int length) {
            assertNull(answer, "answered once");
            answer = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        }

        @Override
        public void fail(String why) {
            throw new AssertionError(why);
        }
    }

    private BatchAnswer answer(OperationType type, int entries) {
        assertNotNull(answer, "the answer has left");
        return BatchAnswer.read(answer, entries, type);
    }

    private List<String> questions() {
        return asked.stream().map(Asked::what).toList();
    }

    @Test
    void puts_ofSeveralZones_areAllMade_beforeTheHostIsAsked_andAnsweredAfterTheLastVerdict() {
        execute(OperationType.BATCH_PUT, one, two, three);
        assertEquals(List.of("change 5", "change 6"), questions());
        assertEquals(List.of(true, true), asked.stream().map(Asked::isAllDone).toList());
        asked.get(1).then().accept(ZoneHost.Verdict.SERVED);
        assertNull(answer, "zone 5 is not acknowledged yet");
        asked.get(0).then().accept(ZoneHost.Verdict.SERVED);
        BatchAnswer batch = answer(OperationType.BATCH_PUT, 3);
        assertEquals(2, batch.sections());
        assertEquals(OperationFormat.DONE, batch.code(0));
        assertEquals(OperationFormat.DONE, batch.code(1));
    }

    @Test
    void puts_ofAZoneThatWasLost_areDeposed_andTheOthersAreNot() {
        execute(OperationType.BATCH_PUT, one, three, two);
        assertEquals(List.of("change 5", "change 6", "change 5"), questions());
        asked.get(0).then().accept(ZoneHost.Verdict.SERVED);
        asked.get(1).then().accept(ZoneHost.Verdict.DEPOSED);
        assertNull(answer);
        asked.get(2).then().accept(ZoneHost.Verdict.SERVED);
        BatchAnswer batch = answer(OperationType.BATCH_PUT, 3);
        assertArrayEquals(new int[] {OperationFormat.DONE, OperationFormat.DEPOSED, OperationFormat.DONE},
            new int[] {batch.code(0), batch.code(1), batch.code(2)});
    }

    @Test
    void puts_ofAChunkThatIsNotThere_waitForItsRemoval_andOthersForTheirChange() {
        stores.get(5).remove(two);
        execute(OperationType.BATCH_PUT, one, two, (long) ELSEWHERE << 48 | 1);
        assertEquals(List.of("read 5", "change 5"), questions());
        asked.get(1).then().accept(ZoneHost.Verdict.SERVED);
        assertNull(answer);
        asked.get(0).then().accept(ZoneHost.Verdict.SERVED);
        BatchAnswer batch = answer(OperationType.BATCH_PUT, 3);
        assertEquals(Status.OK, batch.result(0));
        assertEquals(Status.ABSENT, batch.result(1));
        assertEquals(OperationFormat.NOT_DONE, batch.result(2));
        assertEquals(OperationFormat.NOT_HERE, batch.code(1));
    }

    @Test
    void gets_ofSeveralZones_askOnceForEach_andAreAnsweredAfterTheLastVerdict() {
        execute(OperationType.BATCH_GET, one, two, (long) ELSEWHERE << 48 | 1, three);
        assertEquals(List.of("2 reads 5", "1 reads 6"), questions());
        asked.get(0).then().accept(ZoneHost.Verdict.SERVED);
        assertNull(answer);
        asked.get(1).then().accept(ZoneHost.Verdict.SERVED);
        BatchAnswer batch = answer(OperationType.BATCH_GET, 4);
        assertEquals(3, batch.sections());
        assertEquals(1, batch.result(0));
        assertEquals(1, batch.result(3));
    }

    @Test
    void gets_atOwner_askForTheLeaseOnly() {
        execute(OperationType.BATCH_GET, WriteLevel.OWNER, one, two, (long) ELSEWHERE << 48 | 1, three);
        assertEquals(List.of("read at the owner of 5", "read at the owner of 6"), questions());
        asked.forEach(each -> each.then().accept(ZoneHost.Verdict.SERVED));
        assertEquals(1, answer(OperationType.BATCH_GET, 4).result(3));
    }

    @Test
    void creates_areOneSection_thatAsksOnce() {
        RequestBytes bytes = RequestBytes.own().begin(OperationType.BATCH_CREATE, WriteLevel.BACKED,
            OperationFormat.ZEROS | OperationFormat.UNIFORM, 0, 3, 6L << 48).putInt(4);
        service.execute(bytes.memory(), 0, bytes.length(), false, new OneAnswer());
        assertEquals(List.of("change 6"), questions());
        assertNull(answer);
        asked.getFirst().then().accept(ZoneHost.Verdict.SERVED);
        assertEquals(1, answer(OperationType.BATCH_CREATE, 3).sections());
    }
}

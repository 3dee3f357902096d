package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers to reads that wait for acknowledgements: what they keep has a bound. */
class HeldAnswerTest {
    private static final int ZONE = 5;
    private static final int BYTES = 1 << 20;
    /** As many answers with a chunk as are kept. */
    private static final int KEPT = (int) (HeldBytes.BYTES_MAX / (BYTES + OperationFormat.HEAD_BYTES));
    private static final int READS = KEPT + 7;

    private final Store store = Store.open(StoreConfig.builder().nid(ZONE).memoryLimitBytes(64L << 20).build());
    private final long cid = store.create(new byte[BYTES]);
    private final List<Consumer<ZoneHost.Verdict>> verdicts = new ArrayList<>();
    private final List<byte[]> answers = new ArrayList<>();
    private final HeldBytes bytesHeld = new HeldBytes();
    private final OperationService service = new OperationService(new StoreHost() {
        @Override
        public Store serving(int zone) {
            return store;
        }

        @Override
        public @Nullable SlotTable slots(int zone) {
            return null;
        }

        @Override
        public @Nullable ZoneRow row(int zone) {
            return null;
        }

        @Override
        public void afterRead(int zone, long of, Consumer<Verdict> then) {
            verdicts.add(then);
        }

        @Override
        public void afterReads(int zone, long[] cids, int from, int count, Consumer<Verdict> then) {
            verdicts.add(then);
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            verdicts.add(then);
        }
    }, bytesHeld);

    @AfterEach
    void close() {
        store.close();
    }

    private void execute(RequestBytes bytes) {
        service.execute(bytes.memory(), 0, bytes.length(), true, new Reply() {
            @Override
            public void answer(MemorySegment memory, int length) {
                answers.add(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }

            @Override
            public void fail(String why) {
                throw new AssertionError(why);
            }
        });
    }

    private void get() {
        execute(RequestBytes.own().begin(OperationType.GET, WriteLevel.BACKED, 0, 0, BYTES, cid));
    }

    private void batchGet() {
        execute(RequestBytes.own().begin(OperationType.BATCH_GET, WriteLevel.BACKED, 0, 0, 2, BYTES).putLong(cid)
            .putLong(cid + (1L << 48)));
    }

    /** More than there is can be held only by an answer that is alone. */
    private boolean isNothingHeld() {
        int bytes = (int) HeldBytes.BYTES_MAX + 1;
        boolean isAlone = bytesHeld.take(bytes);
        if (isAlone) {
            bytesHeld.give(bytes);
        }
        return isAlone;
    }

    private void letGo(ZoneHost.Verdict verdict) {
        List<Consumer<ZoneHost.Verdict>> all = List.copyOf(verdicts);
        verdicts.clear();
        all.forEach(next -> next.accept(verdict));
    }

    private static OperationAnswer read(byte[] answer) {
        return OperationAnswer.read(answer, OperationType.GET, BYTES);
    }

    @Test
    void reads_thatWaitForAcknowledgements_haveABound_andOthersAreBusy() {
        IntStream.range(0, READS).forEach(_ -> get());
        assertEquals(READS - KEPT, answers.size(), "the others have been answered");
        answers.forEach(answer -> assertEquals(OperationFormat.BUSY, read(answer).code()));
        assertFalse(isNothingHeld());
        assertEquals(READS, verdicts.size());
        answers.clear();
        letGo(ZoneHost.Verdict.SERVED);
        assertEquals(KEPT, answers.size(), "each is answered once");
        answers.forEach(answer -> assertEquals(BYTES, read(answer).contentLength()));
        assertTrue(isNothingHeld());
        get();
        assertEquals(KEPT, answers.size(), "there is room again");
        letGo(ZoneHost.Verdict.DEPOSED);
        assertEquals(OperationFormat.DEPOSED, read(answers.getLast()).code());
        assertTrue(isNothingHeld());
    }

    @Test
    void batchesOfReads_haveTheSameBound_andAreBusyAsAWhole() {
        IntStream.range(0, KEPT).forEach(_ -> get());
        batchGet();
        BatchAnswer busy = BatchAnswer.read(answers.getLast(), 2, OperationType.BATCH_GET);
        assertEquals(2, busy.sections());
        for (int i = 0; i < 2; i++) {
            assertEquals(OperationFormat.BUSY, busy.code(i));
            assertEquals(OperationFormat.NOT_DONE, busy.result(i));
        }
        letGo(ZoneHost.Verdict.SERVED);
        answers.clear();
        batchGet();
        assertEquals(0, answers.size(), "it waits now");
        assertFalse(isNothingHeld());
        letGo(ZoneHost.Verdict.SERVED);
        assertEquals(BYTES, BatchAnswer.read(answers.getLast(), 2, OperationType.BATCH_GET).result(0));
        assertTrue(isNothingHeld());
    }

    @Test
    void longestAnswer_isKept_ifNoOtherIs() {
        HeldBytes held = new HeldBytes();
        assertTrue(held.take(Integer.MAX_VALUE));
        assertTrue(!held.take(1));
        held.give(Integer.MAX_VALUE);
        assertTrue(held.take(1));
    }
}

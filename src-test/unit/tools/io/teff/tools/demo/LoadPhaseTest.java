package io.teff.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.tools.load.LoadFailure;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("modes")
final class LoadPhaseTest {
    private final Store store = Store.open(StoreConfig.builder().name("load").memoryLimitBytes(256 << 20).build());

    @AfterEach
    void auditAndClose() {
        store.audit();
        store.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 16, 128", "10, 4, 16, 16", "30001, 2, 16, 128", "20000, 5, 100, 5000", "3, 2, 70000, 200000"})
    void run_anyPlan_leavesExactlyItsChunks(int count, int threads, int minSize, int maxSize) throws Exception {
        LoadPlan plan = new LoadPlan(count, threads, minSize, maxSize, 42);
        DemoReport.Load load = new LoadPhase(store, plan).run(true);
        assertEquals(count, store.stats().chunks());
        assertEquals(store.stats().payloadBytes(), load.footprint().payloadBytes());
        long creates = load.perOperation().get(0).count();
        long removes = load.perOperation().get(3).count();
        assertEquals(count, creates - removes);
    }

    @Test
    void run_twiceWithOneThreadAndSeed_doesTheSame() throws Exception {
        LoadPlan plan = new LoadPlan(5_000, 1, 16, 128, 9);
        DemoReport.Load first = new LoadPhase(store, plan).run(false);
        try (Store other = Store.open(StoreConfig.builder().name("other").memoryLimitBytes(256 << 20).build())) {
            DemoReport.Load second = new LoadPhase(other, plan).run(false);
            assertEquals(first.operations(), second.operations());
            assertEquals(first.footprint().payloadBytes(), second.footprint().payloadBytes());
        }
    }

    @Test
    void sweep_foreignChangeOfAByte_failsAndNamesTheByte() {
        LoadWorker worker = loaded();
        long cid = store.ids().cursor().next();
        byte right = store.fields().getByte(cid, 13, (byte) 0);
        store.fields().putByte(cid, 13, (byte) (right ^ 1));
        LoadFailure failure = assertThrows(LoadFailure.class, worker::sweep);
        assertTrue(failure.toString().contains(": byte 13 of ") && failure.toString().contains("--seed=3"),
            failure::toString);
    }

    @Test
    void sweep_foreignRemoval_failsWithAbsent() {
        LoadWorker worker = loaded();
        store.remove(store.ids().cursor().next());
        LoadFailure failure = assertThrows(LoadFailure.class, worker::sweep);
        assertTrue(failure.toString().contains(Status.name(Status.ABSENT)), failure::toString);
    }

    @Test
    void run_foreignChunk_isFoundByTheCounts() {
        store.create(24);
        LoadPhase phase = new LoadPhase(store, new LoadPlan(100, 2, 16, 128, 3));
        LoadFailure failure = assertThrows(LoadFailure.class, () -> phase.run(false));
        assertTrue(failure.toString().contains("counts 101 chunks"), failure::toString);
    }

    @Test
    void run_tooSmallStore_failsWithAdvice() {
        try (Store small = Store.open(StoreConfig.builder().name("small").memoryLimitBytes(8 << 20).build())) {
            LoadPhase phase = new LoadPhase(small, new LoadPlan(1_000_000, 3, 16, 128, 3));
            LoadFailure failure = assertThrows(LoadFailure.class, () -> phase.run(false));
            assertTrue(failure.toString().contains("--memory"), failure::toString);
            small.audit();
        }
    }

    @Test
    void quota_ofAllThreads_isTheCount() {
        LoadPlan plan = new LoadPlan(11, 4, 16, 128, 0);
        assertEquals(3 + 3 + 3 + 2, plan.quota(0) + plan.quota(1) + plan.quota(2) + plan.quota(3));
        assertEquals(2, plan.quota(3));
    }

    private LoadWorker loaded() {
        LoadWorker[] workers = new LoadWorker[1];
        LoadWorker worker = new LoadWorker(store, new LoadPlan(1_000, 1, 16, 128, 3), 0, workers, new AtomicBoolean());
        workers[0] = worker;
        worker.load();
        return worker;
    }
}

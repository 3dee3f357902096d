package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: the engine does not misuse its memory, and the debug levels would detect it.
 *
 * <p>Method: four threads make, resize and remove under canaries, filling and quarantine, then nothing may be left; and
 * each {@link Fault} is planted, and must be detected, at each level that can detect it. {@link GuardPagesTest} has
 * level 3.
 */
@Tag("modes")
@Tag("heavy")
@Tag("plain")
final class MemorySafetyTest {
    private static final int THREADS = 4;
    /** Creates, resizes and removes; {@code -Dteff.safety.operations} sets another number. */
    private static final long OPERATIONS = Form.size("teff.safety.operations", 3_000_000L, 10_000_000L, 50_000_000L);
    private static final int KEYS_PER_THREAD = 2000;
    private static final int FAULT_BYTES = 50;

    @Test
    void manyChanges_fromFourThreads_leaveNothing() throws InterruptedException {
        long seed = Seed.first();
        StoreConfig config = Stores.small().memoryLimitBytes(256 << 20).debugLevel(DebugLevel.QUARANTINE).build();
        try (Store store = Store.open(config)) {
            Threads.runAll(THREADS, number -> change(store, Seed.random(seed + number), OPERATIONS / THREADS));
            assertEquals(0, store.audit().chunks());
            assertEquals(0, store.stats().takenBytes());
            assertEquals(0, store.stats().payloadBytes());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(MemorySafetyTest.class, seed), e);
        }
    }

    /** Small lengths mostly, as the store is made for; ends with no chunk of its own. */
    private static void change(Store store, SplittableRandom random, long operations) {
        long[] cids = new long[KEYS_PER_THREAD];
        Arrays.fill(cids, Cid.NONE);
        byte[] content = new byte[20_000];
        for (long i = 0; i < operations; i++) {
            int key = random.nextInt(KEYS_PER_THREAD);
            int length = random.nextInt(1000) == 0 ? random.nextInt(content.length) : random.nextInt(128);
            if (cids[key] == Cid.NONE) {
                cids[key] = store.create(content, 0, length);
                assertTrue(!Status.isStatus(cids[key]), "FULL");
            } else if (random.nextBoolean()) {
                assertTrue(store.remove(cids[key]) >= 0);
                cids[key] = Cid.NONE;
            } else {
                assertEquals(Status.OK, store.resize(cids[key], length));
            }
        }
        for (long cid : cids) {
            assertTrue(cid == Cid.NONE || store.remove(cid) >= 0);
        }
    }

    static Stream<Arguments> faultsByLevel() {
        return Stream.of(DebugLevel.CANARIES, DebugLevel.QUARANTINE).flatMap(level ->
            Stream.of(Fault.values()).filter(fault -> fault.isForLevel(level)).map(fault ->
                Arguments.of(fault, level)));
    }

    @ParameterizedTest
    @MethodSource("faultsByLevel")
    void plantedFault_isNoticed(Fault fault, DebugLevel level) {
        try (Store store = Store.open(Stores.small().debugLevel(level).build())) {
            assertNotNull(fault.plant(store, FAULT_BYTES), () -> fault + " was not noticed at level " + level);
        }
    }

    @ParameterizedTest
    @EnumSource(value = DebugLevel.class, names = "GUARD_PAGES", mode = EnumSource.Mode.EXCLUDE)
    void noFault_nothingIsNoticed(DebugLevel level) {
        misuseNothing(level);
    }

    static void misuseNothing(DebugLevel level) {
        try (Store store = Store.open(Stores.small().debugLevel(level).build())) {
            for (int length : new int[] {0, 1, 2, 50, 51, 4080, 4087, 4088, 4096, 20_000, 300_000}) {
                long cid = store.create(Content.of(length, length));
                store.audit();
                assertEquals(Status.OK, store.resize(cid, length + 1));
                assertEquals(length + 1, store.remove(cid));
            }
            Stores.space(store).heap.drainQuarantine();
            assertEquals(0, store.audit().chunks());
        }
    }
}

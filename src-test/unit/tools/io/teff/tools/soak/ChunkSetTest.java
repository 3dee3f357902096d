package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.tools.load.ChunkContent;
import io.teff.tools.load.LoadFailure;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the set agrees with the store after any changes, and each kind of damage is detected and named. */
@Tag("modes")
final class ChunkSetTest {
    private static final int SLOTS = 200;
    private static final int SIZE_MAX = 128;

    private final Store store = Store.open(StoreConfig.builder().name("set").memoryLimitBytes(64 << 20).build());
    private final OwnedChunks set = new OwnedChunks(store, new ChunkContent(5, 16, SIZE_MAX), 7L << 32, SLOTS);
    private final ChunkBatches batches = new ChunkBatches(store, set);
    private final PinnedChunks pinned = new PinnedChunks(store, set);
    private final byte[] buffer = new byte[SIZE_MAX];

    @AfterEach
    void auditAndClose() {
        store.audit();
        store.close();
    }

    private void createAll() {
        for (int slot = 0; slot < SLOTS; slot++) {
            set.create(slot);
        }
    }

    private void assertAccount() {
        assertEquals(store.stats().chunks(), set.chunks());
        assertEquals(store.stats().payloadBytes(), set.payloadBytes());
        batches.verifyAll(store);
        for (int slot = 0; slot < SLOTS; slot++) {
            assertEquals(!set.isEmpty(slot), set.glance(slot, buffer));
            if (!set.isEmpty(slot)) {
                set.verify(slot);
                set.verifyByView(slot);
                set.verifyByPeek(slot);
                set.verifyByParts(slot);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void changes_ofAllKinds_keepModelAndStoreEqual(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] slots = new int[batches.size()];
        for (int step = 0; step < 20_000; step++) {
            int slot = random.nextInt(SLOTS);
            if (set.isEmpty(slot)) {
                switch (random.nextInt(3)) {
                    case 0 -> set.create(slot);
                    case 1 -> set.createAtReserved(slot);
                    default -> batches.create(slots, find(slots, slot, true), random.nextBoolean());
                }
                continue;
            }
            switch (random.nextInt(9)) {
                case 0 -> set.put(slot);
                case 1 -> set.putLocked(slot, Timeouts.LOCK_NS);
                case 2 -> set.resize(slot);
                case 3 -> set.replace(slot);
                case 4 -> set.remove(slot);
                case 5 -> batches.put(slots, find(slots, slot, false));
                case 6 -> batches.resize(slots, find(slots, slot, false));
                case 7 -> batches.remove(slots, find(slots, slot, false));
                default -> {
                    pinned.pin(slot);
                    pinned.releaseAll();
                }
            }
        }
        assertAccount();
    }

    private int find(int[] slots, int first, boolean empty) {
        int count = 0;
        for (int slot = first; slot < SLOTS && count < slots.length; slot++) {
            if (set.isEmpty(slot) == empty) {
                slots[count++] = slot;
            }
        }
        return count;
    }

    /** Each kind of read must detect a foreign change of the chunk in slot 3. */
    private void assertFound(String message, Runnable damage) {
        createAll();
        damage.run();
        for (Consumer<OwnedChunks> look : List.<Consumer<OwnedChunks>>of(one -> one.verify(3),
            one -> one.verifyByView(3), one -> one.verifyByPeek(3), one -> one.verifyByParts(3),
            one -> one.glance(3, buffer), one -> batches.verifyAll(store))) {
            LoadFailure failure = assertThrows(LoadFailure.class, () -> look.accept(set));
            assertTrue(failure.getMessage().contains(message), failure::getMessage);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 12, 15})
    void read_corruptedByte_isFound(int offset) {
        assertFound("", () -> {
            byte right = store.fields().getByte(set.cid(3), offset, (byte) 0);
            store.fields().putByte(set.cid(3), offset, (byte) (right ^ 0x10));
        });
    }

    @Test
    void read_lostChunk_isFound() {
        assertFound("ABSENT", () -> store.remove(set.cid(3)));
    }

    @Test
    void read_foreignContent_isFound() {
        assertFound("", () -> store.put(set.cid(3), buffer, 0, store.get(set.cid(4), buffer)));
    }

    @Test
    void read_tornContent_isFound() {
        assertFound("", () -> {
            int length = store.get(set.cid(3), buffer);
            byte[] next = new byte[SIZE_MAX];
            set.fillNext(3, next, 0);
            System.arraycopy(next, 12, buffer, 12, length - 12);
            store.put(set.cid(3), buffer, 0, length);
        });
    }

    @Test
    void read_chunkThatLostItsLastByte_isFound() {
        assertFound("", () -> store.resize(set.cid(3), set.length(3) - 1));
    }

    @Test
    void verify_lostUpdate_isFoundByTheOwner() {
        createAll();
        int length = store.get(set.cid(3), buffer);
        byte[] old = Arrays.copyOf(buffer, length);
        set.put(3);
        store.put(set.cid(3), old);                             // a whole and right chunk, but not the last one
        assertTrue(set.glance(3, buffer));
        assertThrows(LoadFailure.class, () -> set.verify(3));
    }

    @Test
    void remove_lengthThatIsWrong_isFound() {
        createAll();
        store.resize(set.cid(3), set.length(3) + 1);
        assertThrows(LoadFailure.class, () -> set.remove(3));
    }

    @Test
    void held_chunkThatChanged_isFound() {
        createAll();
        pinned.pin(3);
        assertTrue(pinned.contains(3));
        assertFalse(pinned.contains(4));
        store.fields().putInt(set.cid(3), 12, 0x1234_5678);
        assertThrows(LoadFailure.class, pinned::releaseAll);
    }

    @Test
    void shared_changesOfManyKinds_addUp_andLostOnesDoNot() {
        SharedChunks shared = new SharedChunks(store, 2);
        SplittableRandom random = new SplittableRandom(1);
        shared.renew(random);
        for (int i = 0; i < 20_000; i++) {
            shared.step(i & 1, random);
        }
        shared.verify(store);
        long cid = store.ids().cursor().next();
        for (long offset : new long[] {0, 8, 16, 24, 32}) {
            store.fields().getAndAddInt(cid, offset, 1);
            LoadFailure failure = assertThrows(LoadFailure.class, () -> shared.verify(store));
            assertTrue(failure.getMessage().contains(" instead of "), failure::getMessage);
            store.fields().getAndAddInt(cid, offset, -1);
        }
        shared.verify(store);
        shared.renew(random);
        shared.verify(store);
        assertEquals(shared.payloadBytes(), store.stats().payloadBytes());
    }
}

package io.teff.cluster.collect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.Output;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawGroup;
import io.teff.engine.raw.RawMap;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: a ring has the last changes of a map, and a ring that is read from its chunks is the same ring. */
class ChangeRingTest {
    private static final int ZONE = 5;
    private static final MapName NAME = new MapName("map", "keys", "values", -1);
    private static final int PLACES = 20;
    private static final long BYTES = ChangeRing.BYTES_MIN;
    private static final int ROUNDS = 400;
    private static final int FEW_MIB = 16;

    private final Store store = Store.open(StoreConfig.builder().nid(1).memoryLimitBytes((long) FEW_MIB << 20).build());
    private final ChunkStore view = Zones.of(store).add(ZONE);
    private final ServedMaps maps = new ServedMaps();
    private final RawMap map = maps.open(view, NAME);

    @AfterEach
    void close() {
        assertTrue(store.isOpen());
        store.audit();
        store.close();
    }

    /** An event as a watcher sees it. */
    private record Seen(long number, int kind, byte key, int valueLength) {}

    private ChangeRing ring() {
        ChangeRing ring = maps.watch(view, map.root(), PLACES, BYTES);
        assertNotNull(ring);
        return ring;
    }

    /** Puts a value of a length, or removes the entry. */
    private void change(ChangeRing ring, int key, int length) {
        byte[] bytes = {(byte) key};
        ring.enter();
        try {
            map.change(bytes, new RawChange() {
                @Override
                public boolean mayAdd() {
                    return length >= 0;
                }

                @Override
                public Step decide(byte[] present, int presentLength, long bucket, long overflow) {
                    return length >= 0 ? Step.PUT : Step.REMOVE;
                }

                @Override
                public void write(Output out) {
                    out.putBytes(new byte[length], 0, length);
                }

                @Override
                public void changed() {
                    // no slot
                }

                @Override
                public void before(boolean isPut, RawGroup group) {
                    ring.before(group, bytes, 1, isPut ? new byte[length] : null, 0, Math.max(length, 0));
                }

                @Override
                public void after(RawGroup group) {
                    ring.after(group);
                }
            }, null);
        } finally {
            ring.leave(0);
        }
    }

    private ByteBuffer answer(ChangeRing ring, long of, long behind) {
        ChangePage page = new ChangePage(ChangeEvent.ALL, new byte[0], 1 << 20, 1 << 20);
        ring.read(view, of, behind, page);
        return ByteBuffer.wrap(page.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<Seen> events(ByteBuffer answer) {
        List<Seen> events = new ArrayList<>();
        answer.position(ChangeEvent.ANSWER_BYTES);
        while (answer.hasRemaining()) {
            int length = answer.getInt();
            int from = answer.position();
            long number = answer.getLong();
            int kind = answer.getInt();
            int keyLength = answer.getInt();
            byte key = answer.get();
            assertEquals(1, keyLength);
            answer.position(from + length);
            events.add(new Seen(number, kind, key, length - ChangeEvent.HEAD_BYTES - 1));
        }
        return events;
    }

    private static boolean isGap(ByteBuffer answer) {
        return answer.getInt(16) != 0;
    }

    @Test
    void events_areThoseOfAModel_andOfARingThatIsReadAgain() {
        ChangeRing ring = ring();
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        List<Seen> model = new ArrayList<>();
        boolean[] isThere = new boolean[8];
        for (int round = 0; round < ROUNDS; round++) {
            String wrong = Seed.reproduce(ChangeRingTest.class, seed);
            int key = random.nextInt(8);
            int length = random.nextInt(4) == 0 ? -1 : random.nextInt(5) == 0 ? random.nextInt(20_000)
                : random.nextInt(50);
            change(ring, key, length);
            if (length >= 0 || isThere[key]) {
                isThere[key] = length >= 0;
                boolean isLong = length > BYTES / 4 - ChangeEvent.HEAD_BYTES - 1;
                model.add(new Seen(model.size() + 1, length < 0 ? ChangeEvent.REMOVE : isLong ? ChangeEvent.LONG_PUT
                    : ChangeEvent.PUT, (byte) key, isLong ? 0 : Math.max(length, 0)));
            }
            ring.audit(view);
            ChangeRing again = ChangeRing.find(view, map.root());
            assertNotNull(again);
            again.audit(view);
            int behind = Math.max(0, model.size() - 1 - random.nextInt(PLACES + 2));
            ByteBuffer answer = answer(ring, ring.root(), behind);
            assertArrayEquals(answer.array(), answer(again, ring.root(), behind).array(), wrong);
            assertEquals(model.size(), answer.getLong(Long.BYTES), wrong);
            if (!isGap(answer)) {
                assertEquals(model.subList(behind, model.size()), events(answer), wrong);
            } else {
                assertTrue(model.size() - behind > 3, "three events have room: " + wrong);
            }
        }
        assertTrue(model.size() > ROUNDS / 2);
        assertTrue(isGap(answer(ring, ring.root(), 1)) && isGap(answer(ring, ring.root() + 1, model.size()))
            && isGap(answer(ring, ring.root(), model.size() + 1)) && !isGap(answer(ring, 0, 0)));
    }

    /** A change that is refused for lack of memory has no event, and takes the number of none. */
    @Test
    void change_withoutMemory_hasNoEvent() {
        ChangeRing ring = ring();
        int made = 0;
        int refused = 0;
        SplittableRandom random = new SplittableRandom(Seed.first());
        for (int key = 0; refused < 100; key++) {
            try {
                change(ring, key, random.nextInt(100_000, 200_000));
                made++;
            } catch (StoreException e) {
                assertEquals(StoreException.Category.DEGRADED, e.category());
                refused++;
            }
            ring.audit(view);
            assertEquals(made, answer(ring, 0, 0).getLong(Long.BYTES));
            ChangeRing again = ChangeRing.find(view, map.root());
            assertNotNull(again);
            assertEquals(made, answer(again, 0, 0).getLong(Long.BYTES));
        }
        assertTrue(made > 10);
    }

    @Test
    void ring_isDroppedWithItsMap_andLimited() {
        assertNull(maps.ring(map.root()));
        ChangeRing ring = ring();
        assertEquals(ring, ring());
        change(ring, 1, 10);
        assertThrows(StoreException.class, () -> {
            ring.enter();
            try {
                ring.before(new NoGroup(), new byte[(int) BYTES], (int) BYTES, null, 0,
                    0);
            } finally {
                ring.leave(0);
            }
        });
        long chunks = store.stats().chunks();
        maps.drop(view, NAME.name());
        assertNull(ChangeRing.find(view, map.root()));
        assertTrue(store.stats().chunks() < chunks);
        ring.enter();
        ring.before(new NoGroup(), new byte[1], 1, null, 0, 0);
        ring.after(new NoGroup());
        ring.leave(0);
    }

    /** Refuses every chunk. */
    private static final class NoGroup implements RawGroup {
        @Override
        public void store(long cid, byte[] content) {
            throw new AssertionError();
        }

        @Override
        public boolean tryStore(long cid, byte[] content) {
            throw new AssertionError();
        }

        @Override
        public void putLong(long cid, int at, long value) {
            throw new AssertionError();
        }
    }
}

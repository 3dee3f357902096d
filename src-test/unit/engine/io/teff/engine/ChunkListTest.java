package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a list equals an ArrayList after any operations, and concurrent readers see existing elements. Method: random
 * operations beside an ArrayList, with elements of one size and of many sizes, some of them long; readers concurrent
 * with inserts and removals.
 */
@Tag("modes")
final class ChunkListTest {
    private final MemoryDisk disk = new MemoryDisk();
    private final StoreConfig config = TestConfig.platform(StoreConfig.builder().memoryLimitBytes(256 << 20),
        Platform.SYSTEM.withDisk(disk)).build();
    private Store store = Store.open(config);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    @Test
    void anyOperations_onNumbers() {
        anyOperations(Codecs.LONG, key -> key);
    }

    @Test
    void anyOperations_onStringsOfManyLengths() {
        anyOperations(Codecs.STRING, key -> key + "s".repeat((int) (key % 50 == 0 ? 1500 : key % 13 * key % 7)));
    }

    private <E> void anyOperations(Codec<E> codec, LongFunction<E> maker) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        try {
            for (int round = 0; round < 6; round++) {
                ChunkList<E> list = store.list("list-" + round, codec);
                List<E> model = new ArrayList<>();
                int growth = 1 + random.nextInt(6);
                for (int step = 0; step < 4000; step++) {
                    step(list, model, maker.apply(random.nextInt(10_000)), random, growth);
                    if (step % 500 == 0) {
                        list.audit();
                        assertEquals(model, list);
                    }
                }
                list.audit();
                assertEquals(model, list);
                store = disk.reopen(store, config);
                list = store.list("list-" + round, codec);
                assertEquals(model, list);
                list.audit();
                list.clear();
                list.audit();
                assertTrue(list.isEmpty());
                assertTrue(store.names().drop("list-" + round));
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(ChunkListTest.class, seed), e);
        }
    }

    private static <E> void step(ChunkList<E> list, List<E> model, E element, SplittableRandom random, int growth) {
        int index = model.isEmpty() ? 0 : random.nextInt(model.size());
        switch (random.nextInt(5 + growth)) {
            case 0 -> {
                if (!model.isEmpty()) {
                    assertEquals(model.remove(index), list.remove(index));
                }
            }
            case 1 -> {
                if (!model.isEmpty()) {
                    assertEquals(model.removeLast(), list.removeLast());
                }
            }
            case 2 -> {
                if (!model.isEmpty()) {
                    assertEquals(model.set(index, element), list.set(index, element));
                }
            }
            case 3 -> {
                model.add(index, element);
                list.add(index, element);
            }
            case 4 -> {
                if (!model.isEmpty()) {
                    assertEquals(model.get(index), list.get(index));
                    list.setAt(index, element);
                    model.set(index, element);
                }
            }
            default -> assertEquals(model.add(element), list.add(element));
        }
        assertEquals(model.size(), list.longSize());
    }

    /**
     * A walk shows the rest of the segment where it is as of one moment, and ends where the list ends then. Elements
     * that were shown, or removed, are not found by changes of the walk.
     */
    @Test
    void walksBesideRemovals_endWhereTheListEnds() {
        ChunkList<Long> list = store.list("list", Codecs.LONG);
        list.addAll(LongStream.range(0, 300).boxed().toList());
        Iterator<Long> walk = list.iterator();
        for (long i = 0; i < 200; i++) {
            assertEquals(i, walk.next());
        }
        assertTrue(walk.hasNext());
        shrink(list, 100);
        for (long i = 200; i < 256; i++) {
            assertEquals(i, walk.next());
        }
        assertFalse(walk.hasNext());
        assertThrows(NoSuchElementException.class, walk::next);
        walk.remove();
        assertEquals(100, list.size());
        ListIterator<Long> back = list.listIterator(100);
        assertTrue(back.hasPrevious());
        shrink(list, 50);
        for (long i = 99; i >= 64; i--) {
            assertEquals(i, back.previous());
        }
        back.remove();
        assertEquals(49, back.previous());
        back.remove();
        assertEquals(48, back.previous());
        back.set(7L);
        back.add(8L);
        assertEquals(List.of(47L, 8L, 7L), list.subList(47, 50));
        Spliterator<Long> half = list.spliterator();
        shrink(list, 20);
        List<Long> seen = new ArrayList<>();
        half.forEachRemaining(seen::add);
        assertEquals(LongStream.range(0, 20).boxed().toList(), seen);
        list.addAll(LongStream.range(20, 1000).boxed().toList());
        assertEquals(new ArrayList<>(list), list.parallelStream().toList());
        list.audit();
    }

    private static void shrink(ChunkList<Long> list, int size) {
        while (list.size() > size) {
            list.removeLast();
        }
    }

    /** Each kind of walk runs while the list grows and shrinks. Each number is added once, so none is shown twice. */
    @Test
    void walksBesideChanges_neverFail() throws InterruptedException {
        ChunkList<Long> list = store.list("list", Codecs.LONG);
        list.addAll(LongStream.range(0, 100).boxed().toList());
        AtomicBoolean done = new AtomicBoolean();
        Threads.Running changes = Threads.start("changes", ignored -> {
            for (long next = 100; !done.get(); next += 50) {
                shrink(list, 50);
                list.addAll(LongStream.range(next, next + 50).boxed().toList());
            }
        });
        try {
            for (int round = 0; round < 2000; round++) {
                List<Long> all = new ArrayList<>(list);
                assertEquals(LongStream.range(0, 50).boxed().toList(), all.subList(0, 50));
                assertEquals(all.stream().distinct().sorted().toList(), all);
                assertFalse(list.contains(-1L));
                assertEquals(-1, list.lastIndexOf(-1L));
                assertTrue(list.stream().count() >= 50);
                assertTrue(list.toString().length() > 100);
            }
        } finally {
            done.set(true);
            changes.end();
        }
        list.audit();
    }

    @Test
    void indexesOutside_areRefused() {
        ChunkList<String> list = store.list("words", Codecs.STRING);
        assertThrows(IndexOutOfBoundsException.class, () -> list.get(0));
        list.add("a");
        for (int index : new int[] {-1, 1, 64, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> list.get(index));
            assertThrows(IndexOutOfBoundsException.class, () -> list.set(index, "b"));
            assertThrows(IndexOutOfBoundsException.class, () -> list.remove(index));
            assertThrows(IndexOutOfBoundsException.class, () -> list.getAt(Long.MAX_VALUE - 5));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> list.add(2, "b"));
        assertThrows(NullPointerException.class, () -> list.add(null));
        assertEquals(List.of("a"), list);
        list.audit();
    }

    @Test
    void bytesPerElement_areFew() {
        ChunkList<Long> list = store.list("numbers", Codecs.LONG);
        for (long i = 0; i < 100_000; i++) {
            list.add(i);
        }
        assertTrue(list.memoryBytes() < 100_000 * 9, "bytes: " + list.memoryBytes());
        assertEquals(4_999_950_000L, list.stream().mapToLong(Long::longValue).sum());
    }

    /**
     * Numbers are always in order, so each reader must see them in order, whatever is inserted and removed in front.
     */
    @Test
    void readersBesideShifts_seeWhatIsThere() throws InterruptedException {
        ChunkList<Long> list = store.list("numbers", Codecs.LONG);
        for (long i = 1; i <= 1000; i++) {
            list.add(i * 1000);
        }
        AtomicBoolean done = new AtomicBoolean();
        Threads.Running reader = Threads.start("reader", ignored -> {
            long last = 0;
            while (!done.get()) {
                for (int index = 0; index < 900; index++) {
                    long element = list.get(index);
                    assertTrue(element == 500 || element % 1000 == 0 && element >= index * 1000L
                        && element <= (index + 1) * 1000L, index + " has " + element);
                    last += element;
                }
            }
            assertTrue(last > 0);
        });
        try {
            for (int i = 0; i < 3000; i++) {
                list.add(0, 500L);
                assertEquals(500L, list.remove(0));
            }
        } finally {
            done.set(true);
            reader.end();
        }
        list.audit();
    }

    /**
     * After k inserts in front, the element at 900 is 900 - k, and the first element is k: a reader that sees k at the
     * front must see 900 - k at 900.
     */
    @Test
    void insertThatIsSeenBehind_isSeenInFront() throws InterruptedException {
        for (int round = 0; round < 10; round++) {
            ChunkList<Long> list = store.list("numbers-" + round, Codecs.LONG);
            for (long i = 0; i < 1000; i++) {
                list.add(1_000_000 + i);
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running reader = Threads.start("reader", ignored -> {
                while (!done.get()) {
                    long seen = 900 - (list.get(900) - 1_000_000);
                    long front = list.get(0);
                    assertTrue(front == 1_000_000 ? seen == 0 : front >= seen, seen + " behind, in front " + front);
                }
            });
            try {
                for (long k = 1; k <= 500; k++) {
                    list.add(0, k);
                }
            } finally {
                done.set(true);
                reader.end();
            }
            list.audit();
        }
    }
}

package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a queue returns each element once and in order. Method: random operations beside an ArrayDeque; four threads
 * that add and four that take; concurrent walks.
 */
@Tag("modes")
final class ChunkQueueTest {
    private final MemoryDisk disk = new MemoryDisk();
    private final StoreConfig config = TestConfig.platform(StoreConfig.builder().memoryLimitBytes(256 << 20),
        Platform.SYSTEM.withDisk(disk)).build();
    private Store store = Store.open(config);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private static String element(int number) {
        return number + "e".repeat(number % 40 == 0 ? 2000 : number % 23 * 5);
    }

    @Test
    void anyOperations_equalADeque() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        try {
            for (int round = 0; round < 6; round++) {
                ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
                ArrayDeque<String> model = new ArrayDeque<>();
                int adds = 2 + random.nextInt(3);
                for (int step = 0; step < 5000; step++) {
                    step(queue, model, element(random.nextInt(5000)), random, adds);
                    assertEquals(model.size(), queue.longSize());
                    if (step % 1000 == 0) {
                        queue.audit();
                        assertEquals(new ArrayList<>(model), new ArrayList<>(queue));
                    }
                }
                store = disk.reopen(store, config);
                queue = store.queue("queue", Codecs.STRING);
                queue.audit();
                assertEquals(new ArrayList<>(model), new ArrayList<>(queue));
                long chunks = store.stats().chunks();
                assertTrue(store.names().drop("queue"));
                assertTrue(store.stats().chunks() < chunks && store.stats().chunks() <= 258, "chunks are left");
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(ChunkQueueTest.class, seed), e);
        }
    }

    private static void step(ChunkQueue<String> queue, ArrayDeque<String> model, String element,
                             SplittableRandom random, int adds) {
        int drawn = random.nextInt(adds + 4);
        if (drawn < adds) {
            model.add(element);
            queue.add(element);
        } else if (drawn == adds) {
            assertEquals(model.peek(), queue.peek());
        } else if (drawn == adds + 1 && random.nextInt(10) == 0) {
            assertEquals(model.remove(element), queue.remove(element));
        } else if (drawn == adds + 2 && random.nextInt(20) == 0) {
            model.removeIf(other -> other.startsWith("1"));
            queue.removeIf(other -> other.startsWith("1"));
        } else {
            assertEquals(model.poll(), queue.poll());
        }
    }

    /** An element that its codec cannot read stays, with its chunk, until it is skipped. */
    @Test
    void elementThatCannotBeRead_staysAsAWhole() {
        Codec<String> codec = new Codec<>() {
            @Override
            public void write(String value, Output out) {
                out.putString(value);
            }

            @Override
            public String read(Input in) {
                String value = in.getString();
                if (value.startsWith("bad")) {
                    throw in.malformed("bad");
                }
                return value;
            }

            @Override
            public long fingerprint() {
                return 1;
            }
        };
        ChunkQueue<String> queue = store.queue("queue", codec);
        queue.addAll(List.of("bad", "bad" + "d".repeat(2000), "good"));
        for (int left = 3; left > 1; left--) {
            assertThrows(MalformedException.class, queue::poll);
            assertThrows(MalformedException.class, queue::poll);
            assertEquals(left, queue.size());
            queue.audit();
            assertTrue(queue.skip());
            queue.audit();
        }
        assertEquals("good", queue.poll());
        queue.audit();
    }

    @Test
    void emptyQueue_andItsEnds() {
        ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
        assertNull(queue.poll());
        assertNull(queue.peek());
        assertThrows(NoSuchElementException.class, queue::element);
        assertThrows(NoSuchElementException.class, queue::remove);
        assertThrows(NullPointerException.class, () -> queue.offer(null));
        assertFalse(queue.iterator().hasNext());
        assertThrows(NoSuchElementException.class, () -> queue.iterator().next());
        queue.addAll(List.of("a", "b", "c"));
        Iterator<String> walk = queue.iterator();
        assertEquals("a", walk.next());
        assertEquals("b", walk.next());
        walk.remove();
        assertThrows(IllegalStateException.class, walk::remove);
        assertEquals("a", queue.poll());
        assertEquals("c", walk.next());
        assertEquals("c", queue.poll());
        walk.remove();
        assertTrue(queue.isEmpty());
        queue.audit();
        queue.add("");
        queue.clear();
        queue.audit();
        assertTrue(queue.isEmpty());
    }

    @Test
    void manyThreads_eachElementOnceAndInOrder() throws InterruptedException {
        int each = 20_000;
        ChunkQueue<Long> queue = store.queue("queue", Codecs.LONG);
        AtomicInteger taken = new AtomicInteger();
        BitSet[] seen = new BitSet[4];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = new BitSet();
        }
        Threads.runAll(9, number -> {
            if (number < 4) {
                for (long i = 0; i < each; i++) {
                    queue.add((long) number << 32 | i);
                }
            } else if (number < 8) {
                long[] last = {-1, -1, -1, -1};
                while (taken.get() < 4 * each) {
                    Long element = queue.poll();
                    if (element != null) {
                        int from = (int) (element >>> 32);
                        assertTrue((int) (long) element > last[from], "out of order");
                        last[from] = (int) (long) element;
                        synchronized (seen[from]) {
                            assertFalse(seen[from].get((int) last[from]), "twice");
                            seen[from].set((int) last[from]);
                        }
                        taken.incrementAndGet();
                    }
                }
            } else {
                while (taken.get() < 4 * each) {
                    long[] last = {-1, -1, -1, -1};
                    for (long element : queue) {
                        int from = (int) (element >>> 32);
                        assertTrue((int) element > last[from], "a walk is out of order");
                        last[from] = (int) element;
                    }
                }
            }
        });
        for (BitSet set : seen) {
            assertEquals(each, set.cardinality());
        }
        assertTrue(queue.isEmpty());
        queue.audit();
    }

    /**
     * Peeks change nothing, so elements that are removed at the front without being taken must be cleaned up
     * otherwise.
     */
    @Test
    void removalsAtTheFront_giveTheirSegmentsBack() {
        ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
        long empty = queue.memoryBytes();
        for (int i = 0; i < 500; i++) {
            queue.add(element(i));
        }
        Iterator<String> walk = queue.iterator();
        for (int i = 0; i < 250; i++) {
            assertEquals(element(i), walk.next());
            if (i % 7 > 0) {
                walk.remove();
            }
        }
        for (String first = queue.peek(); first != null; first = queue.peek()) {
            assertEquals(first, queue.element());
            assertTrue(queue.remove(first));
            queue.audit();
        }
        assertTrue(queue.isEmpty());
        assertEquals(empty, queue.memoryBytes());
    }

    /** Elements are ascending numbers, so a reader knows the bounds of the first element. */
    @Test
    void peek_besideChanges_seesTheFirst() throws InterruptedException {
        ChunkQueue<Long> queue = store.queue("queue", Codecs.LONG);
        int all = 60_000;
        AtomicLong added = new AtomicLong();
        AtomicLong begun = new AtomicLong();                    // number of begun takes and removals
        AtomicLong taken = new AtomicLong(-1);
        Threads.runAll(3, number -> {
            if (number == 0) {
                for (long i = 0; i < all; i++) {
                    queue.add(i);
                    added.incrementAndGet();
                }
            } else if (number == 1) {
                while (taken.get() < all - 1) {
                    begun.incrementAndGet();
                    Long element = taken.get() % 3 == 0 ? removeFirst(queue) : queue.poll();
                    if (element == null) {
                        begun.decrementAndGet();
                    } else {
                        assertEquals(taken.get() + 1, element);
                        taken.set(element);
                    }
                }
            } else {
                while (taken.get() < all - 1) {
                    final long addedBefore = added.get();
                    final long takenBefore = taken.get();
                    Long first = queue.peek();
                    long begunAfter = begun.get();
                    assertTrue(first == null ? addedBefore <= begunAfter
                        : takenBefore < first && first <= begunAfter,
                        () -> first + " is seen, taken before " + takenBefore + ", begun after " + begunAfter);
                }
            }
        });
        assertNull(queue.peek());
        queue.audit();
    }

    /** Removes the first element like an element from the middle; returns null if there is none. */
    private static Long removeFirst(ChunkQueue<Long> queue) {
        Iterator<Long> walk = queue.iterator();
        if (!walk.hasNext()) {
            return null;
        }
        Long element = walk.next();
        walk.remove();
        return element;
    }

    /** Uses overflow elements, because their memory is counted apart from their records. */
    @Test
    void audit_besideChanges_findsNoDamage() throws InterruptedException {
        ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
        AtomicInteger working = new AtomicInteger(3);
        Threads.runAll(4, number -> {
            if (number == 3) {
                while (working.get() > 0) {
                    queue.audit();
                }
                return;
            }
            try {
                for (int i = 0; i < 3000; i++) {
                    queue.add(element(40 * i));
                    removeOne(queue, number, element(40 * i));
                }
            } finally {
                working.decrementAndGet();
            }
        });
        queue.audit();
    }

    private static void removeOne(ChunkQueue<String> queue, int how, String element) {
        Iterator<String> walk = queue.iterator();
        if (how == 0) {
            queue.poll();
        } else if (how == 1) {
            queue.remove(element);
        } else if (walk.hasNext()) {
            walk.next();
            walk.remove();
        }
    }
}

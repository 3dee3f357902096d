package io.teff.rdma.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The order of closing, and calls of closed objects, with objects that free nothing but tell of it. */
final class NativeObjectTest {
    private final List<String> freed = new ArrayList<>();

    /** An object that writes its name when it is freed. */
    private static final class Item extends NativeObject {
        private final String name;
        private final List<String> freed;
        private final boolean fails;
        private int inside;

        private Item(String name, List<String> freed, boolean fails, NativeObject... owners) {
            super(name, owners);
            this.name = name;
            this.freed = freed;
            this.fails = fails;
        }

        private static Item of(String name, List<String> freed, NativeObject... owners) {
            return create(() -> new Item(name, freed, false, owners), owners);
        }

        /** A call that would be native: no two of them may be under way, and none after the object was freed. */
        private void work() {
            enter();
            try {
                inside++;
                if (inside != 1 || freed.contains(name)) {
                    throw new AssertionError(name + " inside=" + inside);
                }
                inside--;
            } finally {
                leave();
            }
        }

        @Override
        protected void free() {
            freed.add(name);
            if (fails) {
                throw new RdmaException(name, 16);
            }
        }
    }

    @Test
    void close_ofAnOwner_closesDependentsFirst_theNewestFirst() {
        Item context = Item.of("context", freed);
        Item domain = Item.of("domain", freed, context);
        Item queue = Item.of("queue", freed, context);
        Item pair = Item.of("pair", freed, domain, queue);
        Item region = Item.of("region", freed, domain);
        context.close();
        assertEquals(List.of("pair", "queue", "region", "domain", "context"), freed);
        assertFalse(pair.isOpen() || region.isOpen() || queue.isOpen());
    }

    @Test
    void close_ofOneOfTwoOwners_leavesTheOther() {
        Item domain = Item.of("domain", freed);
        Item queue = Item.of("queue", freed);
        Item pair = Item.of("pair", freed, domain, queue);
        queue.close();
        assertEquals(List.of("pair", "queue"), freed);
        assertFalse(pair.isOpen());
        domain.work();
        domain.close();
        assertEquals(List.of("pair", "queue", "domain"), freed);
    }

    @Test
    void close_twice_freesOnce() {
        Item item = Item.of("item", freed);
        item.close();
        item.close();
        assertEquals(List.of("item"), freed);
    }

    @Test
    void call_afterClose_throwsAndNamesTheObject() {
        Item item = Item.of("queue pair", freed);
        item.close();
        IllegalStateException failure = assertThrows(IllegalStateException.class, item::work);
        assertEquals("queue pair is closed", failure.getMessage());
    }

    @Test
    void create_withAClosedOwner_doesNotCallTheFactory() {
        Item owner = Item.of("owner", freed);
        owner.close();
        int before = Lifetimes.openCount();
        assertThrows(IllegalStateException.class, () -> Item.of("child", freed, owner));
        assertEquals(before, Lifetimes.openCount());
    }

    @Test
    void close_thatFails_freesTheRest_andThrows() {
        Item owner = Item.of("owner", freed);
        Item bad = NativeObject.create(() -> new Item("bad", freed, true, owner), owner);
        Item worse = NativeObject.create(() -> new Item("worse", freed, true, owner), owner);
        RdmaException failure = assertThrows(RdmaException.class, owner::close);
        assertEquals("worse", failure.operation());
        assertEquals(1, failure.getSuppressed().length);
        assertEquals(List.of("worse", "bad", "owner"), freed);
        assertFalse(bad.isOpen() || worse.isOpen() || owner.isOpen());
        owner.close();
    }

    @Test
    void constructor_outsideOfCreate_isRefused() {
        assertThrows(AssertionError.class, () -> new Item("item", freed, false));
    }

    /** Four threads call an object while a fifth closes it: each call is whole, and none comes after the close. */
    @Test
    void close_besideCallsOfOtherThreads_waitsForTheCall_andEndsThem() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            freed.clear();
            Item item = Item.of("item", freed);
            AtomicInteger calls = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            AtomicInteger broken = new AtomicInteger();
            CountDownLatch running = new CountDownLatch(4);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    running.countDown();
                    try {
                        while (true) {
                            item.work();
                            calls.incrementAndGet();
                        }
                    } catch (IllegalStateException e) {
                        refused.incrementAndGet();
                    } catch (AssertionError e) {
                        broken.incrementAndGet();
                    }
                }));
            }
            running.await();
            item.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(0, broken.get());
            assertEquals(4, refused.get(), () -> "calls=" + calls.get());
            assertEquals(List.of("item"), freed);
        }
    }

    @Test
    void open_objects_areCountedUntilTheyAreClosed() {
        int before = Lifetimes.openCount();
        Item item = Item.of("counted item", freed);
        assertEquals(before + 1, Lifetimes.openCount());
        assertTrue(Lifetimes.open().getLast().startsWith("counted item"), Lifetimes.open()::toString);
        item.close();
        assertEquals(before, Lifetimes.openCount());
    }

    @Test
    void failed_anErrorOrAnException_isThrownOrReturnedAsItIs() {
        RuntimeException runtime = new IllegalStateException();
        assertSame(runtime, Downcall.failed(runtime));
        Error error = new StackOverflowError();
        assertSame(error, assertThrows(StackOverflowError.class, () -> Downcall.failed(error)));
    }
}

package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkQueue;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a queue gives each element once, and an element that cannot be read stays the first. Method: a codec that
 * throws; bulk operations beside other removals.
 */
@Tag("modes")
final class QueueRemovalTest {
    private static final String LONG = "long".repeat(300);
    /** A removal walks the queue, so the time grows with the square. */
    private static final int EACH = Form.size(2_000, 30_000);

    private final Store store = Stores.open();
    private final Fragile codec = new Fragile();
    private final ChunkQueue<String> queue = store.queue("queue", codec);

    @AfterEach
    void close() {
        queue.audit();
        store.audit();
        store.close();
    }

    /** Codec of strings, which throws or runs an action at its reads. */
    private static final class Fragile implements Codec<String> {
        private Throwable failure;
        private Runnable action = () -> { };

        @Override
        public void write(String value, Output out) {
            out.putString(value);
        }

        @Override
        public String read(Input in) {
            action.run();
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            return in.getString();
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    private static final List<Function<Queue<String>, String>> TAKES = List.of(Queue::poll, Queue::remove, Queue::peek,
        Queue::element, taken -> taken.iterator().next());

    @Test
    void elementThatCannotBeRead_staysTheFirst_andCanBeSkipped() {
        for (String element : List.of("short", LONG)) {
            for (Throwable failure : List.of(new IllegalStateException("not now"), new StackOverflowError())) {
                queue.add(element);
                queue.add("next");
                codec.failure = failure;
                for (Function<Queue<String>, String> take : TAKES) {
                    assertSame(failure, assertThrows(failure.getClass(), () -> take.apply(queue)));
                }
                queue.audit();
                assertEquals(2, queue.size());
                codec.failure = null;
                assertEquals(element, queue.poll());
                queue.add(element);
                codec.failure = failure;
                assertTrue(queue.skip());
                assertTrue(queue.skip());
                codec.failure = null;
                assertFalse(queue.skip());
                assertNull(queue.poll());
            }
        }
    }

    @Test
    void codecThatTakesFromItsQueue_isRefused() {
        queue.add("first");
        queue.add("second");
        codec.action = queue::skip;
        assertThrows(IllegalStateException.class, queue::poll);
        codec.action = () -> queue.add("third");
        assertEquals("first", queue.poll());
        codec.action = () -> { };
        assertEquals(List.of("second", "third"), List.copyOf(queue));
    }

    @Test
    void bulkRemovals_countOnlyWhatTheyRemove() {
        queue.addAll(List.of("a", LONG, "b", "c", "d", "e"));
        assertFalse(queue.removeIf(element -> element.equals(LONG) && queue.remove(LONG)));
        assertTrue(queue.removeIf("b"::equals));
        assertTrue(queue.removeAll(List.of("a", LONG)));
        assertTrue(queue.retainAll(List.of("c", "d")));
        assertFalse(queue.retainAll(List.of("c", "d")));
        assertFalse(queue.remove("a"));
        assertFalse(queue.remove(null));
        assertTrue(queue.remove("d"));
        assertEquals(List.of("c"), List.copyOf(queue));
        queue.clear();
        assertTrue(queue.isEmpty());
    }

    @Test
    void eachElement_isRemovedOnce() throws InterruptedException {
        AtomicIntegerArray removed = new AtomicIntegerArray(EACH);
        Threads.runAll(4, number -> {
            for (int i = 0; i < EACH; i++) {
                String element = Integer.toString(i);
                switch (number) {
                    case 0 -> queue.add(element);
                    case 1 -> count(removed, queue.poll());
                    case 2 -> queue.removeIf(_ -> false);
                    default -> count(removed, queue.remove(element) ? element : null);
                }
                i += number == 2 ? 99 : 0;
            }
        });
        for (String left = queue.poll(); left != null; left = queue.poll()) {
            count(removed, left);
        }
        for (int i = 0; i < EACH; i++) {
            assertEquals(1, removed.get(i));
        }
        assertEquals(0, queue.size());
    }

    private static void count(AtomicIntegerArray removed, String element) {
        if (element != null) {
            removed.incrementAndGet(Integer.parseInt(element));
        }
    }
}

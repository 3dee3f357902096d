package io.teff.test.lincheck;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.tier.FullTier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Goal: lists and queues remove the element that they have found, at one moment. Method: histories of searches,
 * removals and bulk operations that remove one element, by Lincheck's stress mode on the real collections. The
 * constructor of an instance empties the collection, since histories run one after the other.
 */
@FullTier("Stress with many scenarios, a part of the 166 s of this lane. ChunkMapTest has the same mode for a "
    + "map, and ChunkListTest and ChunkQueueTest change sequences by many threads.")
final class BulkSequenceTest {
    private static final Store STORE = Store.open(StoreConfig.builder().memoryLimitBytes(1L << 28).build());
    private static final ChunkList<String> LIST = STORE.list("list", Codecs.STRING);
    private static final ChunkQueue<String> QUEUE = STORE.queue("queue", Codecs.STRING);

    /** The operations on lists and queues. */
    @Param(name = "value", gen = IntGen.class, conf = "1:3")
    public abstract static class Operations {
        final Collection<String> elements;

        Operations(Collection<String> elements) {
            this.elements = elements;
            elements.clear();
        }

        /** Returns an element; lengths differ much, and some are overflow elements. */
        static String value(int value) {
            return value + "v".repeat(value == 3 ? 700 : value * 20);
        }

        /** Returns a test that accepts one element. */
        static Predicate<String> once(int value) {
            AtomicBoolean isDone = new AtomicBoolean();
            return element -> element.equals(value(value)) && !isDone.getAndSet(true);
        }

        /** Adds. */
        @Operation
        public boolean add(@Param(name = "value") int value) {
            return elements.add(value(value));
        }

        /** Removes. */
        @Operation
        public boolean remove(@Param(name = "value") int value) {
            return elements.remove(value(value));
        }

        /** Searches. */
        @Operation
        public boolean contains(@Param(name = "value") int value) {
            return elements.contains(value(value));
        }
    }

    /** The operations on lists. */
    public abstract static class ListOperations extends Operations {
        final List<String> list;

        ListOperations(List<String> list) {
            super(list);
            this.list = list;
        }

        /** Removes one of the elements that a test accepts. */
        @Operation
        public boolean removeIf(@Param(name = "value") int value) {
            return list.removeIf(once(value));
        }

        /** Adds at the front. */
        @Operation
        public void addFirst(@Param(name = "value") int value) {
            list.addFirst(value(value));
        }

        /** Searches from the front. */
        @Operation
        public int indexOf(@Param(name = "value") int value) {
            return list.indexOf(value(value));
        }

        /** Searches from the end. */
        @Operation
        public int lastIndexOf(@Param(name = "value") int value) {
            return list.lastIndexOf(value(value));
        }

        /** Removes the last element. */
        @Operation
        public String removeLast() {
            return list.removeLast();
        }

        /** Returns the last element. */
        @Operation
        public String getLast() {
            return list.getLast();
        }

        /** Replaces the first element. */
        @Operation
        public String set(@Param(name = "value") int value) {
            return list.set(0, value(value));
        }
    }

    /** The list. */
    public static class RealList extends ListOperations {
        /** Empties the list. */
        public RealList() {
            super(LIST);
        }
    }

    /** Removals that first search, then remove at the index. */
    public static class BrokenList extends RealList {
        @Override
        public boolean remove(int value) {
            int index = list.indexOf(value(value));
            Thread.yield();
            return index >= 0 && list.remove(index) != null;
        }

        @Override
        public String removeLast() {
            int size = list.size();
            Thread.yield();
            return list.remove(size - 1);
        }
    }

    /** The specification of lists. */
    public static class ListSpecification extends ListOperations {
        /** Creates an empty list. */
        public ListSpecification() {
            super(new ArrayList<>());
        }
    }

    /** The operations on queues. */
    public abstract static class QueueOperations extends Operations {
        final Queue<String> queue;

        QueueOperations(Queue<String> queue) {
            super(queue);
            this.queue = queue;
        }

        /** Removes one of the elements that a test accepts. */
        @Operation
        public boolean removeIf(@Param(name = "value") int value) {
            return queue.removeIf(once(value));
        }

        /** Takes the first element. */
        @Operation
        public String poll() {
            return queue.poll();
        }

        /** Returns the first element. */
        @Operation
        public String peek() {
            return queue.peek();
        }

        /** Removes the first element without reading it. */
        @Operation
        public boolean skip() {
            return queue.poll() != null;
        }
    }

    /** The queue. */
    public static class RealQueue extends QueueOperations {
        /** Empties the queue. */
        public RealQueue() {
            super(QUEUE);
        }

        @Override
        public boolean skip() {
            return QUEUE.skip();
        }
    }

    /** The specification of queues. */
    public static class QueueSpecification extends QueueOperations {
        /** Creates an empty queue. */
        public QueueSpecification() {
            super(new ArrayDeque<>());
        }

        @Override
        public boolean removeIf(int value) {
            Iterator<String> iterator = queue.iterator();
            while (iterator.hasNext()) {
                if (iterator.next().equals(value(value))) {
                    iterator.remove();
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void list_isLinearizable() {
        Stress.mustBeLinearizable(RealList.class, ListSpecification.class);
        LIST.audit();
    }

    @Test
    void brokenTwin_isCaught() {
        Stress.mustBeCaught(BrokenList.class, ListSpecification.class);
    }

    @Test
    void queue_isLinearizable() {
        Stress.mustBeLinearizable(RealQueue.class, QueueSpecification.class);
        QUEUE.audit();
    }
}

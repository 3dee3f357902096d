package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Queues and lists of a cluster: the results of each operation. {@link PeerCollectionKillTest} kills the owners. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerCollectionTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int STEPS = 600;
    private static final int SHORT_MAX = 60;
    private static final int LONG_MAX = 4_000;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("collection-test-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        cluster.close();
    }

    private static byte[] value(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(5) == 0 ? random.nextInt(LONG_MAX) : random.nextInt(SHORT_MAX)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(byte @Nullable [] bytes) {
        return Arrays.toString(bytes);
    }

    private static List<String> texts(Iterable<byte[]> elements) {
        List<String> texts = new ArrayList<>();
        elements.forEach(element -> texts.add(text(element)));
        return texts;
    }

    // ---- drops ----

    @Test
    void droppedCollections_throw_andAreMadeAnewEmpty() {
        ChunkQueue<byte[]> queue = store.queue("dropped queue", byte[].class);
        ChunkList<byte[]> list = store.list("dropped list", byte[].class);
        ChunkSortedMap<Long, byte[]> map = store.sortedMap("dropped map", Long.class, byte[].class);
        queue.add(new byte[1]);
        list.add(new byte[2]);
        map.put(3L, new byte[3]);
        List<String> names = List.of("dropped queue", "dropped list", "dropped map");
        for (String name : names) {
            assertTrue(store.names().get(name).isPresent(), name);
            assertTrue(store.names().drop(name), name);
            assertFalse(store.names().get(name).isPresent(), name);
        }
        for (Executable use : List.<Executable>of(queue::poll, () -> queue.add(new byte[4]), queue::longSize,
            () -> list.get(0), () -> list.add(new byte[4]), map::firstKey, () -> map.put(4L, new byte[4]))) {
            assertTrue(assertThrows(IllegalStateException.class, use).getMessage().contains("dropped"));
        }
        assertEquals(0, store.queue("dropped queue", byte[].class).longSize());
        assertEquals(0, store.list("dropped list", byte[].class).longSize());
        assertEquals(0, store.sortedMap("dropped map", Long.class, byte[].class).longSize());
        names.forEach(store.names()::drop);
    }

    // ---- queues ----

    @Test
    void queue_hasTheResultsOfAQueueOnTheHeap() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(PeerCollectionTest.class, seed);
        SplittableRandom random = new SplittableRandom(seed);
        ChunkQueue<byte[]> queue = store.queue("jobs", byte[].class);
        Queue<byte[]> model = new ArrayDeque<>();
        for (int i = 0; i < STEPS; i++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    byte[] next = value(random);
                    assertTrue(queue.offer(next));
                    model.add(next);
                }
                case 3, 4 -> assertEquals(text(model.poll()), text(queue.poll()), reproduce);
                case 5 -> assertEquals(model.poll() != null, queue.skip(), reproduce);
                case 6 -> removeInTheMiddle(queue, model, random, reproduce);
                default -> assertEquals(text(model.peek()), text(queue.peek()), reproduce);
            }
        }
        assertEquals(texts(model), texts(queue), reproduce);
        assertEquals(model.size(), queue.longSize());
        assertEquals(model.size(), queue.stream().count());
        assertTrue(queue.memoryBytes() > 0);
        queue.audit();
        queue.clear();
        assertTrue(queue.isEmpty() && queue.peek() == null && queue.poll() == null && !queue.skip());
        queue.audit();
    }

    private static void removeInTheMiddle(ChunkQueue<byte[]> queue, Queue<byte[]> model, SplittableRandom random,
                                          String reproduce) {
        int which = random.nextInt(4);
        Iterator<byte[]> mine = queue.iterator();
        Iterator<byte[]> models = model.iterator();
        for (int i = 0; i <= which && models.hasNext(); i++) {
            assertEquals(text(models.next()), text(mine.next()), reproduce);
            if (i == which) {
                models.remove();
                mine.remove();
            }
        }
    }

    @Test
    void queue_ofManyElements_isWalkedInPages_andRemovesByTests() {
        ChunkQueue<Integer> queue = store.queue("numbers", Integer.class);
        List<Integer> model = new ArrayList<>();
        for (int i = 0; i < 9_000; i++) {
            model.add(i);
        }
        assertTrue(queue.addAll(model));
        assertFalse(queue.addAll(List.of()));
        assertEquals(model, new ArrayList<>(queue));
        assertTrue(queue.remove(17) && !queue.remove(17) && queue.contains(18));
        assertFalse(queue.removeAll(Set.of(-1)));
        queue.clear();
        assertTrue(queue.isEmpty() && queue.addAll(List.of(0, 17, 20, 2_999)));
        assertTrue(queue.retainAll(Set.of(0, 20, 2_999)));
        assertEquals(List.of(0, 20, 2_999), new ArrayList<>(queue));
        Queue<Integer> same = queue;
        assertThrows(IllegalArgumentException.class, () -> queue.addAll(same));
        queue.audit();
        Iterator<Integer> walk = queue.iterator();
        assertEquals(0, walk.next());
        assertEquals(0, queue.remove());
        assertThrows(NullPointerException.class, () -> queue.add(null));
        walk.remove();
        assertThrows(IllegalStateException.class, walk::remove);
        assertEquals(20, walk.next());
        byte[] large = new byte[890_000];
        large[7] = 1;
        ChunkQueue<byte[]> bytes = store.queue("bytes", Codecs.BYTES);
        assertTrue(bytes.addAll(List.of(new byte[1], large, new byte[0])));
        assertArrayEquals(new byte[1], bytes.remove());
        assertArrayEquals(large, bytes.element());
        assertArrayEquals(large, bytes.remove());
        assertArrayEquals(new byte[0], bytes.remove());
        assertThrows(NoSuchElementException.class, bytes::remove);
        assertThrows(IllegalArgumentException.class, () -> bytes.add(new byte[900_001]));
        assertThrows(IllegalArgumentException.class, () -> store.list("bytes", Codecs.BYTES));
        assertThrows(IllegalArgumentException.class, () -> store.queue("bytes", Codecs.LONG));
    }

    // ---- lists ----

    @Test
    void list_hasTheResultsOfAListOnTheHeap() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(PeerCollectionTest.class, seed);
        SplittableRandom random = new SplittableRandom(seed);
        ChunkList<byte[]> list = store.list("entries", byte[].class);
        List<byte[]> model = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            int index = model.isEmpty() ? 0 : random.nextInt(model.size());
            byte[] next = value(random);
            if (model.isEmpty() || random.nextInt(3) == 0) {
                assertTrue(list.add(next) && model.add(next));
            } else {
                step(random.nextInt(8), list, model, index, next, reproduce);
            }
        }
        assertEquals(texts(model), texts(list), reproduce);
        assertEquals(texts(model.reversed()), texts(list.reversed()), reproduce);
        assertEquals(model.size(), list.longSize());
        assertEquals(texts(model.subList(3, 9)), texts(list.subList(3, 9)));
        list.audit();
        list.clear();
        assertTrue(list.isEmpty() && list.stream().findAny().isEmpty());
        assertThrows(NoSuchElementException.class, list::removeLast);
        assertThrows(IndexOutOfBoundsException.class, () -> list.get(0));
        assertThrows(UnsupportedOperationException.class, () -> list.sort(null));
        list.audit();
    }

    private static void step(int operation, ChunkList<byte[]> list, List<byte[]> model, int index, byte[] next,
                             String reproduce) {
        switch (operation) {
            case 0 -> assertEquals(text(model.set(index, next)), text(list.set(index, next)), reproduce);
            case 1 -> {
                model.add(index, next);
                list.add(index, next);
            }
            case 2 -> assertEquals(text(model.remove(index)), text(list.remove(index)), reproduce);
            case 3 -> {
                model.set(index, next);
                list.setAt(index, next);
            }
            case 4 -> assertEquals(text(model.removeLast()), text(list.removeLast()), reproduce);
            case 5 -> assertEquals(text(model.removeFirst()), text(list.removeFirst()), reproduce);
            case 6 -> walk(list.listIterator(index), model.listIterator(index), next, reproduce);
            default -> assertEquals(text(model.get(index)), text(list.getAt(index)), reproduce);
        }
    }

    private static void walk(ListIterator<byte[]> mine, ListIterator<byte[]> models, byte[] next, String reproduce) {
        assertEquals(text(models.next()), text(mine.next()), reproduce);
        mine.set(next);
        models.set(next);
        mine.add(next);
        models.add(next);
        assertEquals(models.nextIndex(), mine.nextIndex(), reproduce);
        assertEquals(text(models.previous()), text(mine.previous()), reproduce);
        mine.remove();
        models.remove();
        assertEquals(models.hasNext(), mine.hasNext(), reproduce);
        while (models.hasPrevious()) {
            assertEquals(text(models.previous()), text(mine.previous()), reproduce);
        }
        assertFalse(mine.hasPrevious(), reproduce);
    }

    /** What others insert and remove in front of a walk neither hides an element from the walk nor shows it twice. */
    @Test
    void walk_overAChangingList_showsEachElementOnce_andRemovesTheShownElement() {
        ChunkList<Integer> list = store.list("walked", Integer.class);
        list.addAll(IntStream.range(0, 6_000).boxed().toList());
        Iterator<Integer> walk = list.iterator();
        List<Integer> shown = new ArrayList<>();
        for (int i = 0; walk.hasNext(); i++) {
            int next = walk.next();
            shown.add(next);
            if (i % 500 == 3) {
                list.removeFirst();
                list.add(0, -1);
                list.add(0, -2);
            }
            if (next % 1_000 == 999) {
                walk.remove();
                assertEquals(-1, list.indexOf(next));
            }
        }
        assertEquals(6_000, shown.size());
        assertTrue(shown.get(0) == 0 && shown.get(5_999) == 5_999);
        assertTrue(list.remove((Integer) 70) && !list.contains(70));
        assertEquals(list.longSize() - 1, list.lastIndexOf(list.getLast()));
        list.subList(0, list.size() - 20).clear();
        assertTrue(list.removeIf(each -> each < 5_990));
        list.replaceAll(each -> each + 1);
        assertEquals(List.of(5_991, 5_992, 5_993, 5_994, 5_995, 5_996, 5_997, 5_998, 5_999), list);
        assertNull(list.stream().filter(each -> each < 0).findAny().orElse(null));
        list.audit();
    }
}

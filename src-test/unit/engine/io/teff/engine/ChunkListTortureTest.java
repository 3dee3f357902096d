package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: each walk of any thread, and each snapshot, shows the elements that stay exactly once, in their order, and no
 * element twice. Method: threads that add and remove their own elements everywhere among elements that stay, beside
 * walks of all kinds, audits, defragmentation and snapshots that are restored. Each element is added once.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkListTortureTest {
    private static final int OPERATIONS = Form.size(4_000, 40_000, 1_000_000);
    private static final int STABLE = 400;
    private static final int OWN_MAX = 500;
    private static final String LONG = "long".repeat(200);

    private final MemoryDisk disk = new MemoryDisk();
    private final StoreConfig config = TestConfig.platform(StoreConfig.builder().memoryLimitBytes(128 << 20),
        Platform.SYSTEM.withDisk(disk)).build();
    private final List<String> stable = IntStream.range(0, STABLE).mapToObj(i -> i % 50 == 7 ? LONG + i : "stay" + i)
        .toList();
    private final AtomicBoolean isDone = new AtomicBoolean();

    private void check(String how, List<String> shown) {
        assertEquals(stable, shown.stream().filter(element -> !element.startsWith("own")).toList(), how);
        assertEquals(shown.size(), new HashSet<>(shown).size(), how + " shows an element twice");
    }

    /** Adds and removes elements of one thread. */
    private static final class Worker {
        private final ChunkList<String> list;
        private final SplittableRandom random;
        private final int number;
        private final List<String> own = new ArrayList<>();
        private int made;

        Worker(ChunkList<String> list, long seed, int number) {
            this.list = list;
            this.random = new SplittableRandom(seed);
            this.number = number;
        }

        void run() {
            for (int i = 0; i < OPERATIONS; i++) {
                boolean isGrowing = i / OWN_MAX % 2 == 0;
                if (own.isEmpty() || own.size() < OWN_MAX && random.nextInt(10) < (isGrowing ? 8 : 2)) {
                    add();
                } else {
                    remove();
                }
            }
            own.forEach(element -> assertTrue(list.remove(element), "own element is gone: " + element));
        }

        private void add() {
            made++;
            String element = "own" + number + "-" + made + (made % 60 == 0 ? LONG : "x".repeat(made % 9));
            own.add(element);
            switch (random.nextInt(4)) {
                case 0 -> list.add(element);
                case 1 -> list.addFirst(element);
                default -> addInTheMiddle(element);
            }
        }

        private void addInTheMiddle(String element) {
            try {
                list.add(random.nextInt(list.size() + 1), element);
            } catch (IndexOutOfBoundsException _) {              // another thread has shortened the list
                list.add(element);
            }
        }

        private void remove() {
            String element = own.remove(random.nextInt(own.size()));
            switch (random.nextInt(10)) {
                case 0 -> assertTrue(list.removeIf(element::equals));
                case 1 -> {
                    ListIterator<String> walk = list.listIterator();
                    while (!walk.next().equals(element)) {
                        continue;
                    }
                    walk.remove();
                }
                default -> assertTrue(list.remove(element));
            }
        }
    }

    private void walk(ChunkList<String> list) {
        while (!isDone.get()) {
            List<String> shown = new ArrayList<>();
            list.forEach(shown::add);
            check("a walk", shown);
            check("an array", List.of(list.toArray(new String[0])));
            check("a parallel stream", list.parallelStream().toList());
            List<String> back = new ArrayList<>();
            list.reversed().forEach(back::add);
            check("a walk to the front", back.reversed());
            assertTrue(list.containsAll(stable.subList(0, 10)));
        }
    }

    private void restore(Store store) {
        for (int i = 0; !isDone.get(); i++) {
            Path path = Path.of("list" + i + ".teff");
            store.snapshot(path);
            try (Store restored = Store.restore(path, config)) {
                ChunkList<String> list = restored.list("list", Codecs.STRING);
                check("a snapshot", list);
                list.add(STABLE / 2, "own");
                list.remove(STABLE / 2);
                list.audit();
                restored.audit();
            }
            disk.files.remove(path);
            store.defragment();
            store.list("list", Codecs.STRING).audit();
        }
    }

    @Test
    void walksBesideChanges_showWhatStaysOnce() throws InterruptedException {
        long seed = Seed.first();
        try (Store store = Store.open(config)) {
            ChunkList<String> list = store.list("list", Codecs.STRING);
            list.addAll(stable);
            Threads.Running walker = Threads.start("walker", _ -> walk(list));
            Threads.Running restorer = Threads.start("restorer", _ -> restore(store));
            try {
                Threads.runAll(2, number -> new Worker(list, seed + number, number).run());
            } finally {
                isDone.set(true);
                walker.end();
                restorer.end();
            }
            assertEquals(stable, list);
            list.audit();
            list.clear();
            list.audit();
            store.audit();
        } catch (AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        }
    }
}

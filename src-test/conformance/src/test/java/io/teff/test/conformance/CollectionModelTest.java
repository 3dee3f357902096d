package io.teff.test.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations on collections has the results of the collections of the JDK, in each kind of store.
 * Method: random operations beside a collection of the JDK, each result compared; the seed is the same for all kinds of
 * stores, so a difference between them is one red test.
 */
final class CollectionModelTest {
    private static final int STEPS = Form.size(200, 6_000, 40_000);
    private static final int KEYS = 40;
    private static final int LONG_CHARS = 3_000;
    private static final int SPLIT_STEPS = 20;

    private final long seed = Seed.first();
    private final SplittableRandom random = new SplittableRandom(seed);

    private String text() {
        int number = random.nextInt(1000);
        return random.nextInt(12) == 0 ? "t".repeat(random.nextInt(LONG_CHARS)) + number : "t" + number;
    }

    private String key() {
        return "k" + random.nextInt(KEYS);
    }

    private void same(Object expected, Object actual, String operation) {
        assertEquals(expected, actual, () -> operation + " " + Seed.reproduce(CollectionModelTest.class, seed));
    }

    // ---- maps ----

    private void change(ConcurrentMap<String, String> map, Map<String, String> model) {
        String key = key();
        String value = text();
        String other = model.getOrDefault(key(), value);
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> same(model.put(key, value), map.put(key, value), "put");
            case 3 -> same(model.putIfAbsent(key, value), map.putIfAbsent(key, value), "putIfAbsent");
            case 4 -> same(model.remove(key), map.remove(key), "remove");
            case 5 -> same(model.remove(key, other), map.remove(key, other), "remove of a value");
            case 6 -> same(model.replace(key, value), map.replace(key, value), "replace");
            case 7 -> same(model.replace(key, other, value), map.replace(key, other, value), "replace of a value");
            case 8 -> same(model.merge(key, "m", String::concat), map.merge(key, "m", String::concat), "merge");
            case 9 -> same(model.compute(key, (_, old) -> old == null ? "c" : null),
                map.compute(key, (_, old) -> old == null ? "c" : null), "compute");
            case 10 -> same(model.computeIfAbsent(key, _ -> value), map.computeIfAbsent(key, _ -> value),
                "computeIfAbsent");
            case 11 -> same(model.computeIfPresent(key, (_, old) -> old.length() > 9 ? null : old + "p"),
                map.computeIfPresent(key, (_, old) -> old.length() > 9 ? null : old + "p"), "computeIfPresent");
            case 12 -> {
                model.putAll(Map.of(key, value, "x" + key, other));
                map.putAll(Map.of(key, value, "x" + key, other));
            }
            case 13 -> {
                if (random.nextInt(20) == 0) {
                    model.replaceAll((name, old) -> old.length() > LONG_CHARS ? name : old + name);
                    map.replaceAll((name, old) -> old.length() > LONG_CHARS ? name : old + name);
                }
            }
            case 14 -> same(model.keySet().removeIf(key::equals), map.keySet().removeIf(key::equals), "removeIf");
            default -> {
                same(model.get(key), map.get(key), "get");
                same(model.size(), map.size(), "size");
                same(model.containsValue(other), map.containsValue(other), "containsValue");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void map(Fresh kind) {
        ChunkMap<String, String> map = kind.store().map(Fresh.unused(), Codecs.STRING, Codecs.STRING);
        Map<String, String> model = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            change(map, model);
        }
        same(model, map, "all entries");
        same(new HashMap<>(map), model, "all entries of a walk");
        same(model, map.getAll(model.keySet()), "getAll");
        map.audit();
        kind.dropAll();
    }

    @ParameterizedTest
    @EnumSource
    void sortedMap(Fresh kind) {
        sortedMap(kind.store().sortedMap(Fresh.unused(), Codecs.STRING, Codecs.STRING, Comparator.reverseOrder()),
            _ -> { });
        kind.dropAll();
    }

    /** The map is split into ranges while it is used. */
    @Test
    void sortedMap_inRanges() {
        ClusterStore store = (ClusterStore) Fresh.CLUSTER.store();
        ChunkSortedMap<String, String> map = store.sortedMap(Fresh.unused(), Codecs.STRING, Codecs.STRING,
            Comparator.reverseOrder());
        sortedMap(map, step -> {
            if (step % SPLIT_STEPS == 0) {
                same(true, store.ranges(map).splitAt(key()), "splitAt");
            }
        });
        Fresh.CLUSTER.dropAll();
    }

    private void sortedMap(ChunkSortedMap<String, String> map, IntConsumer before) {
        NavigableMap<String, String> model = new TreeMap<>(Comparator.reverseOrder());
        for (int step = 0; step < STEPS; step++) {
            before.accept(step);
            if (random.nextInt(3) > 0) {
                change(map, model);
                continue;
            }
            String key = key();
            boolean isIn = random.nextBoolean();
            switch (random.nextInt(7)) {
                case 0 -> same(model.higherEntry(key), map.higherEntry(key), "higherEntry");
                case 1 -> same(model.floorKey(key), map.floorKey(key), "floorKey");
                case 2 -> same(model.pollFirstEntry(), map.pollFirstEntry(), "pollFirstEntry");
                case 3 -> same(model.pollLastEntry(), map.pollLastEntry(), "pollLastEntry");
                case 4 -> same(List.copyOf(model.headMap(key, isIn).values()), List.copyOf(map.headMap(key, isIn)
                    .values()), "headMap");
                case 5 -> same(List.copyOf(model.tailMap(key, isIn).descendingMap().keySet()), List.copyOf(
                    map.tailMap(key, isIn).descendingMap().keySet()), "tailMap backwards");
                default -> same(model.descendingMap().ceilingEntry(key), map.descendingMap().ceilingEntry(key),
                    "ceilingEntry backwards");
            }
        }
        same(List.copyOf(model.entrySet()), List.copyOf(map.entrySet()), "all entries");
        map.audit();
    }

    @ParameterizedTest
    @EnumSource
    void functions(Fresh kind) {
        ChunkMap<String, Long> map = kind.store().map(Fresh.unused(), Codecs.STRING, Codecs.LONG);
        ChunkSortedMap<String, Long> sorted = kind.store().sortedMap(Fresh.unused(), Codecs.STRING, Codecs.LONG);
        Map<String, Long> model = new HashMap<>();
        for (int step = 0; step < STEPS / 2; step++) {
            String key = key();
            long number = random.nextInt(-50, 50);
            Long before = model.get(key);
            ValueChange<Number> change = random.nextBoolean() ? ValueChange.add(number) : ValueChange.max(number);
            long after = before == null ? number : change.function() == ValueChange.Function.ADD ? before + number
                : Math.max(before, number);
            model.put(key, after);
            if (random.nextBoolean()) {
                same(after, map.apply(key, change), "apply " + change);
                same(after, sorted.apply(key, change), "apply of a sorted map " + change);
            } else {
                same(!Objects.equals(before, after), map.modify(key, change), "modify " + change);
                same(!Objects.equals(before, after), sorted.modify(key, change), "modify of a sorted map " + change);
            }
        }
        same(model, map, "all entries");
        same(model, sorted, "all entries of the sorted map");
        kind.dropAll();
    }

    // ---- lists, queues, sets ----

    @ParameterizedTest
    @EnumSource
    void list(Fresh kind) {
        ChunkList<String> list = kind.store().list(Fresh.unused(), Codecs.STRING);
        List<String> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int index = random.nextInt(model.size() + 1);
            String text = text();
            switch (random.nextInt(9)) {
                case 0, 1 -> same(model.add(text), list.add(text), "add");
                case 2 -> {
                    model.add(index, text);
                    list.add(index, text);
                }
                case 3 -> {
                    model.addAll(List.of(text, "a"));
                    list.addAll(List.of(text, "a"));
                }
                case 4 -> {
                    if (index < model.size()) {
                        same(model.set(index, text), list.set(index, text), "set");
                        same(model.remove(index), list.remove(index), "remove");
                    } else {
                        assertThrows(IndexOutOfBoundsException.class, () -> list.get(index));
                    }
                }
                case 5 -> same(model.indexOf(text), list.indexOf(text), "indexOf");
                case 6 -> same(model.removeIf(text::equals), list.removeIf(text::equals), "removeIf");
                case 7 -> same(model.subList(0, index), new ArrayList<>(list.subList(0, index)), "subList");
                default -> {
                    if (model.size() > KEYS) {
                        model.subList(KEYS / 2, model.size()).clear();
                        list.subList(KEYS / 2, list.size()).clear();
                    }
                }
            }
        }
        same(model, list, "all elements");
        list.audit();
        kind.dropAll();
    }

    @ParameterizedTest
    @EnumSource
    void queue(Fresh kind) {
        ChunkQueue<String> queue = kind.store().queue(Fresh.unused(), Codecs.STRING);
        Queue<String> model = new ArrayDeque<>();
        for (int step = 0; step < STEPS; step++) {
            String text = text();
            switch (random.nextInt(6)) {
                case 0, 1 -> same(model.offer(text), queue.offer(text), "offer");
                case 2, 3 -> same(model.poll(), queue.poll(), "poll");
                case 4 -> same(model.peek(), queue.peek(), "peek");
                default -> same(model.removeIf(each -> each.length() > LONG_CHARS / 2), queue.removeIf(
                    each -> each.length() > LONG_CHARS / 2), "removeIf");
            }
        }
        same(List.copyOf(model), List.copyOf(queue), "all elements");
        queue.audit();
        kind.dropAll();
    }

    @ParameterizedTest
    @EnumSource
    void set(Fresh kind) {
        ChunkSet<String> set = kind.store().set(Fresh.unused(), Codecs.STRING);
        Set<String> model = new HashSet<>();
        for (int step = 0; step < STEPS; step++) {
            String key = key();
            List<String> more = List.of(key(), key());
            switch (random.nextInt(6)) {
                case 0, 1 -> same(model.add(key), set.add(key), "add");
                case 2 -> same(model.remove(key), set.remove(key), "remove");
                case 3 -> same(model.addAll(more), set.addAll(more), "addAll");
                case 4 -> same(model.removeAll(more), set.removeAll(more), "removeAll");
                default -> same(model.containsAll(more), set.containsAll(more), "containsAll");
            }
        }
        same(model, set, "all elements");
        set.audit();
        kind.dropAll();
    }

    // ---- what a cluster refuses ----

    /** Each refusal of a cluster by its name; a local store does all of this. */
    private enum Refused {
        /** The value is in the memory of the owner, and the scope is code of the client. */
        READ_IN_PLACE(store -> filled(store).read("k", _ -> { })),
        /** As reads in place. */
        UPDATE_IN_PLACE(store -> filled(store).update("k", _ -> { })),
        /** As reads in place. */
        SORTED_UPDATE_IN_PLACE(store -> store.sortedMap("refused sorted", Codecs.STRING, Codecs.STRING).update("k",
            _ -> { })),
        /** An owner lacks the class of the comparator. */
        COMPARATOR(store -> store.sortedMap("refused order", Codecs.STRING, Codecs.STRING,
            Comparator.comparing(String::length))),
        /** Other clients would change the list while a part of the elements is in order. */
        SORT(store -> {
            List<String> list = store.list("refused list", Codecs.STRING);
            list.addAll(List.of("b", "a"));
            list.sort(null);
        });

        private final Step step;

        Refused(Step step) {
            this.step = step;
        }

        private interface Step {
            void run(ChunkStore store);
        }

        private static ChunkMap<String, String> filled(ChunkStore store) {
            ChunkMap<String, String> map = store.map("refused map", Codecs.STRING, Codecs.STRING);
            map.put("k", "v");
            return map;
        }
    }

    @ParameterizedTest
    @EnumSource
    void refused(Refused each) {
        each.step.run(Fresh.LOCAL.store());
        RuntimeException thrown = assertThrows(RuntimeException.class, () -> each.step.run(Fresh.CLUSTER.store()));
        assertEquals(each == Refused.COMPARATOR ? IllegalArgumentException.class : UnsupportedOperationException.class,
            thrown.getClass(), thrown::toString);
        Fresh.LOCAL.dropAll();
        Fresh.CLUSTER.dropAll();
    }
}

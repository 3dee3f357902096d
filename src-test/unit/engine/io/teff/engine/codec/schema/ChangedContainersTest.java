package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import java.lang.invoke.MethodHandles;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Goal: a collection for many threads is written as the collection was at one moment. A change of a collection for a
 * single thread during a write refuses the value, by a ConcurrentModificationException.
 *
 * <p>Method: the codec of the elements changes the collection while the codec writes an element, at once and in parts.
 */
final class ChangedContainersTest {
    private static final int COUNT = 100;

    /** An element; the codec runs the action at the first write. */
    private record Tick(int number) implements Comparable<Tick> {
        @Override
        public int compareTo(Tick other) {
            return Integer.compare(number, other.number);
        }
    }

    /** A record with collections of elements. */
    private record Content(Collection<Tick> elements, Map<Tick, Tick> entries) {}

    private Runnable action = () -> { };

    private final Schema<Content> schema = Schema.builder(Content.class).lookup(MethodHandles.lookup())
        .storeAs(Tick.class, Integer.class, tick -> {
            Runnable once = action;
            action = () -> { };
            once.run();
            return tick.number;
        }, Tick::new).build();

    private static Content read(Codec<Content> codec, byte[] bytes, int length) {
        return codec.read(new Input(bytes, 0, length));
    }

    private Content written(Content content) {
        Output out = Output.growing(16);
        schema.write(content, out);
        return read(schema, out.array(), out.size());
    }

    private Content writtenInParts(Content content) {
        PartialWriter<Content> writer = schema.partialWriter();
        writer.begin(content);
        byte[] bytes = new byte[1 << 16];
        int length = 0;
        while (!writer.isDone()) {
            length += writer.write(bytes, length, 1);
        }
        return read(schema, bytes, length);
    }

    private static List<Tick> ticks(int count) {
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ticks.add(new Tick(i));
        }
        return ticks;
    }

    private static <C extends Collection<Tick>> C filled(C target) {
        target.addAll(ticks(COUNT));
        return target;
    }

    private static <M extends Map<Tick, Tick>> M filled(M target) {
        ticks(COUNT).forEach(tick -> target.put(tick, tick));
        return target;
    }

    private void checkMoment(Collection<Tick> elements) {
        Content content = new Content(elements, Map.of());
        for (Consumer<Collection<Tick>> change : changes()) {
            elements.clear();
            filled(elements);
            action = () -> change.accept(elements);
            assertEquals(new HashSet<>(ticks(COUNT)), new HashSet<>(written(content).elements),
                elements.getClass().getName());
            elements.clear();
            filled(elements);
            action = () -> change.accept(elements);
            assertEquals(new HashSet<>(ticks(COUNT)), new HashSet<>(writtenInParts(content).elements),
                elements.getClass().getName());
        }
    }

    private static List<Consumer<Collection<Tick>>> changes() {
        return List.of(Collection::clear, all -> all.remove(new Tick(COUNT - 1)), all -> all.add(new Tick(COUNT)));
    }

    private static List<BiConsumer<Map<Tick, Tick>, Tick>> changesOfMaps() {
        return List.of((map, _) -> map.clear(), Map::remove, (map, _) -> map.put(new Tick(COUNT), new Tick(1)));
    }

    @Test
    void collectionsForManyThreads_areWrittenAsOfOneMoment() {
        for (Collection<Tick> each : List.<Collection<Tick>>of(new CopyOnWriteArrayList<>(),
            new CopyOnWriteArraySet<>(), new ConcurrentLinkedQueue<>(), new ConcurrentLinkedDeque<>(),
            new ConcurrentSkipListSet<>(), ConcurrentHashMap.newKeySet(), new LinkedBlockingQueue<>(),
            new PriorityBlockingQueue<>(), new Vector<>(), Collections.synchronizedList(new ArrayList<>()),
            Collections.synchronizedSet(new HashSet<>()), Collections.newSetFromMap(new ConcurrentHashMap<>()))) {
            checkMoment(each);
        }
    }

    @Test
    void viewsOfCollectionsForManyThreads_areWrittenAsOfOneMoment() {
        List<Tick> list = filled(new CopyOnWriteArrayList<Tick>());
        action = list::clear;
        assertEquals(ticks(COUNT), written(new Content(Collections.unmodifiableList(list), Map.of())).elements);
        Map<Tick, Tick> map = filled(new ConcurrentHashMap<Tick, Tick>());
        action = map::clear;
        assertEquals(COUNT, written(new Content(map.values(), Map.of())).elements.size());
        filled(map);
        action = map::clear;
        assertEquals(COUNT, writtenInParts(new Content(map.keySet(), Map.of())).elements.size());
        filled(map);
        action = map::clear;
        assertEquals(COUNT, written(new Content(List.of(), Collections.unmodifiableMap(map))).entries.size());
    }

    @Test
    void mapsForManyThreads_areWrittenAsOfOneMoment() {
        for (Map<Tick, Tick> each : List.of(new ConcurrentHashMap<Tick, Tick>(),
            new ConcurrentSkipListMap<Tick, Tick>(), Collections.synchronizedMap(new TreeMap<Tick, Tick>()))) {
            Content content = new Content(List.of(), each);
            for (BiConsumer<Map<Tick, Tick>, Tick> change : changesOfMaps()) {
                each.clear();
                filled(each);
                action = () -> change.accept(each, new Tick(COUNT - 1));
                assertEquals(filled(new HashMap<Tick, Tick>()), written(content).entries);
                each.clear();
                filled(each);
                action = () -> change.accept(each, new Tick(COUNT - 1));
                assertEquals(filled(new HashMap<Tick, Tick>()), writtenInParts(content).entries);
            }
        }
    }

    /** A map whose first iterators show the first key again, as if the key was removed and put behind the others. */
    private static final class Twice extends ConcurrentHashMap<Tick, Tick> {
        private static final long serialVersionUID = 1;
        private int copies;

        @Override
        public Set<Entry<Tick, Tick>> entrySet() {
            List<Entry<Tick, Tick>> shown = new ArrayList<>(super.entrySet());
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<Tick, Tick>> iterator() {
                    List<Entry<Tick, Tick>> next = new ArrayList<>(shown);
                    if (copies++ < 3) {
                        next.add(shown.getFirst());
                    }
                    return next.iterator();
                }

                @Override
                public int size() {
                    return shown.size();
                }
            };
        }
    }

    @Test
    void keyShownTwice_isWrittenOnce() {
        Content content = new Content(List.of(), filled(new Twice()));
        assertEquals(filled(new HashMap<Tick, Tick>()), written(content).entries);
        assertEquals(filled(new HashMap<Tick, Tick>()), writtenInParts(content).entries);
    }

    private static void refused(Runnable write) {
        assertThrows(ConcurrentModificationException.class, write::run);
    }

    @Test
    void ordinaryCollections_areRefused_ifTheyChange() {
        for (Collection<Tick> each : List.<Collection<Tick>>of(new ArrayList<>(), new LinkedList<>(),
            new HashSet<>(), new TreeSet<>())) {
            for (Consumer<Collection<Tick>> change : changes()) {
                each.clear();
                filled(each);
                action = () -> change.accept(each);
                refused(() -> written(new Content(each, Map.of())));
                each.clear();
                filled(each);
                action = () -> change.accept(each);
                refused(() -> writtenInParts(new Content(each, Map.of())));
            }
        }
    }

    @Test
    void ordinaryMaps_areRefused_ifTheyChange() {
        for (Map<Tick, Tick> each : List.of(new HashMap<Tick, Tick>(), new TreeMap<Tick, Tick>())) {
            for (BiConsumer<Map<Tick, Tick>, Tick> change : changesOfMaps()) {
                each.clear();
                filled(each);
                action = () -> change.accept(each, new Tick(COUNT - 1));
                refused(() -> written(new Content(List.of(), each)));
                each.clear();
                filled(each);
                action = () -> change.accept(each, new Tick(COUNT - 1));
                refused(() -> writtenInParts(new Content(List.of(), each)));
            }
        }
    }
}

package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a walk over a list shows each element that is present throughout exactly once, in the order of the list, and no
 * element twice, whatever is inserted and removed meanwhile. Method: walks of all kinds beside random changes in one
 * thread, so changes come at any step of a walk. Each element is added once, so a model knows what a walk must show.
 */
@Tag("modes")
final class ListIterationTest {
    private static final int ROUNDS = Form.size(12, 60, 600);
    private static final int STEPS = 400;
    private static final int WALKS = 6;
    private static final String LONG = "long".repeat(200);

    private final Store store = Stores.open();
    private final ChunkList<String> list = store.list("list", Codecs.STRING);
    private final List<String> model = new ArrayList<>();
    private final List<Walk> walks = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom(0);
    private int made;

    @AfterEach
    void close() {
        list.audit();
        store.audit();
        store.close();
    }

    /** A walk, and what it must show. */
    private abstract class Walk {
        /** The elements that were present at the begin, and still are. */
        final Set<String> wanted = new HashSet<>(model);

        /** Makes steps; returns false at the end. */
        abstract boolean advance(int steps);

        /** Returns the shown elements, in the order of the list. */
        abstract List<String> shown();

        void check() {
            List<String> shown = shown();
            assertEquals(shown.size(), new HashSet<>(shown).size(), () -> this + " shows twice: " + twice(shown));
            Set<String> missing = new HashSet<>(wanted);
            shown.forEach(missing::remove);
            assertEquals(List.of(), missing.stream().map(ListIterationTest::brief).toList(),
                () -> this + " shows only " + shown.stream().map(ListIterationTest::brief).toList());
            List<String> present = new ArrayList<>(shown);
            present.retainAll(new HashSet<>(model));
            List<String> ordered = new ArrayList<>(model);
            ordered.retainAll(new HashSet<>(present));
            assertEquals(ordered, present, () -> this + " shows another order");
        }
    }

    /** A list iterator in one direction, which may change the list, too. */
    private final class Directed extends Walk {
        private final boolean isBack = random.nextBoolean();
        private final boolean isChanging = random.nextInt(3) == 0;
        private final ListIterator<String> iterator = isBack ? list.listIterator(list.size()) : list.listIterator();
        private final List<String> shown = new ArrayList<>();

        @Override
        boolean advance(int steps) {
            for (int i = 0; i < steps; i++) {
                if (!(isBack ? iterator.hasPrevious() : iterator.hasNext())) {
                    return false;
                }
                shown.add(isBack ? iterator.previous() : iterator.next());
                if (isChanging) {
                    change();
                }
            }
            return true;
        }

        private void change() {
            int at = model.indexOf(shown.getLast());
            switch (random.nextInt(12)) {
                case 0 -> {
                    peek();
                    iterator.remove();
                    if (at >= 0) {
                        removed(model.remove(at));
                    }
                }
                case 1 -> {
                    peek();
                    String element = element();
                    iterator.set(element);
                    if (at >= 0) {
                        removed(model.set(at, element));
                        shown.add(element);
                    }
                    if (random.nextBoolean()) {
                        iterator.remove();
                        if (at >= 0) {
                            removed(model.remove(at));
                        }
                    }
                }
                case 2 -> {
                    peek();
                    String element = element();
                    iterator.add(element);
                    model.add(list.indexOf(element), element);
                }
                default -> { }
            }
        }

        @SuppressWarnings("ReturnValueIgnored")
        private void peek() {
            if (random.nextBoolean()) {
                iterator.hasNext();
            }
            if (random.nextBoolean()) {
                iterator.hasPrevious();
            }
        }

        @Override
        List<String> shown() {
            return isBack ? shown.reversed() : shown;
        }

        @Override
        public String toString() {
            return isBack ? "walk to the front" : "walk to the end";
        }
    }

    /** Spliterators, which are split and advanced at random. */
    private final class Split extends Walk {
        private final List<Spliterator<String>> parts = new ArrayList<>(List.of(list.spliterator()));
        private final List<List<String>> shown = new ArrayList<>(List.of(new ArrayList<>()));

        @Override
        boolean advance(int steps) {
            for (int i = 0; i < steps; i++) {
                int part = random.nextInt(parts.size());
                Spliterator<String> front = parts.size() < 10 && random.nextInt(8) == 0 ? parts.get(part).trySplit()
                    : null;
                if (front != null) {
                    parts.add(part, front);
                    shown.add(part + 1, new ArrayList<>());
                }
                for (int j = 0; j < parts.size(); j++) {
                    int each = (part + j) % parts.size();
                    if (parts.get(each).tryAdvance(shown.get(each)::add)) {
                        break;
                    }
                    if (j == parts.size() - 1) {
                        return false;
                    }
                }
            }
            return true;
        }

        @Override
        List<String> shown() {
            return shown.stream().flatMap(List::stream).toList();
        }

        @Override
        public String toString() {
            return "walk in " + parts.size() + " parts";
        }
    }

    private static List<String> twice(List<String> shown) {
        Set<String> seen = new HashSet<>();
        return shown.stream().filter(element -> !seen.add(element)).map(ListIterationTest::brief).toList();
    }

    private static String brief(String element) {
        return element.startsWith(LONG) ? "long" + element.substring(LONG.length()) : element;
    }

    private String element() {
        made++;
        return made % 40 == 0 ? LONG + made : made + "-" + "s".repeat(made % 7);
    }

    private void removed(String element) {
        for (Walk walk : walks) {
            walk.wanted.remove(element);
        }
    }

    // ---- changes ----

    private void change(int growth) {
        int center = random.nextInt(model.size() + 1);
        int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 300 : 20);
        switch (random.nextInt(20)) {
            case 0 -> addAll(center, count);
            case 1 -> addAll(model.size(), count);
            case 2 -> removeRange(center, Math.min(model.size(), center + count));
            case 3 -> removeIf(2 + random.nextInt(3));
            case 4 -> replaceSome(center, count);
            case 5 -> {
                if (random.nextInt(20) == 0) {
                    model.forEach(this::removed);
                    model.clear();
                    list.clear();
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    single(center, growth);
                }
            }
        }
    }

    private void single(int center, int growth) {
        int index = Math.min(model.size(), Math.max(0, center - 5 + random.nextInt(10)));
        if (index == model.size() || random.nextInt(10) < growth) {
            addAll(index, 1);
        } else {
            removed(model.remove(index));
            list.remove(index);
        }
    }

    private void addAll(int index, int count) {
        List<String> added = IntStream.range(0, count).mapToObj(_ -> element()).toList();
        model.addAll(index, added);
        list.addAll(index, added);
    }

    private void removeRange(int from, int to) {
        model.subList(from, to).forEach(this::removed);
        model.subList(from, to).clear();
        list.subList(from, to).clear();
    }

    private void removeIf(int divisor) {
        model.stream().filter(element -> element.hashCode() % divisor != 0).forEach(this::removed);
        model.removeIf(element -> element.hashCode() % divisor != 0);
        list.removeIf(element -> element.hashCode() % divisor != 0);
    }

    private void replaceSome(int from, int count) {
        for (int i = from; i < Math.min(model.size(), from + count); i++) {
            String element = element();
            removed(model.set(i, element));
            list.setAt(i, element);
        }
    }

    @Test
    void anyWalkBesideAnyChanges_showsWhatStaysOnce() {
        long seed = Seed.first();
        random = Seed.random(seed);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                int growth = 3 + random.nextInt(5);
                addAll(model.size(), random.nextInt(1500));
                for (int step = 0; step < STEPS; step++) {
                    step(growth);
                }
                list.audit();
                assertEquals(model, list);
                model.forEach(this::removed);
                model.clear();
                list.clear();
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(ListIterationTest.class, seed), e);
        }
    }

    private void step(int growth) {
        if (walks.size() < WALKS) {
            walks.add(random.nextInt(3) == 0 ? new Split() : new Directed());
        }
        change(model.size() > 3000 ? 0 : growth);
        Walk walk = walks.get(random.nextInt(walks.size()));
        if (!walk.advance(random.nextInt(random.nextInt(4) == 0 ? 500 : 100))) {
            walk.check();
            walks.remove(walk);
        }
    }

    // ---- single cases ----

    private List<String> rest(ListIterator<String> walk) {
        List<String> shown = new ArrayList<>();
        walk.forEachRemaining(shown::add);
        return shown;
    }

    /** Appended elements are shown, as long as nothing else has changed the list. */
    @Test
    void walk_showsWhatIsAppended() {
        addAll(0, 64);
        ListIterator<String> walk = list.listIterator();
        assertEquals(model, rest(walk));
        addAll(64, 100);
        assertEquals(model.subList(64, 164), rest(walk));
        walk = list.listIterator();
        walk.next();
        list.removeFirst();
        model.removeFirst();
        list.addFirst("front");
        assertEquals(model, rest(walk));
    }

    @Test
    void walkBesideClear_endsWithTheCopiedElements() {
        addAll(0, 200);
        ListIterator<String> walk = list.listIterator(100);
        assertEquals(model.get(100), walk.next());
        Spliterator<String> back = list.spliterator();
        Spliterator<String> front = back.trySplit();
        list.clear();
        list.addAll(List.of("x", "y"));
        List<String> shown = rest(walk);
        List<String> copied = model.subList(101, 128);
        assertEquals(copied.stream().filter(element -> !element.startsWith(LONG)).toList(), shown);
        List<String> seen = new ArrayList<>();
        back.forEachRemaining(seen::add);
        assertEquals(List.of(), seen);
        assertTrue(front == null || front.estimateSize() >= 0);
        assertNull(list.spliterator().trySplit());
    }

    /** Many places end up in one segment; one of them is used at last. */
    @Test
    void walksFromManySegments_goOnWhereTheyWere() {
        addAll(0, 64 * 100);
        List<ListIterator<String>> all = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            ListIterator<String> walk = list.listIterator(i * 64 + 63);
            assertEquals(model.get(i * 64 + 63), walk.next());
            all.add(walk);
        }
        list.removeIf(element -> Integer.parseInt(element.substring(element.startsWith("long") ? LONG.length() : 0)
            .split("-")[0]) % 320 != 200);
        List<String> left = new ArrayList<>(list);
        assertEquals(20, left.size());
        for (int i = 0; i < 99; i++) {
            int behind = (i + 1) * 64;
            List<String> expected = left.stream().filter(element -> model.indexOf(element) >= behind).toList();
            assertEquals(expected, rest(all.get(i)), "walk " + i);
        }
    }

    /** The reverse view beside that of an ArrayList; a walk of the view beside removals. */
    @Test
    void reversed_isTheListFromTheEnd() {
        random = Seed.random(Seed.first());
        addAll(0, 200);
        List<String> view = list.reversed();
        List<String> expected = model.reversed();
        ListIterator<String> walk = view.listIterator();
        ListIterator<String> twin = expected.listIterator();
        for (int i = 0; i < 500; i++) {
            assertEquals(twin.nextIndex(), walk.nextIndex());
            assertEquals(twin.previousIndex(), walk.previousIndex());
            boolean isForwards = twin.hasNext() && (random.nextInt(5) > 1 || !twin.hasPrevious());
            assertEquals(isForwards ? twin.next() : twin.previous(), isForwards ? walk.next() : walk.previous());
            String element = element();
            switch (random.nextInt(6)) {
                case 0 -> {
                    twin.add(element);
                    walk.add(element);
                }
                case 1 -> {
                    twin.remove();
                    walk.remove();
                }
                case 2 -> {
                    twin.set(element);
                    walk.set(element);
                }
                default -> { }
            }
            assertEquals(expected, view);
        }
        view.addFirst("first");
        view.add(3, "third");
        view.addLast("last");
        assertEquals(List.of("first", "third", "last"), List.of(list.getLast(), list.get(list.size() - 4),
            list.getFirst()));
        assertEquals("first", view.removeFirst());
        assertEquals("last", view.removeLast());
        assertEquals("third", view.remove(2));
        assertEquals(model, list);
        assertEquals(expected, view.stream().toList());
        assertEquals(list, view.reversed());
        assertEquals(model.getLast(), view.set(0, "set"));
        Iterator<String> rest = view.iterator();
        list.removeIf(each -> !each.equals("set"));
        assertEquals("set", rest.next());
    }
}

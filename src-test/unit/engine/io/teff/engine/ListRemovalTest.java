package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a list removes and replaces the element that was found or shown, never another one that was moved to its index.
 * Method: changes at the moment in which another thread could make them; and threads that each add and remove only
 * their own element.
 */
@Tag("modes")
final class ListRemovalTest {
    private static final int ROUNDS = Form.size(500, 40_000);
    private static final int COUNT = 200;
    private static final String LONG = "long".repeat(300);

    private final Store store = Stores.open();
    private final ChunkList<String> list = store.list("list", Codecs.STRING);

    @AfterEach
    void close() {
        list.audit();
        store.audit();
        store.close();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> i % 7 == 3 ? LONG + i : "e" + i).toList();
    }

    /** An object that equals one string, and changes the list at its first comparison, or at the first that fits. */
    private static final class Sought {
        private final String wanted;
        private final boolean isAtMatch;
        private Runnable action;

        Sought(String wanted, Runnable action) {
            this(wanted, action, false);
        }

        Sought(String wanted, Runnable action, boolean isAtMatch) {
            this.wanted = wanted;
            this.action = action;
            this.isAtMatch = isAtMatch;
        }

        @Override
        @SuppressWarnings("EqualsUnsafeCast")
        public boolean equals(Object other) {
            if (!isAtMatch || wanted.equals(other)) {
                Runnable first = action;
                action = () -> { };
                first.run();
            }
            return wanted.equals(other);
        }

        @Override
        public int hashCode() {
            return wanted.hashCode();
        }
    }

    // ---- searches ----

    @Test
    void remove_findsAnElementThatMovesDuringTheSearch() {
        for (String sought : List.of("e64", LONG + 66, "e198")) {
            list.clear();
            list.addAll(numbers(COUNT));
            assertTrue(list.remove((Object) new Sought(sought, () -> list.add(0, "x"))));
            assertFalse(list.contains(sought));
            assertEquals(COUNT, list.size());
            list.clear();
            list.addAll(numbers(COUNT));
            assertTrue(list.remove((Object) new Sought(sought, () -> list.remove(0))));
            assertFalse(list.contains(sought));
            assertEquals(COUNT - 2, list.size());
            list.clear();
            list.addAll(numbers(COUNT));
            assertTrue(list.remove((Object) new Sought(sought, () -> list.add(0, "x"), true)));
            assertFalse(list.contains(sought));
            assertEquals(COUNT, list.size());
            assertFalse(list.remove((Object) new Sought("x", () -> list.remove("x"), true)));
            assertEquals(COUNT - 1, list.size());
        }
    }

    @Test
    @SuppressWarnings("CollectionIncompatibleType")
    void searches_seeTheListAtOneMoment() {
        list.addAll(numbers(COUNT));
        // an element that moves towards the front, from one index to another, and towards the end
        assertEquals(63, list.indexOf(new Sought("e64", () -> list.remove(0))));
        assertEquals(0, list.indexOf(new Sought("e198", () -> {
            list.set(0, "e198");
            list.set(197, "other");
        })));
        assertTrue(list.contains(new Sought("e199", () -> list.add(0, "e199"))));
        assertEquals(0, list.lastIndexOf(new Sought("e199", () -> list.remove(list.size() - 1))));
        assertFalse(list.remove((Object) new Sought("e100", () -> list.remove("e100"))));
        assertEquals(-1, list.indexOf(null));
        assertFalse(list.contains(null));
        assertFalse(list.remove(null));
    }

    // ---- walks ----

    @Test
    void iterator_removesTheElementThatItHasShown() {
        for (String shown : List.of("e64", LONG + 66, "e198")) {
            for (Runnable change : List.<Runnable>of(() -> list.add(0, "x"), () -> list.remove(0),
                () -> list.subList(0, 20).clear(), () -> list.addAll(0, List.of("x", "y", "z")))) {
                list.clear();
                list.addAll(numbers(COUNT));
                Iterator<String> iterator = walkBehind(shown);
                change.run();
                int size = list.size();
                iterator.remove();
                assertFalse(list.contains(shown));
                assertEquals(size - 1, list.size());
            }
        }
    }

    @Test
    void iterator_removesNothing_ifTheElementIsGoneOrReplaced() {
        list.addAll(numbers(COUNT));
        Iterator<String> iterator = walkBehind("e64");
        list.remove("e64");
        iterator.remove();
        assertEquals(COUNT - 1, list.size());
        ListIterator<String> walk = walkBehind("e65");
        list.set(list.indexOf("e65"), "new");
        walk.remove();
        assertTrue(list.contains("new"));
        walk = walkBehind("new");
        list.clear();
        walk.set("other");
        walk.add("added");
        assertEquals(List.of("added"), list);
    }

    @Test
    void iterator_replacesTheElementThatItHasShown() {
        list.addAll(numbers(COUNT));
        ListIterator<String> walk = walkBehind("e64");
        list.remove(0);
        walk.set("set");
        assertEquals("set", list.get(63));
        walk.set(LONG);
        list.remove(0);
        walk.set("last");
        assertEquals("last", list.get(62));
        assertEquals(LONG + 66, list.get(64));
        walk.remove();
        assertFalse(list.contains("last"));
    }

    @SuppressWarnings("ReturnValueIgnored")
    private ListIterator<String> walkBehind(String element) {
        ListIterator<String> walk = list.listIterator();
        while (!walk.next().equals(element)) {
            continue;
        }
        walk.hasNext();
        return walk;
    }

    // ---- many elements ----

    @Test
    void bulkOperations_areOneStepForWriters() {
        list.addAll(numbers(COUNT));
        assertThrows(IllegalStateException.class, () -> list.removeIf(_ -> list.add("x")));
        assertThrows(IllegalStateException.class, () -> list.replaceAll(old -> old + list.remove(0)));
        assertThrows(IllegalStateException.class, () -> list.sort((_, _) -> list.add("x") ? 1 : 0));
        assertEquals(numbers(COUNT), list);
        assertTrue(list.removeIf(element -> element.startsWith(LONG)));
        list.replaceAll(element -> element.equals("e0") ? LONG : element + "!");
        list.sort(Comparator.reverseOrder());
        assertEquals(LONG, list.getFirst());
        assertEquals("e1!", list.getLast());
        assertTrue(list.retainAll(List.of("e1!", "e2!", LONG)));
        assertEquals(List.of(LONG, "e2!", "e1!"), list);
        assertTrue(list.removeAll(List.of("e2!", "e3!")));
        assertFalse(list.removeIf(_ -> false));
        assertEquals(List.of(LONG, "e1!"), list);
    }

    @Test
    void ends_areThoseOfOneMoment() {
        list.addAll(numbers(3));
        assertEquals("e0", list.getFirst());
        assertEquals("e2", list.getLast());
        assertEquals("e2", list.removeLast());
        assertEquals("e0", list.removeFirst());
        assertEquals("e1", list.removeFirst());
        assertThrows(NoSuchElementException.class, list::removeFirst);
        assertThrows(NoSuchElementException.class, list::removeLast);
        assertThrows(NoSuchElementException.class, list::getFirst);
        assertThrows(NoSuchElementException.class, list::getLast);
    }

    // ---- many threads ----

    @Test
    void eachThread_removesItsOwnElement() throws InterruptedException {
        list.addAll(numbers(10));
        Threads.runAll(4, number -> {
            String own = number == 0 ? LONG : "own" + number;
            for (int round = 0; round < ROUNDS; round++) {
                add(own, round);
                assertTrue(list.contains(own), "own element is gone");
                removeOwn(own, round);
                assertEquals(-1, list.indexOf(own), "own element is still there");
            }
        });
        assertEquals(numbers(10), list);
    }

    private void add(String own, int round) {
        if (round % 2 == 0) {
            list.add(own);
        } else {
            list.add(0, own);
        }
    }

    private void removeOwn(String own, int round) {
        switch (round % 3) {
            case 0 -> assertTrue(list.remove(own));
            case 1 -> assertTrue(list.removeIf(own::equals));
            default -> {
                ListIterator<String> walk = walkNear(own);
                boolean isShown = false;
                while (!isShown) {
                    walk = walk.hasNext() ? walk : list.listIterator();
                    isShown = walk.next().equals(own);
                }
                walk.remove();
            }
        }
    }

    /** Returns a walk from an element on, or from the begin if other threads have shortened the list meanwhile. */
    private ListIterator<String> walkNear(String element) {
        try {
            return list.listIterator(Math.max(list.indexOf(element), 0));
        } catch (IndexOutOfBoundsException _) {
            return list.listIterator();
        }
    }

    /** Threads that remove at both ends while others append get each element once. */
    @Test
    void ends_besideAppends_giveEachElementOnce() throws InterruptedException {
        int[] taken = new int[4];
        int each = ROUNDS;
        Threads.runAll(4, number -> {
            for (int i = 0; i < each; i++) {
                list.add(Integer.toString(number));
                String last = number % 2 == 0 ? list.removeLast() : list.removeFirst();
                synchronized (taken) {
                    taken[Integer.parseInt(last)]++;
                }
            }
        });
        assertEquals(0, list.size());
        for (int count : taken) {
            assertEquals(each, count);
        }
    }
}

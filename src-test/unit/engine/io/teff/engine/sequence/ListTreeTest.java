package io.teff.engine.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.collect.ChunkList;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: the counted tree of a list has the order and the counts of the segments, and keeps the places of walks where
 * they are. Method: random splits, joins, insertions and removals beside lists of numbers, counts and places; trees of
 * one to four levels.
 */
final class ListTreeTest {
    private static final int STEPS = Form.size(30_000, 100_000, 500_000);
    private static final int PLACES = 50;

    /** A segment of the model. */
    private record Segment(int number, int count) {}

    /** A place of a walk, and the number of elements in front of it. */
    private static final class Watched {
        private final ListPlace place;
        private long before;

        Watched(ListPlace place, long before) {
            this.place = place;
            this.before = before;
        }
    }

    private final ListTree tree = new ListTree();
    private final ListSpot spot = new ListSpot();
    private final List<Segment> model = new ArrayList<>();
    private final List<Watched> watched = new ArrayList<>();
    private final SplittableRandom random = Seed.random(Seed.first());
    private int numbers;

    private long before(int index) {
        return model.subList(0, index).stream().mapToLong(Segment::count).sum();
    }

    /** Moves the spot to a segment. */
    private void find(int index) {
        long element = before(index);
        if (model.get(index).count > 0) {
            assertTrue(spot.find(tree.root(), element));
        } else {
            assertTrue(spot.findFirst(tree.root()));
            for (int i = 0; i < index; i++) {
                assertTrue(spot.toNext());
            }
        }
        assertEquals(model.get(index).number, spot.number());
        assertEquals(model.get(index).count, spot.count());
        spot.at = 0;
        assertEquals(element, spot.index());
    }

    private void append() {
        int count = random.nextInt(ChunkList.SEGMENT + 1);
        tree.append(spot, numbers);
        tree.changeLast(spot, count);
        model.add(new Segment(numbers++, count));
    }

    private void split(int index) {
        find(index);
        Segment old = model.get(index);
        spot.at = random.nextInt(old.count + 1);
        model.set(index, new Segment(old.number, spot.at));
        model.add(index + 1, new Segment(numbers, old.count - spot.at));
        tree.split(spot, numbers);
        assertEquals(numbers++, spot.number());
    }

    private void join(int index) {
        Segment left = model.get(index);
        Segment right = model.get(index + 1);
        if (left.count + right.count <= ChunkList.SEGMENT) {
            find(index);
            ListSpot next = new ListSpot();
            next.set(spot);
            assertTrue(next.toNext());
            tree.join(spot, next);
            model.set(index, new Segment(left.number, left.count + right.count));
            model.remove(index + 1);
        }
    }

    private void change(int index) {
        find(index);
        Segment old = model.get(index);
        int elements = random.nextInt(ChunkList.SEGMENT + 1) - old.count;
        spot.at = random.nextInt(old.count - Math.max(-elements, 0) + 1);
        long at = spot.index();
        tree.change(spot, elements);
        model.set(index, new Segment(old.number, old.count + elements));
        for (Watched each : watched) {
            if (elements < 0) {
                each.before -= Math.clamp(each.before - at, 0, -elements);
            } else if (each.before > at || each.before == at && index(each.place) == at + elements) {
                each.before += elements;                        // at the boundary, either side is right
            }
        }
    }

    private static long index(ListPlace place) {
        ListSpot found = new ListSpot();
        assertTrue(found.find(place));
        return found.index();
    }

    private void watch(int index) {
        find(index);
        if (watched.size() == PLACES) {
            watched.remove(random.nextInt(PLACES));
        }
        watched.add(new Watched(spot.place(), before(index)));
    }

    private void check() {
        assertNull(tree.audit());
        ListSpot each = new ListSpot();
        long element = 0;
        boolean isThere = each.findFirst(tree.root());
        for (Segment segment : model) {
            assertTrue(isThere);
            assertEquals(segment.number, each.number());
            assertEquals(segment.count, each.count());
            for (int at = 0; at < segment.count; at += 7) {
                long location = tree.locate(element + at);
                assertEquals(segment.number, ListTree.numberOf(location));
                assertEquals(at, ListTree.offsetOf(location));
            }
            element += segment.count;
            isThere = each.toNext();
        }
        assertFalse(isThere);
        assertEquals(element, tree.root().size());
        assertTrue(tree.locate(element) < 0);
        for (int i = model.size() - 1; i > 0; i--) {
            assertTrue(each.toPrevious());
        }
        assertFalse(each.toPrevious());
        for (Watched place : watched) {
            assertEquals(place.before, index(place.place));
        }
    }

    @Test
    void anyChanges_keepOrderCountsAndPlaces() {
        try {
            for (int step = 0; step < STEPS; step++) {
                boolean isGrowing = step * 4L / STEPS % 2 == 0;
                step(isGrowing);
                if (step % (STEPS / 60) == 0) {
                    check();
                }
            }
            check();
            assertTrue(numbers > STEPS / 10);
            tree.clear();
            assertTrue(tree.isEmpty());
            watched.forEach(place -> assertNull(place.place.segment()));
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), Seed.first()), e);
        }
    }

    private void step(boolean isGrowing) {
        if (model.isEmpty() || isGrowing && random.nextInt(100) == 0) {
            append();
            return;
        }
        int center = random.nextInt(4) == 0 ? random.nextInt(model.size()) : model.size() / 3;
        int index = Math.min(model.size() - 1, center + random.nextInt(5));
        switch (random.nextInt(10)) {
            case 0 -> change(index);
            case 1 -> watch(index);
            default -> {
                if (random.nextInt(10) < (isGrowing ? 9 : 1)) {
                    split(index);
                } else if (index + 1 < model.size()) {
                    join(index);
                }
            }
        }
    }
}

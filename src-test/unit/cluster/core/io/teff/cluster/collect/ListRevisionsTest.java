package io.teff.cluster.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Goal: an index of an earlier revision is found as in a list that remembers everything. */
class ListRevisionsTest {
    private static final int CHANGES = 3_000;

    /** Each element is an object of its own; a replacement is another object. */
    @Test
    void element_andPosition_areThoseOfTheList() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        ListRevisions revisions = new ListRevisions(7);
        List<Object> list = new ArrayList<>();
        List<List<Object>> earlier = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            if (i % 10 == 0) {
                earlier.add(List.copyOf(list));
                numbers.add(revisions.now());
            }
            change(list, revisions, random);
            int which = random.nextInt(earlier.size());
            check(list, revisions, earlier.get(which), numbers.get(which), random, Seed.reproduce(
                ListRevisionsTest.class, seed));
        }
    }

    private static void change(List<Object> list, ListRevisions revisions, SplittableRandom random) {
        int index = list.isEmpty() ? 0 : random.nextInt(list.size());
        switch (list.size() < 5 ? 0 : random.nextInt(4)) {
            case 0, 1 -> {
                list.add(index, new Object());
                revisions.inserted(index);
            }
            case 2 -> {
                list.remove(index);
                revisions.removed(index);
            }
            default -> {
                list.set(index, new Object());
                revisions.replaced(index);
            }
        }
    }

    private static void check(List<Object> list, ListRevisions revisions, List<Object> before, long revision,
                              SplittableRandom random, String reproduce) {
        if (before.isEmpty()) {
            return;
        }
        int index = random.nextInt(before.size());
        long found = revisions.element(revision, index);
        assertEquals(list.indexOf(before.get(index)), found, reproduce);
        long position = revisions.position(revision, index);
        for (int i = 0; i < before.size(); i++) {
            int now = list.indexOf(before.get(i));
            assertTrue(now < 0 || now < position == i < index, reproduce);
        }
    }

    @Test
    void revision_ofAnotherOwner_orTooOld_isUnknown() {
        ListRevisions revisions = new ListRevisions(3);
        assertEquals(5, revisions.element(revisions.now(), 5));
        assertEquals(ListRevisions.UNKNOWN, revisions.element(new ListRevisions(2).now(), 5));
        assertEquals(ListRevisions.UNKNOWN, revisions.position(new ListRevisions(4).now(), 5));
        assertEquals(ListRevisions.UNKNOWN, revisions.position(revisions.now() + 1, 5));
        long first = revisions.now();
        for (int i = 0; i < ListRevisions.KEPT_MAX; i++) {
            revisions.inserted(0);
        }
        assertEquals(ListRevisions.KEPT_MAX + 5, revisions.element(first, 5));
        revisions.inserted(0);
        assertEquals(ListRevisions.UNKNOWN, revisions.element(first, 5));
        assertEquals(ListRevisions.KEPT_MAX + 5, revisions.position(first + 1, 5));
    }
}

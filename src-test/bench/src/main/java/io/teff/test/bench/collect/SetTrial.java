package io.teff.test.bench.collect;

import io.teff.test.bench.load.Draws;
import java.util.Set;
import java.util.function.Supplier;

/** The operations of sets of {@code long}: elements are 0, 1, 2 and so on, added in this order. */
final class SetTrial extends FilledTrial<Set<Long>> {
    private final Supplier<Held<Set<Long>>> open;

    SetTrial(CollectionPlan plan, Supplier<Held<Set<Long>>> open) {
        super(plan);
        this.open = open;
    }

    @Override
    Held<Set<Long>> open(long count) {
        return open.get();
    }

    @Override
    void fill(Set<Long> set, Shuffle order, long from, long to) {
        for (long element = from; element < to; element++) {
            Trial.check(set.add(element), "there was already an element", element);
        }
    }

    @Override
    void empty(Set<Long> set, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            long element = order.at(place);
            Trial.check(set.remove(element), "there was no element", element);
        }
    }

    @Override
    void measure(Set<Long> set) {
        measure("contains", () -> contains(set));
        measure("add+remove", () -> addAndRemove(set));
        long sumOfAll = entries * (entries - 1) / 2;
        measure("iterate", () -> {
            long sum = 0;
            for (long element : set) {
                sum += element;
            }
            Trial.check(sum == sumOfAll, "the sum of all elements is", sum);
            return entries;
        });
    }

    /** Half of the elements exist. */
    private long contains(Set<Long> set) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            long element = Draws.below(state, 2 * count);
            Trial.check(set.contains(element) == element < count, "contains says the opposite of", element);
        }
        seed = state;
        return GROUP;
    }

    private long addAndRemove(Set<Long> set) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            long element = count + Draws.below(state, count);
            Trial.check(set.add(element), "there was already an element", element);
            Trial.check(set.remove(element), "there was no element", element);
        }
        seed = state;
        return GROUP;
    }
}

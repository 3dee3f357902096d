package io.teff.test.bench.collect;

import io.teff.test.bench.load.Draws;
import java.util.List;
import java.util.function.Supplier;

/** The operations of lists of {@code long}: each element is its index; appended, and removed from the end. */
final class ListTrial extends FilledTrial<List<Long>> {
    private final Supplier<Held<List<Long>>> open;

    ListTrial(CollectionPlan plan, Supplier<Held<List<Long>>> open) {
        super(plan);
        this.open = open;
    }

    @Override
    Held<List<Long>> open(long count) {
        return open.get();
    }

    @Override
    void fill(List<Long> list, Shuffle order, long from, long to) {
        for (long element = from; element < to; element++) {
            list.add(element);
        }
    }

    @Override
    void empty(List<Long> list, Shuffle order, long from, long to) {
        for (long i = from; i < to; i++) {
            int last = list.size() - 1;
            long element = list.remove(last);
            Trial.check(element == last, "the last element is", element);
        }
    }

    @Override
    void measure(List<Long> list) {
        measure("get", () -> get(list));
        long sumOfAll = entries * (entries - 1) / 2;
        measure("iterate", () -> {
            long sum = 0;
            for (long element : list) {
                sum += element;
            }
            Trial.check(sum == sumOfAll, "the sum of all elements is", sum);
            return entries;
        });
    }

    private long get(List<Long> list) {
        final long count = entries;
        long state = seed;
        for (int i = 0; i < GROUP; i++) {
            state = Draws.next(state);
            long index = Draws.below(state, count);
            Trial.check(list.get((int) index) == index, "something else is at index", index);
        }
        seed = state;
        return GROUP;
    }
}

package io.teff.test.bench.collect;

import java.util.Queue;
import java.util.function.Supplier;

/** The operations of queues of {@code long}: elements are 0, 1, 2 and so on, and come out in this order. */
final class QueueTrial extends FilledTrial<Queue<Long>> {
    private final Supplier<Held<Queue<Long>>> open;
    private long offered;
    private long polled;

    QueueTrial(CollectionPlan plan, Supplier<Held<Queue<Long>>> open) {
        super(plan);
        this.open = open;
    }

    @Override
    Held<Queue<Long>> open(long count) {
        return open.get();
    }

    @Override
    void fill(Queue<Long> queue, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            offer(queue);
        }
    }

    @Override
    void empty(Queue<Long> queue, Shuffle order, long from, long to) {
        for (long place = from; place < to; place++) {
            poll(queue);
        }
    }

    private void offer(Queue<Long> queue) {
        Trial.check(queue.offer(offered), "refused was", offered);
        offered++;
    }

    private void poll(Queue<Long> queue) {
        Long element = queue.poll();
        Trial.check(element != null && element == polled, "what should have come out is", polled);
        polled++;
    }

    @Override
    void measure(Queue<Long> queue) {
        measure("offer+poll", () -> {
            for (int i = 0; i < GROUP; i++) {
                offer(queue);
                poll(queue);
            }
            return GROUP;
        });
    }
}

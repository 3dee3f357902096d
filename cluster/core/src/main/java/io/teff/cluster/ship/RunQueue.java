package io.teff.cluster.ship;

import io.teff.cluster.zone.ZoneNumber;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a zone that a backup may lack, in the order of numbers, without a hole. Guarded by its
 * {@link ZoneShipment}.
 */
final class RunQueue {
    private static final int COMPACT_MIN = 64;

    private final List<ShippedRun> runs = new ArrayList<>();
    /** Index of the first run; earlier runs are released. */
    private int head;

    void add(ShippedRun run) {
        runs.add(run);
    }

    @Nullable ShippedRun last() {
        return head == runs.size() ? null : runs.getLast();
    }

    /** Returns the run with the change of a counter, or null. */
    @Nullable ShippedRun at(long counter) {
        final int index = indexAt(counter);
        if (index == runs.size()) {
            return null;
        }
        final ShippedRun run = runs.get(index);
        return ZoneNumber.counter(run.first) <= counter ? run : null;
    }

    /** Returns the index of the first run with an end at a counter or behind the counter. */
    private int indexAt(long counter) {
        int low = head;
        int high = runs.size();
        while (low < high) {
            final int middle = low + high >>> 1;
            if (ZoneNumber.counter(runs.get(middle).last) < counter) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns the bytes of the runs whose last counter is behind {@code after}, and at or in front of {@code last}. */
    long bytes(long after, long last) {
        long bytes = 0;
        for (int i = indexAt(after + 1); i < runs.size() && ZoneNumber.counter(runs.get(i).last) <= last; i++) {
            bytes += runs.get(i).bytes;
        }
        return bytes;
    }

    /** Returns the memory of the runs with an end at a counter or in front of the counter, in bytes. */
    long memoryUpTo(long counter) {
        long bytes = 0;
        for (int i = head; i < runs.size() && ZoneNumber.counter(runs.get(i).last) <= counter; i++) {
            bytes += runs.get(i).memory.byteSize();
        }
        return bytes;
    }

    /** Releases the runs with an end at a counter or in front of the counter. */
    void release(long counter, RunMemory memory) {
        while (head < runs.size() && ZoneNumber.counter(runs.get(head).last) <= counter) {
            memory.give(runs.get(head).memory);
            head++;
        }
        if (head == runs.size() || head >= COMPACT_MIN && head * 2 >= runs.size()) {
            runs.subList(0, head).clear();
            head = 0;
        }
    }

    /** Throws {@link IllegalStateException} if there is a hole, or the last run does not end at a counter. */
    void audit(long end) {
        for (int i = head; i < runs.size(); i++) {
            final long next = i + 1 < runs.size() ? ZoneNumber.counter(runs.get(i + 1).first) : end + 1;
            if (ZoneNumber.counter(runs.get(i).last) + 1 != next) {
                throw new IllegalStateException("a run ends at " + ZoneNumber.text(runs.get(i).last)
                    + ", and the next one begins at " + next);
            }
        }
    }
}

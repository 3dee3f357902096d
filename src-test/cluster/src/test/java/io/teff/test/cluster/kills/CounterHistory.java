package io.teff.test.cluster.kills;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The increments of all clients of one counter, which begins with 0, and whether each was made exactly once.
 *
 * <p>An increment returns the number of those before it. So no number may be returned twice, and the numbers must rise
 * with time: an increment that was called after another one had returned has the higher number. At the end the counter
 * has the number of all increments, of which each unknown one may be missing. Thread-safe.
 */
final class CounterHistory {
    static final int BYTES = 8;

    private record Increment(String client, long called, long returned, long before) {
        @Override
        public String toString() {
            return called + " " + (returned == Long.MAX_VALUE ? "?" : String.valueOf(returned)) + " " + client
                + " increment" + (returned == Long.MAX_VALUE ? "" : " of " + before);
        }
    }

    private final String name;
    private final long cid;
    /** Guarded by itself. */
    private final List<Increment> increments = new ArrayList<>();
    private int unknown;
    /** What the counter had at the end; -1 if there was no counter. */
    private long last;
    private boolean hasEnded;

    CounterHistory(String name, long cid) {
        this.name = name;
        this.cid = cid;
    }

    String name() {
        return name;
    }

    long cid() {
        return cid;
    }

    /** Adds an increment that has returned what was before it. */
    void incremented(String client, long called, long returned, long before) {
        synchronized (increments) {
            increments.add(new Increment(client, called, returned, before));
        }
    }

    /** Adds an increment whose outcome its client does not know. */
    void unknown(String client, long called) {
        synchronized (increments) {
            unknown++;
            increments.add(new Increment(client, called, Long.MAX_VALUE, -1));
        }
    }

    /** Notes what the counter has when all increments have ended; -1 if there is no counter. */
    void end(long value) {
        synchronized (increments) {
            last = value;
            hasEnded = true;
        }
    }

    /** Returns all increments, a line for each, in the order of their calls. */
    List<String> lines() {
        synchronized (increments) {
            return increments.stream().sorted(Comparator.comparingLong(Increment::called)).map(Increment::toString)
                .toList();
        }
    }

    /** Returns what shows that an increment was lost, made twice, or made before its call, or nothing. */
    Optional<String> fault() {
        synchronized (increments) {
            List<Increment> known = increments.stream().filter(it -> it.returned != Long.MAX_VALUE)
                .sorted(Comparator.comparingLong(Increment::before)).toList();
            Set<Long> numbers = new HashSet<>();
            Increment latest = null;                            // of those before, the one that was called last
            for (Increment it : known) {
                if (it.before < 0 || !numbers.add(it.before)) {
                    return Optional.of("not exactly once: two increments have returned " + it.before + ": " + it);
                }
                if (latest != null && it.returned < latest.called) {
                    return Optional.of("not linearizable: " + it + " has returned before the call of " + latest);
                }
                latest = latest == null || it.called > latest.called ? it : latest;
            }
            long highest = known.isEmpty() ? 0 : known.getLast().before + 1;
            if (hasEnded && (last < Math.max(known.size(), highest) || last > increments.size())) {
                return Optional.of("not exactly once: the counter ends with " + last + " after " + known.size()
                    + " increments and " + unknown + " with unknown outcomes; the highest result was " + highest);
            }
            return Optional.empty();
        }
    }
}

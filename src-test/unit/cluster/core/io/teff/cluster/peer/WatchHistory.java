package io.teff.cluster.peer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events that all watchers of a simulation have seen: a number of a ring names one event for ever. */
final class WatchHistory {
    private final Map<Place, byte[]> events = new HashMap<>();

    private record Place(long ring, long number) {}

    /** Adds an event that a watcher has seen; returns what is wrong, or null. */
    @Nullable String add(long ring, long number, byte[] event) {
        byte[] known = events.putIfAbsent(new Place(ring, number), event);
        return known == null || Arrays.equals(known, event) ? null
            : "two events have the number " + number + ": " + Arrays.toString(known) + ", " + Arrays.toString(event);
    }

    long count() {
        return events.size();
    }
}

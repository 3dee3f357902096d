package io.teff.cluster.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of names, for watchers. Each superpeer has its own: after a start or a snapshot a superpeer has
 * none, and says so. Not thread-safe.
 */
public final class RegistryEvents {
    /** Most changes. */
    static final int COUNT_MAX = 8_192;
    /** Most bytes of the changes: 4 MiB of the heap. */
    static final long BYTES_MAX = 4L << 20;
    /** Most bytes of an answer, beside its first change. */
    private static final long ANSWER_BYTES_MAX = 1L << 20;

    private final TreeMap<Long, Event> events = new TreeMap<>();
    private long bytes;
    /** Changes up to this revision may be missing. */
    private long lost;

    /**
     * A change of a name.
     *
     * @param revision of the change
     * @param name that was changed
     * @param value the new value, or null if the name was removed
     */
    public record Event(long revision, String name, byte @Nullable [] value) {
        private long bytes() {
            return 2L * name.length() + (value == null ? 0 : value.length) + RegistryLimits.ROW_BYTES;
        }
    }

    /**
     * Changes of names.
     *
     * @param events in the order of the revisions
     * @param upTo the revision up to which the events are complete
     */
    public record Part(List<Event> events, long upTo) {
        /** Copies the list. */
        public Part {
            events = List.copyOf(events);
        }
    }

    /** Begins behind a revision. */
    RegistryEvents(long revision) {
        lost = revision;
    }

    void add(Event event) {
        events.put(event.revision(), event);
        bytes += event.bytes();
        while (events.size() > COUNT_MAX || bytes > BYTES_MAX) {
            final Event first = events.pollFirstEntry().getValue();
            bytes -= first.bytes();
            lost = first.revision();
        }
    }

    /**
     * Returns the changes of names with a prefix behind a revision; null if some may be missing.
     *
     * @param now the last revision
     */
    @Nullable Part since(long from, String prefix, int most, long now) {
        if (from < lost) {
            return null;
        }
        final List<Event> found = new ArrayList<>();
        long size = 0;
        for (Event event : events.tailMap(from, false).values()) {
            if (event.name().startsWith(prefix)) {
                found.add(event);
                size += event.bytes();
                if (found.size() == most || size >= ANSWER_BYTES_MAX) {
                    return new Part(found, event.revision());
                }
            }
        }
        return new Part(found, Math.max(now, from));
    }

    boolean isSound(long revision) {
        return lost <= revision && (events.isEmpty() || events.firstKey() > lost && events.lastKey() <= revision);
    }
}

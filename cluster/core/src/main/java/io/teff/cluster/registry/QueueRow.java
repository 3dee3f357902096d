package io.teff.cluster.registry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a name: places in the order of their arrival. Of a queue that is no barrier the first places are
 * granted, as long as their permits suffice; no place overtakes another place.
 *
 * @param name 1 to 1,024 bytes of UTF-8
 * @param isBarrier whether places are granted together, when as many wait as there are permits
 * @param permits permits of the queue
 * @param places in the order of their numbers
 */
public record QueueRow(String name, boolean isBarrier, int permits, List<Place> places) {
    /** Copies the list. */
    public QueueRow {
        places = List.copyOf(places);
    }

    /**
     * A place in a queue.
     *
     * @param number revision in which the place was taken
     * @param session of the place
     * @param permits of the place
     * @param value must not be changed
     * @param token revision in which the place was granted, or 0
     * @param hasLeft whether the session has left a granted place of a barrier whose values others still read
     */
    public record Place(long number, long session, int permits, byte[] value, long token, boolean hasLeft) {
        /** Returns whether the place waits. */
        boolean isWaiting() {
            return token == 0;
        }

        Place granted(long with) {
            return new Place(number, session, permits, value, with, hasLeft);
        }

        Place left() {
            return new Place(number, session, permits, value, token, true);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place it && number == it.number && session == it.session && permits == it.permits
                && Arrays.equals(value, it.value) && token == it.token && hasLeft == it.hasLeft;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    /**
     * {@return the place with a number, or null}
     *
     * @param number of the place
     */
    public @Nullable Place place(long number) {
        int low = 0;
        for (int high = places.size() - 1; low < high; ) {      // numbers rise
            final int middle = (low + high) >>> 1;
            if (places.get(middle).number() < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return !places.isEmpty() && places.get(low).number() == number ? places.get(low) : null;
    }

    /** {@return the first granted place, or null} */
    public @Nullable Place holder() {
        return places.isEmpty() || places.getFirst().isWaiting() ? null : places.getFirst();
    }

    /**
     * {@return the values of the places that were granted with a token, in the order of arrival}
     *
     * @param token of the grant
     */
    public List<byte[]> values(long token) {
        return places.stream().filter(place -> place.token() == token).map(Place::value).toList();
    }

    /** Returns what the queue counts for the limits. */
    long bytes() {
        return places.stream().mapToLong(place -> bytes(name, place.value())).sum();
    }

    static long bytes(String name, byte[] value) {
        return (long) RegistryLimits.utf8(name) + value.length + RegistryLimits.ROW_BYTES;
    }

    /** Returns the permits of the granted places. */
    long used() {
        return places.stream().filter(place -> !place.isWaiting()).mapToLong(Place::permits).sum();
    }

    QueueRow with(Place place) {
        return new QueueRow(name, isBarrier, permits, Stream.concat(places.stream(), Stream.of(place)).toList());
    }

    private QueueRow with(List<Place> now) {
        return new QueueRow(name, isBarrier, permits, now);
    }

    /**
     * Returns the queue without places. A granted place of a barrier stays until all places of its grant are left, so
     * each party reads all values.
     */
    QueueRow without(Predicate<Place> isOver) {
        if (!isBarrier) {
            return with(places.stream().filter(isOver.negate()).toList());
        }
        final List<Place> marked = places.stream().filter(place -> !place.isWaiting() || !isOver.test(place))
            .map(place -> isOver.test(place) ? place.left() : place).toList();
        final Set<Long> read = marked.stream().filter(place -> !place.hasLeft()).map(Place::token)
            .collect(Collectors.toSet());
        return with(marked.stream().filter(place -> place.isWaiting() || read.contains(place.token())).toList());
    }

    /**
     * Returns the queue with the grants that are due, or this.
     *
     * @param revision the last revision; the first token is the next
     */
    QueueRow granting(long revision) {
        final List<Place> now = new ArrayList<>(places);
        long next = revision;
        if (isBarrier) {
            final List<Place> waiting = places.stream().filter(Place::isWaiting).limit(permits).toList();
            if (waiting.size() < permits) {
                return this;
            }
            final long token = next + 1;
            final long last = waiting.getLast().number();
            now.replaceAll(place -> place.isWaiting() && place.number() <= last ? place.granted(token) : place);
            return with(now);
        }
        long free = permits - used();
        for (int i = 0; i < now.size(); i++) {
            final Place place = now.get(i);
            if (place.isWaiting()) {
                free -= place.permits();
                if (free < 0) {
                    break;
                }
                now.set(i, place.granted(++next));
            }
        }
        return next == revision ? this : with(now);
    }
}

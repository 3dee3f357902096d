package io.teff.cluster.peer;

import io.teff.cluster.peer.Histories.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients have added to a queue, and taken from it. Each element is added once.
 *
 * <p>At the end, each added element was taken once, or is still in the queue, or was taken by a call without an answer.
 * An element that was added before another one is taken before this one.
 */
final class QueueHistory {
    private final Map<Long, Span> offers = new HashMap<>();
    private final Set<Long> unknownOffers = new HashSet<>();
    private final Map<Long, Span> polls = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private long unknownPolls;

    /** A call was answered: an element was added, or, if the value is 0, taken. */
    void done(long value, long taken, Span span) {
        if (value != 0) {
            offers.put(value, span);
        } else if (taken != Histories.ABSENT && polls.put(taken, span) != null) {
            faults.add("element " + taken + " was taken twice");
        }
    }

    /** The outcome of a call is unknown. */
    void unknown(long value, Span span) {
        if (value == 0) {
            unknownPolls++;
        } else {
            offers.put(value, span);
            unknownOffers.add(value);
        }
    }

    /** Throws an {@link AssertionError} if an element is missing, or there too often, or was taken too early. */
    void check(String zone, Map<Long, Long> entries) {
        List<Long> left = new ArrayList<>();
        entries.forEach((index, value) -> {
            if (index >= SimOperation.QUEUE_INDEX) {
                left.add(value);
            }
        });
        Set<Long> seen = new HashSet<>(polls.keySet());
        left.stream().filter(value -> !seen.add(value)).forEach(value -> faults.add("element " + value
            + " is in the queue, and was taken or is there twice"));
        seen.stream().filter(value -> !offers.containsKey(value)).forEach(value -> faults.add("element " + value
            + " was never added"));
        long missing = offers.keySet().stream().filter(value -> !seen.contains(value)
            && !unknownOffers.contains(value)).count();
        if (missing > unknownPolls) {
            faults.add(missing + " elements are lost, and " + unknownPolls + " calls took, perhaps, one");
        }
        checkOrder();
        if (!faults.isEmpty()) {
            throw new AssertionError(zone + ": the queue is not a queue: " + faults);
        }
    }

    private void checkOrder() {
        polls.forEach((value, span) -> offers.forEach((other, offer) -> {
            Span otherPoll = polls.get(other);
            if (otherPoll != null && offer.returnedNs() < offers.get(value).calledNs()
                && span.returnedNs() < otherPoll.calledNs()) {
                faults.add("element " + value + " was taken before element " + other + ", which was added before");
            }
        }));
    }
}

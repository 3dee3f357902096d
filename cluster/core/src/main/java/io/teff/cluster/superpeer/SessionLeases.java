package io.teff.cluster.superpeer;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * When a superpeer has last heard of the sessions of clients. Every superpeer hears of them, so that the one that leads
 * next knows, too. A session that ends too early costs its client a new one, and breaks no promise; so one superpeer
 * decides, without votes. The time is that in which the superpeer has watched: a stop of its process ends no session.
 * Not thread-safe.
 */
final class SessionLeases {
    /** How long a session goes on without a sign of life: 30 s. A client gives one each 3 s. */
    static final long LEASE_NS = TimeUnit.SECONDS.toNanos(30);

    private final long leaseNs;
    private final Map<Integer, Long> heardNs = new HashMap<>();

    SessionLeases(long leaseNs) {
        this.leaseNs = leaseNs;
    }

    /** Notes a sign of life. */
    void heard(int session, long nowNs) {
        heardNs.put(session, nowNs);
    }

    /** Returns the sessions whose lease is over; one that is seen for the first time has a whole lease from now on. */
    List<Integer> overdue(Collection<Integer> open, long nowNs) {
        heardNs.keySet().retainAll(open);
        return open.stream().filter(session -> nowNs - heardNs.computeIfAbsent(session, _ -> nowNs) >= leaseNs)
            .toList();
    }
}

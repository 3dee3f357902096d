package io.teff.cluster.superpeer;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * When a superpeer last heard from the sessions of clients. Every superpeer hears from all sessions, so that the next
 * leader knows the sessions, too. A session that ends too early costs the client a new session, and breaks no promise;
 * so a single superpeer decides, without votes. The time is the time during which the superpeer has watched: a stop of
 * the superpeer's process ends no session. Not thread-safe.
 */
final class SessionLeases {
    /** How long a session continues without a sign of life: 30 s. A client gives a sign every 3 s. */
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

    /** Returns the sessions with an expired lease; a session seen for the first time has a whole lease from now on. */
    List<Integer> overdue(Collection<Integer> open, long nowNs) {
        heardNs.keySet().retainAll(open);
        return open.stream().filter(session -> nowNs - heardNs.computeIfAbsent(session, _ -> nowNs) >= leaseNs)
            .toList();
    }
}

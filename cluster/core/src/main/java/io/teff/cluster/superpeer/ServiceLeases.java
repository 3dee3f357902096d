package io.teff.cluster.superpeer;

import io.teff.cluster.registry.NameRow;
import io.teff.cluster.registry.Registry;
import io.teff.cluster.registry.RegistryState.SessionRow;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * When a superpeer has seen the last renewals of sessions, and the last changes of names with a time to live. A
 * superpeer sees a renewal after the client has sent the renewal, and measures a lease that is lengthened by the drift
 * of clocks. So the superpeer never ends a session that its client still counts. A new leader begins all leases anew.
 * The time is the time during which the superpeer has watched. Not thread-safe.
 */
final class ServiceLeases {
    /** By how much clocks differ: 1 %, as for leases of nodes. */
    private static final int DRIFT_SHARE = 100;

    private final Map<Long, Seen> sessions = new HashMap<>();
    private final Map<String, Seen> names = new HashMap<>();
    private long beats = -1;
    private long revision = -1;
    private boolean isLeading;

    /** An observed state, and the time at which the state is overdue. */
    private record Seen(long number, long untilNs) {}

    /** Looks at the registry. */
    void look(Registry registry, long nowNs) {
        if (registry.beats() != beats) {
            beats = registry.beats();
            final List<SessionRow> rows = registry.sessions();
            for (SessionRow row : rows) {
                see(sessions, row.number(), row.renewals(), row.leaseMs(), nowNs);
            }
            if (sessions.size() > rows.size()) {
                sessions.keySet().retainAll(rows.stream().map(SessionRow::number).collect(Collectors.toSet()));
            }
        }
        if (registry.revision() != revision) {
            revision = registry.revision();
            final List<NameRow> rows = registry.mortals();
            for (NameRow row : rows) {
                see(names, row.name(), row.version(), row.ttlMs(), nowNs);
            }
            if (names.size() > rows.size()) {
                names.keySet().retainAll(rows.stream().map(NameRow::name).collect(Collectors.toSet()));
            }
        }
    }

    private static <K> void see(Map<K, Seen> all, K key, long number, long ms, long nowNs) {
        final Seen known = all.get(key);
        if (known == null || known.number() != number) {
            final long ns = TimeUnit.MILLISECONDS.toNanos(ms);
            all.put(key, new Seen(number, nowNs + ns + ns / DRIFT_SHARE + 1));
        }
    }

    /**
     * Begins all leases anew when a leadership begins: without a leader no renewal was possible, and clients need a
     * moment to find the new leader. A longer lease is always safe.
     */
    void leads(boolean now) {
        if (now && !isLeading) {
            sessions.clear();
            names.clear();
            beats = -1;
            revision = -1;
        }
        isLeading = now;
    }

    /** Returns the steps that end what has not been renewed. */
    List<RegistryStep> overdue(long nowNs) {
        final List<RegistryStep> steps = new ArrayList<>();
        sessions.forEach((session, seen) -> {
            if (nowNs - seen.untilNs() >= 0) {
                steps.add(new RegistryStep(StepCode.END, session, 0, seen.number(), 0, 0, "", RegistryStep.NONE));
            }
        });
        names.forEach((name, seen) -> {
            if (nowNs - seen.untilNs() >= 0) {
                steps.add(RegistryStep.of(StepCode.EXPIRE, seen.number(), name));
            }
        });
        return steps;
    }
}
